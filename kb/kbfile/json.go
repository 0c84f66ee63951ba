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
			return c.badRow(line, bad.Want, bad.Got)
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
	text := &unreadText{line: 1}
	records := input.NewRecordReader(io.TeeReader(r, text), "a member of the object", c.opts.Limits)
	decoder := json.NewDecoder(records)
	// pass passes over the text read up to here, and begins the next member.
	pass := func() error {
		bad := text.pass(decoder.InputOffset())
		records.Begin(decoder.InputOffset())
		if bad != nil {
			return &RowError{File: c.file, Line: text.line, Want: bad.Want, Got: bad.Got}
		}
		return nil
	}
	failed := func(err error) error {
		if err := pass(); err != nil {
			return err
		}
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return text.decodeError(c.file, err)
	}
	open, err := decoder.Token()
	if err != nil {
		return failed(err)
	}
	if open != json.Delim('{') {
		if err := pass(); err != nil {
			return err
		}
		return &RowError{File: c.file, Line: text.line, Want: "an object", Got: fmt.Sprintf("%q", fmt.Sprint(open))}
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return failed(err)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return failed(err)
		}
		if err := pass(); err != nil {
			return err
		}
		c.rowBytes = int64(len(value)) // the strings in it are copies of about this length
		if err := member(key.(string), value, text.line); err != nil {
			return err
		}
		if c.full != nil {
			return fmt.Errorf("line %d: %w", text.line, c.full)
		}
	}
	if _, err := decoder.Token(); err != nil {
		return failed(err)
	}
	switch _, err := decoder.Token(); {
	case err == io.EOF:
		return nil
	case isLimit(err):
		return failed(err)
	}
	if err := pass(); err != nil {
		return err
	}
	return &RowError{File: c.file, Line: text.line, Want: "one object", Got: "more after it"}
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
