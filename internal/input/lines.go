package input

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/files"
)

// LineError is the error for a malformed line. Reading can continue after it.
type LineError struct {
	Want string // what the format requires
	Got  string // what the line has instead
}

func (e *LineError) Error() string { return fmt.Sprintf("want %s, got %s", e.Want, e.Got) }

// Lines reads text line by line. Lines end with LF or CRLF; the last may end with the file.
type Lines struct {
	r      *bufio.Reader
	limit  int // bytes of a line
	number int
	long   []byte // the start of a line longer than the buffer of r
}

// NewLines returns a reader of the lines of r, which may have at most limits.Line bytes. It consumes no bytes after the
// last line returned, so the rest can be read from r directly.
func NewLines(r *bufio.Reader, limits files.Limits) *Lines {
	return &Lines{r: r, limit: int(limits.WithDefaults().Line)}
}

// Number returns the number, from 1, of the last line that Next returned.
func (l *Lines) Number() int { return l.number }

// Next returns the next line, without its line ending. It returns io.EOF after the last line. It returns a
// [*LineError], after which it can be called again, for a line that is too long or not UTF-8, and for a file with CR
// line endings, as on old Macs. A line with a byte of zero after its limit ends the reading: the file is not text.
func (l *Lines) Next() (string, error) {
	l.long = l.long[:0]
	line, err := l.r.ReadSlice('\n')
	length := len(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		if length <= l.limit {
			l.long = append(l.long, line...)
		} else if bytes.IndexByte(line, 0) >= 0 {
			return "", fmt.Errorf("line %d: want text, got a line of more than %d bytes with bytes of zero", l.number+1, l.limit)
		}
		line, err = l.r.ReadSlice('\n')
		length += len(line)
	}
	if err != nil && (err != io.EOF || length == 0) {
		return "", err
	}
	l.number++
	if length > l.limit {
		l.long = nil
		return "", &LineError{Want: fmt.Sprintf("a line of at most %d bytes (Limits.Line)", l.limit),
			Got: fmt.Sprint(length)}
	}
	if len(l.long) > 0 {
		l.long = append(l.long, line...)
		line = l.long
	}
	line, ended := bytes.CutSuffix(line, []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	if !ended && l.number == 1 && bytes.IndexByte(line, '\r') >= 0 {
		return "", &LineError{Want: "lines that end with LF or CRLF", Got: "CR alone"}
	}
	text := string(line)
	if at := InvalidUTF8(text); at >= 0 {
		return "", NotUTF8(text, at)
	}
	return text, nil
}

// Each calls do for each remaining line with its number. Errors include the line number.
func (l *Lines) Each(do func(text string, line int) error) error {
	for {
		text, err := l.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = do(text, l.number)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", l.number, err)
		}
	}
}

// InvalidUTF8 returns the offset of the first byte of text that is not valid UTF-8, or -1.
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

// NotUTF8 returns the error for the invalid byte at offset at of text, or for bytes there that are undefined in the
// file's encoding: see [Decode].
func NotUTF8(text string, at int) *LineError {
	if strings.HasPrefix(text[at:], undecoded) {
		return &LineError{
			Want: "text in the encoding of the file",
			Got: fmt.Sprintf("bytes that it lacks after the %d characters %s", utf8.RuneCountInString(text[:at]),
				Quote(text[:at])),
		}
	}
	return &LineError{
		Want: "UTF-8",
		Got:  fmt.Sprintf("byte 0x%02x at offset %d (is the file Latin-1 or Shift-JIS?)", text[at], at),
	}
}

// Quote returns s quoted for an error message, truncated to 60 characters.
func Quote(s string) string {
	const maxLen = 60 // characters
	if runes := []rune(s); len(runes) > maxLen {
		return fmt.Sprintf("%q…", string(runes[:maxLen]))
	}
	return fmt.Sprintf("%q", s)
}
