// Package input opens text files supplied by users: dictionaries, annotated documents and others.
//
// Use [Open] for a path, [NewReader] for a stream, and [NewLines] to read either line by line. Compression (gzip,
// bzip2, xz, zstd) and byte-order marks are detected by content and removed, so that the reader of each format gets
// plain UTF-8 text.
package input

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"
)

// FilesBelow returns the paths of all files in the folder dir and below it, except hidden ones, and except files and
// folders for which leaveOut returns true.
func FilesBelow(dir string, leaveOut func(path string) bool) (paths []string, err error) {
	root := dir + string(filepath.Separator) // follows a link to a folder
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		isOut := err == nil && path != root && (strings.HasPrefix(entry.Name(), ".") || leaveOut(path))
		switch {
		case err != nil:
			return err
		case isOut && entry.IsDir():
			return fs.SkipDir
		case !isOut && !entry.IsDir():
			paths = append(paths, path)
		}
		return nil
	})
	return paths, err
}

// bufferSize is the number of bytes that can be peeked at: formats are detected from the first 64 KiB.
const bufferSize = 64 << 10

// File is an open file from which decompressed UTF-8 text is read.
type File struct {
	*bufio.Reader
	file *os.File // nil for stdin, which Close leaves open
}

// Name returns the name of the file at path for error messages: the path, or "stdin" for "-".
func Name(path string) string {
	if path == "-" {
		return "stdin"
	}
	return path
}

// Open opens the file at path, or stdin if path is "-". Errors include the path.
func Open(path string) (*File, error) { return OpenEncoded(path, "") }

// OpenEncoded is like [Open] for a file in an encoding: see [NewEncodedReader].
func OpenEncoded(path, encoding string) (*File, error) {
	if path == "-" {
		r, err := NewEncodedReader(os.Stdin, encoding)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", Name(path), err)
		}
		return &File{Reader: r}, nil
	}
	file, err := os.Open(path)
	if err != nil && strings.Contains(path, "://") {
		return nil, fmt.Errorf("%s: is an address, want a file: download it first: %w", path, err)
	}
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		file.Close()
		return nil, fmt.Errorf("%s: is a folder, want a file", path)
	}
	br := bufio.NewReaderSize(file, bufferSize)
	r, err := NewEncodedReader(br, encoding)
	if err == nil && r == br {
		err = checkExtension(path, br)
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &File{Reader: r, file: file}, nil
}

// Position returns how many bytes of the stored file have been read, or 0 if unknown.
func (f *File) Position() int64 {
	if f.file == nil {
		return 0
	}
	position, _ := f.file.Seek(0, io.SeekCurrent) // 0 of a pipe
	return position
}

// Close closes the file.
func (f *File) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

// NewReader returns a reader of the text in r. It unpacks the formats of [Decompress], decodes UTF-16 and UTF-32 with a
// byte-order mark, and drops a UTF-8 byte-order mark. At least 64 KiB can be peeked at.
func NewReader(r io.Reader) (*bufio.Reader, error) { return NewEncodedReader(r, "") }

// NewEncodedReader is like [NewReader] for text in an encoding, by its name in the WHATWG Encoding Standard, such as
// "cp1252" or "shift_jis"; the empty name means UTF-8. A byte-order mark overrides the encoding, and so does an XML
// declaration, which the XML reader has to handle.
func NewEncodedReader(r io.Reader, encoding string) (*bufio.Reader, error) {
	br := bufio.NewReaderSize(r, bufferSize)
	unpacked, err := Decompress(br)
	if err != nil {
		return nil, err
	}
	if unpacked != br {
		br = bufio.NewReaderSize(unpacked, bufferSize)
	}
	switch {
	case hasPrefix(br, "\xef\xbb\xbf"):
		br.Discard(3)
	case hasPrefix(br, "\xff\xfe\x00\x00"):
		return wide{unit: 4, order: binary.LittleEndian}.decode(br), nil
	case hasPrefix(br, "\x00\x00\xfe\xff"):
		return wide{unit: 4, order: binary.BigEndian}.decode(br), nil
	case hasPrefix(br, "\xff\xfe"):
		return wide{unit: 2, order: binary.LittleEndian}.decode(br), nil
	case hasPrefix(br, "\xfe\xff"):
		return wide{unit: 2, order: binary.BigEndian}.decode(br), nil
	case encoding != "" && !hasPrefix(br, "<?xml"):
		return Decode(br, encoding)
	}
	return br, nil
}

// ZipMark begins a zip archive, and so a workbook.
const ZipMark = "PK\x03\x04"

// Decode returns a reader of the text in r, whose encoding has this name: see [NewEncodedReader]. Bytes that are
// undefined in the encoding become invalid UTF-8, for which [NotUTF8] returns an error.
func Decode(r *bufio.Reader, encoding string) (*bufio.Reader, error) {
	if encoding == "" || hasPrefix(r, ZipMark) { // a workbook has its own
		return r, nil
	}
	decoded, err := DecodeStream(r, encoding)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(decoded, r.Size()), nil
}

// DecodeStream is like [Decode] for any reader, without a buffer.
func DecodeStream(r io.Reader, encoding string) (io.Reader, error) {
	found, err := htmlindex.Get(encoding)
	if err != nil {
		return nil, fmt.Errorf("encoding %q is not known, want a name such as cp1252, latin1 or shift_jis", encoding)
	}
	switch name, _ := htmlindex.Name(found); name {
	case "utf-8":
		return r, nil
	case "utf-16le":
		return transform.NewReader(r, wide{unit: 2, order: binary.LittleEndian}), nil
	case "utf-16be":
		return transform.NewReader(r, wide{unit: 2, order: binary.BigEndian}), nil
	}
	return transform.NewReader(r, markingDecoder{found.NewDecoder()}), nil
}

// undecoded replaces bytes that are undefined in an encoding. It is invalid UTF-8, and has the length of U+FFFD, which
// it overwrites.
const undecoded = "\xff\xfd\xff"

// markingDecoder replaces U+FFFD, which decoders write for undefined bytes, by undecoded.
type markingDecoder struct{ transform.Transformer }

// Transform implements [transform.Transformer].
func (d markingDecoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	nDst, nSrc, err = d.Transformer.Transform(dst, src, atEOF)
	for decoded := dst[:nDst]; ; {
		at := bytes.Index(decoded, []byte("\uFFFD"))
		if at < 0 {
			return nDst, nSrc, err
		}
		copy(decoded[at:], undecoded)
		decoded = decoded[at+len(undecoded):]
	}
}

// wide decodes UTF-16 and UTF-32. It writes undecoded for unpaired surrogates, truncated units and numbers that are not
// code points. It cannot look for U+FFFD like markingDecoder, because these encodings can represent it.
type wide struct {
	transform.NopResetter
	unit  int // bytes
	order binary.ByteOrder
}

// decode returns a reader of the text after the byte-order mark of r.
func (w wide) decode(r *bufio.Reader) *bufio.Reader {
	r.Discard(w.unit)
	return bufio.NewReaderSize(transform.NewReader(r, w), bufferSize)
}

// Transform implements [transform.Transformer].
func (w wide) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		r, size := w.next(src[nSrc:])
		if size == 0 && !atEOF {
			return nDst, nSrc, transform.ErrShortSrc
		}
		if nDst+utf8.UTFMax > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		if size == 0 || r < 0 {
			nDst += copy(dst[nDst:], undecoded)
		} else {
			nDst += utf8.EncodeRune(dst[nDst:], r)
		}
		nSrc = min(nSrc+max(size, w.unit), len(src))
	}
	return nDst, nSrc, nil
}

// next returns the first code point of src, or -1, and its length in bytes, or 0 if src ends within it.
func (w wide) next(src []byte) (rune, int) {
	if len(src) < w.unit {
		return -1, 0
	}
	if w.unit == 4 {
		if r := w.order.Uint32(src); r <= unicode.MaxRune && utf8.ValidRune(rune(r)) {
			return rune(r), 4
		}
		return -1, 4
	}
	first := rune(w.order.Uint16(src))
	if !utf16.IsSurrogate(first) {
		return first, 2
	}
	if len(src) < 4 {
		return -1, 0
	}
	if r := utf16.DecodeRune(first, rune(w.order.Uint16(src[2:]))); r != unicode.ReplacementChar {
		return r, 4
	}
	return -1, 2
}

// hasPrefix reports whether the next bytes of r are prefix, in which "?" matches any byte. It reads no more bytes than
// it needs to decide. A read error is left for the next read.
func hasPrefix(r *bufio.Reader, prefix string) bool {
	for n := 1; n <= len(prefix); n++ {
		if head, _ := r.Peek(n); len(head) < n || prefix[n-1] != '?' && head[n-1] != prefix[n-1] {
			return false
		}
	}
	return true
}
