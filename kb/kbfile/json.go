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

// jsonReader reads a JSON document piece by piece, so that large lists are never in memory as a whole. Each item of a
// list and each member of an object counts as a record for the limits.
type jsonReader struct {
	*jsontext.Decoder
	c       *collector
	records *input.RecordReader // the source of the decoder
}

func newJSONReader(r io.Reader, c *collector) *jsonReader {
	records := input.NewRecordReader(r, "an item of JSON", c.opts.Limits)
	return &jsonReader{jsontext.NewDecoder(records, jsontext.AllowDuplicateNames(true)), c, records}
}

// begin begins the next record.
func (j *jsonReader) begin() { j.c.charge(int(j.records.Begin(j.InputOffset()))) }

// line returns the line that the decoder has reached.
func (j *jsonReader) line() int {
	return j.records.Newlines - bytes.Count(j.UnreadBuffer(), []byte("\n")) + 1
}

// decode decodes the next value into v, comparing the names of members exactly.
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

// eachMember calls member for each key of the next object. member must read or skip the value.
func (j *jsonReader) eachMember(member func(key string) error) error {
	return j.each('{', '}', func() error {
		key, err := j.ReadToken()
		if err != nil {
			return err
		}
		return member(key.String())
	})
}

// eachItem calls item for each item of the next list. item must read or skip the item.
func (j *jsonReader) eachItem(item func() error) error { return j.each('[', ']', item) }

// each calls do for each element of the next object or list.
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
		j.begin()
	}
	_, err = j.ReadToken()
	return err
}

// skip reads and discards the next value.
func (j *jsonReader) skip() error {
	for depth := j.StackDepth(); ; {
		if _, err := j.ReadToken(); err != nil {
			return err
		}
		if j.begin(); j.StackDepth() <= depth {
			return nil
		}
	}
}

// wrap turns an error that ends reading into a message for the author of the file.
func (j *jsonReader) wrap(err error) error {
	if _, isRow := errors.AsType[*RowError](err); err == nil || isRow {
		return err
	}
	line, unread, at := j.line(), j.UnreadBuffer(), 0
	syntax, isSyntax := errors.AsType[*jsontext.SyntacticError](err)
	if isSyntax {
		at = int(min(int64(len(unread)), syntax.ByteOffset-j.InputOffset()))
		line += bytes.Count(unread[:at], []byte("\n"))
	}
	bad, isMember := errors.AsType[*input.LineError](err)
	switch {
	case isLimit(err):
		return fmt.Errorf("line %d: %w", line, err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		bad = &input.LineError{Want: "JSON", Got: "an unfinished value"}
	case isSyntax && at < len(unread) && unread[at] >= utf8.RuneSelf:
		bad = &input.LineError{Want: "UTF-8", Got: fmt.Sprintf("byte 0x%02x (is the file Latin-1 or Shift-JIS?)", unread[at])}
	case isSyntax:
		bad = &input.LineError{Want: "JSON", Got: syntax.Err.Error()}
	case !isMember:
		return err
	}
	return j.c.rowError(line, bad)
}

func isLimit(err error) bool {
	_, ok := errors.AsType[*files.LimitError](err)
	return ok
}

// eachValue calls do for each key and value of the object that makes up a file.
func (j *jsonReader) eachValue(do func(key string, value []byte) error) error {
	err := j.eachMember(func(key string) error {
		value, err := j.ReadValue()
		if err != nil {
			return err
		}
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

// readJSON reads one object, {"id": [name, …], …}. A value that is not a list of strings is a malformed row; a syntax
// error ends the file.
func (c *collector) readJSON(r io.Reader) error {
	var swapped, other string // the first member with a name and ids, and the first other member
	j := newJSONReader(r, c)
	err := j.eachValue(func(key string, value []byte) error {
		c.report.Rows++
		var names []string
		id := kb.ConceptID(strings.TrimSpace(key))
		if err := json.Unmarshal(value, &names); err != nil || id == "" {
			return c.badRow(j.line(), `"id": ["name", …]`, fmt.Sprintf("%q: %s", key, input.Quote(string(value))))
		}
		switch {
		case isIDLike(key) || slices.ContainsFunc(names, func(name string) bool { return !isIDLike(name) }):
			other = key
		case swapped == "" && strings.Contains(key, " ") && len(names) > 0:
			swapped = fmt.Sprintf("%q: %s", key, input.Quote(string(value)))
		}
		return c.addChecked(j.line(), kb.Concept{ID: id, Synonyms: names})
	})
	if err == nil && swapped != "" && other == "" {
		return fmt.Errorf(`want ids with their names, "id": ["name", …], got names with their ids, such as %s`, swapped)
	}
	return err
}
