package input

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// MaxLine is the length of the longest line that is read, in bytes: 64 MiB, a
// hundred times the longest article. A longer one is a file of another kind.
const MaxLine = 64 << 20

// LineError says what is wrong with one line. The lines after it can be read.
type LineError struct {
	Want, Got string
}

func (e *LineError) Error() string { return fmt.Sprintf("want %s, got %s", e.Want, e.Got) }

// Lines reads text line by line. Lines end in LF or CRLF, the last one also in
// nothing.
type Lines struct {
	r      *bufio.Reader
	number int
	long   []byte // the start of a line longer than the buffer of r
}

// NewLines reads the lines of r and no byte beyond the last line asked for, so
// that what follows can be read from r by other means.
func NewLines(r *bufio.Reader) *Lines { return &Lines{r: r} }

// Number is the number of the line that Next gave last, from 1.
func (l *Lines) Number() int { return l.number }

// Next is the next line, without its end. It returns io.EOF after the last one,
// and a *LineError, after which it can be called again, for a line that is not
// UTF-8 or too long.
func (l *Lines) Next() (string, error) {
	l.long = l.long[:0]
	line, err := l.r.ReadSlice('\n')
	length := len(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		if length <= MaxLine {
			l.long = append(l.long, line...)
		}
		line, err = l.r.ReadSlice('\n')
		length += len(line)
	}
	if err != nil && (err != io.EOF || length == 0) {
		return "", err
	}
	l.number++
	if length > MaxLine {
		l.long = nil
		return "", &LineError{Want: fmt.Sprintf("a line of at most %d bytes", MaxLine), Got: fmt.Sprint(length)}
	}
	if len(l.long) > 0 {
		l.long = append(l.long, line...)
		line = l.long
	}
	line = bytes.TrimSuffix(line, []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	text := string(line)
	if at := InvalidUTF8(text); at >= 0 {
		return "", NotUTF8(text, at)
	}
	return text, nil
}

// InvalidUTF8 is the offset of the first byte of text that is not UTF-8, or -1.
func InvalidUTF8(text string) int {
	if utf8.ValidString(text) {
		return -1
	}
	at := 0
	for {
		r, size := utf8.DecodeRuneInString(text[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
}

// NotUTF8 is the error for the byte of text at offset at.
func NotUTF8(text string, at int) *LineError {
	return &LineError{
		Want: "UTF-8",
		Got:  fmt.Sprintf("byte 0x%02x at offset %d (is the file Latin-1 or Shift-JIS?)", text[at], at),
	}
}
