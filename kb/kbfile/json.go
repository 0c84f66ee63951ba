package kbfile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// readJSON reads one object, {"id": [name, …], …}. A value that is not a list of strings
// is a malformed row; a syntax error ends the file.
func (c *collector) readJSON(r *bufio.Reader) error {
	var swapped, other string // the first members of a name and ids, and of anything else
	err := c.eachMember(r, func(key string, value json.RawMessage, line int) error {
		c.report.Rows++
		var names []string
		id := kb.ConceptID(strings.TrimSpace(key))
		if err := json.Unmarshal(value, &names); err != nil || id == "" {
			return c.badRow(line, `"id": ["name", …]`, fmt.Sprintf("%q: %s", key, input.Quote(string(value))))
		}
		if bad := checkIDs([]kb.ConceptID{id}); bad != nil {
			return c.reject(line, bad)
		}
		switch {
		case isIDLike(key) || slices.ContainsFunc(names, func(name string) bool { return !isIDLike(name) }):
			other = key
		case swapped == "" && strings.Contains(key, " ") && len(names) > 0:
			swapped = fmt.Sprintf("%q: %s", key, input.Quote(string(value)))
		}
		c.addNames(id, names)
		return nil
	})
	if err == nil && swapped != "" && other == "" {
		return fmt.Errorf(`want ids with their names, "id": ["name", …], got names with their ids, such as %s`, swapped)
	}
	return err
}

// eachMember calls member for each key and value of the JSON object in r, with the line
// on which the value ends. An invalid file is a [*RowError].
func (c *collector) eachMember(r io.Reader, member func(key string, value json.RawMessage, line int) error) error {
	m := newMemberReader(r, c)
	if err := m.open(); err != nil {
		return err
	}
	for m.decoder.More() {
		key, value, err := m.next()
		if err != nil {
			return err
		}
		c.rowBytes = int64(len(value)) // the strings in it are copies of about this length
		if err := member(key, value, m.text.line); err != nil {
			return err
		}
		if c.full != nil {
			return fmt.Errorf("line %d: %w", m.text.line, c.full)
		}
	}
	return m.close()
}

// memberReader reads the members of the object that is all of a file.
type memberReader struct {
	file    string
	text    unreadText
	records *input.RecordReader
	decoder *json.Decoder
}

func newMemberReader(r io.Reader, c *collector) *memberReader {
	m := &memberReader{file: c.file, text: unreadText{line: 1}}
	m.records = input.NewRecordReader(io.TeeReader(r, &m.text), "a member of the object", c.opts.Limits)
	m.decoder = json.NewDecoder(m.records)
	return m
}

// open reads the brace at the start.
func (m *memberReader) open() error {
	brace, err := m.decoder.Token()
	if err != nil {
		return m.failed(err)
	}
	if brace != json.Delim('{') {
		return m.unwanted("an object", fmt.Sprintf("%q", fmt.Sprint(brace)))
	}
	return nil
}

// next returns the next member.
func (m *memberReader) next() (key string, value json.RawMessage, err error) {
	token, err := m.decoder.Token()
	if err == nil {
		err = m.decoder.Decode(&value)
	}
	if err != nil {
		return "", nil, m.failed(err)
	}
	return token.(string), value, m.pass()
}

// close reads the brace at the end. It returns an error if there is more after it.
func (m *memberReader) close() error {
	if _, err := m.decoder.Token(); err != nil {
		return m.failed(err)
	}
	switch _, err := m.decoder.Token(); {
	case err == io.EOF:
		return nil
	case isLimit(err):
		return m.failed(err)
	}
	return m.unwanted("one object", "more after it")
}

// pass passes over the text read up to here, and begins the next member.
func (m *memberReader) pass() error {
	bad := m.text.pass(m.decoder.InputOffset())
	m.records.Begin(m.decoder.InputOffset())
	if bad != nil {
		return &RowError{File: m.file, Line: m.text.line, Want: bad.Want, Got: bad.Got}
	}
	return nil
}

// failed returns the error of the decoder, after which nothing can be read.
func (m *memberReader) failed(err error) error {
	if err := m.pass(); err != nil {
		return err
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return m.text.decodeError(m.file, err)
}

// unwanted returns the error for what stands where the decoder is.
func (m *memberReader) unwanted(want, got string) error {
	if err := m.pass(); err != nil {
		return err
	}
	return &RowError{File: m.file, Line: m.text.line, Want: want, Got: got}
}

func isLimit(err error) bool {
	_, ok := errors.AsType[*files.LimitError](err)
	return ok
}

// unreadText is the text that a decoder has read ahead, from which lines are counted.
type unreadText struct {
	text   []byte
	passed int   // number of bytes of text passed over
	offset int64 // in the file, of the text not passed over
	line   int   // at offset, from 1
}

// Write appends to the text.
func (u *unreadText) Write(p []byte) (int, error) {
	if u.passed > len(u.text)/2 {
		u.text = append(u.text[:0], u.text[u.passed:]...)
		u.passed = 0
	}
	u.text = append(u.text, p...)
	return len(p), nil
}

// pass passes over the text before offset. It returns an error, at the line of u, if that
// has a byte that is not UTF-8.
func (u *unreadText) pass(offset int64) *input.LineError {
	passed := u.text[u.passed:]
	passed = passed[:min(offset-u.offset, int64(len(passed)))]
	if at := input.InvalidUTF8(string(passed)); at >= 0 {
		start := bytes.LastIndexByte(passed[:at], '\n') + 1 // of the line with the invalid byte
		u.line += bytes.Count(passed[:at], []byte("\n"))
		return input.NotUTF8(string(passed[start:]), at-start)
	}
	u.line += bytes.Count(passed, []byte("\n"))
	u.offset += int64(len(passed))
	u.passed += len(passed)
	return nil
}

// decodeError returns an error of the decoder, after which nothing can be read: a [*RowError] if the file is not JSON.
func (u *unreadText) decodeError(file string, err error) error {
	if _, ok := errors.AsType[*json.SyntaxError](err); !ok && err != io.ErrUnexpectedEOF {
		return fmt.Errorf("line %d: %w", u.line, err)
	}
	bad := input.JSONError(err)
	return &RowError{File: file, Line: u.line, Want: bad.Want, Got: bad.Got}
}
