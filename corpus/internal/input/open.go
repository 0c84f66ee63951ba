package input

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/encoding/unicode"
)

// bufferSize is how much of a file can be looked at before it is read: formats
// are recognised by the first 64 KiB.
const bufferSize = 64 << 10

// File is an open file, unpacked.
type File struct {
	*bufio.Reader
	file *os.File // nil for stdin, which is not ours to close
}

// Name is what errors call the file at path.
func Name(path string) string {
	if path == "-" {
		return "stdin"
	}
	return path
}

// Open opens the file at path, or stdin where path is "-".
func Open(path string) (*File, error) {
	if path == "-" {
		r, err := NewReader(os.Stdin)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", Name(path), err)
		}
		return &File{Reader: r}, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := NewReader(file)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &File{Reader: r, file: file}, nil
}

// Close closes the file.
func (f *File) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

// NewReader gives the text in r: gunzipped where r is gzip (of one member or
// several), turned into UTF-8 where it opens with a byte-order mark of UTF-16,
// and without a byte-order mark of UTF-8. At least 64 KiB can be peeked at.
func NewReader(r io.Reader) (*bufio.Reader, error) {
	br := bufio.NewReaderSize(r, bufferSize)
	if starts(br, "\x1f\x8b") {
		packed, err := gzip.NewReader(br)
		if err != nil {
			return nil, err
		}
		br = bufio.NewReaderSize(packed, bufferSize)
	}
	switch {
	case starts(br, "\xef\xbb\xbf"):
		br.Discard(3)
	case starts(br, "\xff\xfe"), starts(br, "\xfe\xff"):
		decoder := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder()
		br = bufio.NewReaderSize(decoder.Reader(br), bufferSize)
	}
	return br, nil
}

// starts reports whether the bytes to come are those of prefix. An error of the
// reader is left for the next read.
func starts(r *bufio.Reader, prefix string) bool {
	head, _ := r.Peek(len(prefix))
	return bytes.Equal(head, []byte(prefix))
}
