package input

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/xi2/xz"
)

// maxWindow is the maximum memory, in bytes, for unpacking data: twice the memory that xz -9 needs, and as much as zstd
// allows without --long. A header of a few bytes can demand gigabytes.
const maxWindow = 128 << 20

// compression is a format of compressed data.
type compression struct {
	name      string
	extension string // of files, in lower case
	magic     string // the first bytes, in which "?" matches any byte
	open      func(io.Reader) (io.Reader, error)
}

var compressions = []compression{
	{"gzip", ".gz", "\x1f\x8b", openGzip}, // RFC 1952, section 2.3.1
	{"bzip2", ".bz2", "BZh?1AY&SY", openBzip2},
	{"bzip2", ".bz2", "BZh?\x17rE8P\x90", openBzip2}, // empty data
	{"xz", ".xz", "\xfd7zXZ\x00", openXZ},
	{"zstd", ".zst", "\x28\xb5\x2f\xfd", openZstd}, // RFC 8878, section 3.1.1
	{"zstd", ".zst", "\x50\x2a\x4d\x18", openZstd}, // a skippable frame, which pzstd writes
}

func openGzip(r io.Reader) (io.Reader, error)  { return gzip.NewReader(r) }
func openBzip2(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }
func openXZ(r io.Reader) (io.Reader, error)    { return xz.NewReader(r, maxWindow) }
func openZstd(r io.Reader) (io.Reader, error) {
	// Without goroutines, there is nothing to close.
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
}

// compressionOf returns the format in which the next bytes of r are compressed, or the zero value.
func compressionOf(r *bufio.Reader) compression {
	for _, c := range compressions {
		if hasPrefix(r, c.magic) {
			return c
		}
	}
	return compression{}
}

// Compression returns the name of the format in which the next bytes of r are compressed, such as "gzip", or "". It
// reads no more bytes than it needs to decide.
func Compression(r *bufio.Reader) string { return compressionOf(r).name }

// CompressionOf is like [Compression] for data that begins with head.
func CompressionOf(head []byte) string {
	const longestMagic = 16 // the smallest buffer size
	return Compression(bufio.NewReaderSize(bytes.NewReader(head), longestMagic))
}

// Decompress returns a reader of the unpacked data if the first bytes in r are those of gzip, bzip2, xz or zstd, with
// one or several parts, and otherwise r. The error for data that ends early is [io.ErrUnexpectedEOF], or a
// [*HeaderError] if it ends in the header. Errors of r are returned unchanged.
func Decompress(r *bufio.Reader) (io.Reader, error) {
	c := compressionOf(r)
	if c.open == nil {
		return r, nil
	}
	unpacked, err := c.open(r)
	switch {
	case err == io.EOF, err == io.ErrUnexpectedEOF, err == xz.ErrBuf:
		return nil, &HeaderError{c.name}
	case err != nil:
		return nil, c.explain(err)
	}
	return unpackingReader{unpacked, c}, nil
}

// checkExtension returns a [*HeaderError] if the rest of r is only part of a header that the file's extension requires,
// as in an empty "notes.txt.gz".
func checkExtension(name string, r *bufio.Reader) error {
	for _, c := range compressions {
		if !strings.HasSuffix(name, c.extension) {
			continue
		}
		head, err := r.Peek(len(c.magic))
		if err == io.EOF && hasPrefix(r, c.magic[:len(head)]) {
			return &HeaderError{c.name}
		}
	}
	return nil
}

// HeaderError is the error for compressed data that ends before its content begins.
type HeaderError struct{ Compression string }

func (e *HeaderError) Error() string {
	return fmt.Sprintf("%s data ends in its header: %v", e.Compression, e.Unwrap())
}

// Unwrap returns [io.ErrUnexpectedEOF].
func (e *HeaderError) Unwrap() error { return io.ErrUnexpectedEOF }

// unpackingReader adds explanations to errors of unpacking.
type unpackingReader struct {
	io.Reader
	compression compression
}

func (r unpackingReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	return n, r.compression.explain(err)
}

// explain returns an error that attributes early ends and excessive memory to the compressed data.
func (c compression) explain(err error) error {
	switch err {
	case io.ErrUnexpectedEOF, xz.ErrBuf:
		return fmt.Errorf("%s data ends early: %w", c.name, io.ErrUnexpectedEOF)
	case xz.ErrMemlimit, zstd.ErrWindowSizeExceeded, zstd.ErrDecoderSizeExceeded:
		return fmt.Errorf("%s data takes more than %d MiB of memory to unpack: compress it at a lower level", c.name,
			maxWindow>>20)
	}
	return err
}

// TrimCompression returns a file name without the extension of a compression format, such as ".gz", if it has one.
func TrimCompression(name string) string {
	for _, c := range compressions {
		if trimmed, ok := strings.CutSuffix(name, c.extension); ok {
			return trimmed
		}
	}
	return name
}

// foreign lists the first bytes of file types that are often given in place of a text, with "?" for any byte, and their
// names.
var foreign = []struct{ magic, name string }{
	{"%PDF", "PDF"},
	{"%!PS", "PostScript"},
	{"\x89PNG", "a PNG image"},
	{"\xff\xd8\xff", "a JPEG image"},
	{"GIF8", "a GIF image"},
	{"II*\x00", "a TIFF image"},
	{"MM\x00*", "a TIFF image"},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive"},
	{"Rar!\x1a", "a RAR archive"},
	{"PAR1", "Parquet"},
	{"\xd0\xcf\x11\xe0", "a file of old Office (.doc, .xls) or with a password, want .xlsx or text"},
	{"{\\rtf", "RTF"},
	{"\x04\x22\x4d\x18", "lz4, want gzip or the unpacked file"},
	{"\x1f\x9d", "compress (.Z), want gzip or the unpacked file"},
	{"SQLite format", "SQLite"},
	{"\\documentclass", "LaTeX"},
	{"WEBVTT", "subtitles"},
	{"RT Journal Article", "RefWorks: export RIS instead"},
	{"\x1e{", "a JSON text sequence (RFC 7464): want an object a line"},
	{"WARC/", "WARC, pages of the web"},
	{"MSH|^~\\&", "HL7 version 2: take the texts out of its segments"},
	{"ISA*00*", "X12, messages of insurers"},
	{strings.Repeat("?", 257) + "ustar", "a tar archive, want the unpacked files"}, // POSIX.1-1988
	{"#FORMAT=WebAnno TSV", "WebAnno TSV: export CoNLL 2002 instead"},
}

// ForeignKind returns a description of a file that begins with head if it is not a text that ctxnorm can read, or "".
func ForeignKind(head []byte) string {
	r := bufio.NewReaderSize(bytes.NewReader(head), 512)
	if kind := Compression(r); kind != "" {
		return kind + " within compressed data, want it compressed once"
	}
	for _, f := range foreign {
		if hasPrefix(r, f.magic) {
			return f.name
		}
	}
	return ""
}
