package kbfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// jsonReader reads a JSON document piece by piece, so that large lists in it are not in
// memory at once. Each item of a list and each member of an object is a record for the
// limits.
type jsonReader struct {
	*jsontext.Decoder
	c       *collector
	records *input.RecordReader // the source of the decoder
	text    unreadText
}

func newJSONReader(r io.Reader, c *collector) *jsonReader {
	j := &jsonReader{c: c, text: unreadText{line: 1}}
	j.records = input.NewRecordReader(io.TeeReader(r, &j.text), "an item of JSON", c.opts.Limits)
	j.Decoder = jsontext.NewDecoder(j.records, jsontext.AllowDuplicateNames(true))
	return j
}

// decode decodes the value that is next into v, with the names of members compared exactly.
func (j *jsonReader) decode(v any) error {
	value, err := j.ReadValue()
	if err != nil {
		return err
	}
	if err := input.DecodeJSON(value, v); err != nil {
		return input.JSONError(err)
	}
	return nil
}

// eachMember calls member for each key of the object that is next, with the value unread.
func (j *jsonReader) eachMember(member func(key string) error) error {
	return j.each('{', '}', func() error {
		key, err := j.ReadToken()
		if err != nil {
			return err
		}
		return member(key.String())
	})
}

// eachItem calls item for each item of the list that is next, with the item unread.
func (j *jsonReader) eachItem(item func() error) error { return j.each('[', ']', item) }

// each calls do for each element of the object or list that is next.
func (j *jsonReader) each(open, end jsontext.Kind, do func() error) error {
	token, err := j.ReadToken()
	if err != nil {
		return err
	}
	if token.Kind() != open {
		want := map[jsontext.Kind]string{'{': "an object", '[': "a list"}[open]
		return &input.LineError{Want: want, Got: input.Quote(token.String())}
	}
	for j.PeekKind() != end {
		if err := do(); err != nil {
			return err
		}
		if j.c.full != nil {
			return j.c.full
		}
		j.pass()
	}
	_, err = j.ReadToken()
	return err
}

// pass begins the next record.
func (j *jsonReader) pass() {
	j.text.pass(j.InputOffset())
	j.records.Begin(j.InputOffset())
}

// skip reads the next value without keeping it.
func (j *jsonReader) skip() error {
	for depth := j.StackDepth(); ; {
		if _, err := j.ReadToken(); err != nil {
			return err
		}
		if j.records.Begin(j.InputOffset()); j.StackDepth() <= depth {
			return nil
		}
	}
}

// wrap words an error for the author of the file.
func (j *jsonReader) wrap(err error) error {
	if _, isRow := errors.AsType[*RowError](err); err == nil || isRow {
		return err
	}
	return j.text.wrap(j.c.file, j.InputOffset(), err)
}

// unreadText is the text that a decoder has read ahead, in which lines are counted.
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

// pass passes over the text before an offset.
func (u *unreadText) pass(offset int64) {
	passed := u.text[u.passed:][:min(offset-u.offset, int64(len(u.text)-u.passed))]
	u.line += bytes.Count(passed, []byte("\n"))
	u.offset += int64(len(passed))
	u.passed += len(passed)
}

// wrap words an error of a decoder, after which nothing can be read, for the author of the file.
func (u *unreadText) wrap(file string, offset int64, err error) error {
	syntax, isSyntax := errors.AsType[*jsontext.SyntacticError](err)
	if isSyntax {
		offset = syntax.ByteOffset
	}
	u.pass(offset)
	bad := &input.LineError{Want: "JSON", Got: "an unfinished value"}
	switch {
	case isLimit(err):
		return fmt.Errorf("line %d: %w", u.line, err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
	case isSyntax && u.passed < len(u.text) && u.text[u.passed] >= utf8.RuneSelf:
		line := u.text[bytes.LastIndexByte(u.text[:u.passed], '\n')+1:]
		bad = input.NotUTF8(string(line), len(line)-len(u.text)+u.passed)
	case isSyntax:
		bad.Got = syntax.Err.Error()
	default:
		member, isMember := errors.AsType[*input.LineError](err)
		if bad = member; !isMember {
			return err
		}
	}
	return &RowError{File: file, Line: u.line, Want: bad.Want, Got: bad.Got}
}

func isLimit(err error) bool {
	_, ok := errors.AsType[*files.LimitError](err)
	return ok
}

// eachValue calls do for each key and value of the object that is all of a file.
func (j *jsonReader) eachValue(do func(key string, value []byte) error) error {
	err := j.eachMember(func(key string) error {
		value, err := j.ReadValue()
		if err != nil {
			return err
		}
		j.text.pass(j.InputOffset())
		return do(key, value)
	})
	if err == nil {
		if _, err = j.ReadToken(); err == io.EOF {
			return nil
		}
		if !isLimit(err) {
			err = &input.LineError{Want: "one object", Got: "more after it"}
		}
	}
	return j.wrap(err)
}

// readJSON reads one object, {"id": [name, …], …}. A value that is not a list of strings
// is a malformed row; a syntax error ends the file.
func (c *collector) readJSON(r io.Reader) error {
	var swapped, other string // the first members of a name and ids, and of anything else
	j := newJSONReader(r, c)
	err := j.eachValue(func(key string, value []byte) error {
		c.report.Rows++
		var names []string
		id := kb.ConceptID(strings.TrimSpace(key))
		if err := json.Unmarshal(value, &names); err != nil || id == "" {
			return c.badRow(j.text.line, `"id": ["name", …]`, fmt.Sprintf("%q: %s", key, input.Quote(string(value))))
		}
		switch {
		case isIDLike(key) || slices.ContainsFunc(names, func(name string) bool { return !isIDLike(name) }):
			other = key
		case swapped == "" && strings.Contains(key, " ") && len(names) > 0:
			swapped = fmt.Sprintf("%q: %s", key, input.Quote(string(value)))
		}
		return c.addChecked(j.text.line, kb.Concept{ID: id, Synonyms: names})
	})
	if err == nil && swapped != "" && other == "" {
		return fmt.Errorf(`want ids with their names, "id": ["name", …], got names with their ids, such as %s`, swapped)
	}
	return err
}
