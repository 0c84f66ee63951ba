package kbfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// jsonStream reads a JSON document piece by piece, so that large lists in it are not in
// memory at once. Each item of a list and each member of an object is a record for the
// limits.
type jsonStream struct {
	*json.Decoder
	c       *collector
	records *input.RecordReader // the source of the decoder
	depth   int                 // number of open objects and lists
}

func newJSONStream(r io.Reader, c *collector) *jsonStream {
	records := input.NewRecordReader(r, "an item of JSON", c.opts.Limits)
	return &jsonStream{Decoder: json.NewDecoder(transform.NewReader(records, encoding.UTF8Validator)), c: c,
		records: records}
}

// Decode decodes the value that is next into v, with the names of members compared exactly.
func (s *jsonStream) Decode(v any) error {
	var raw json.RawMessage
	if err := s.Decoder.Decode(&raw); err != nil {
		return err
	}
	if err := input.DecodeJSON(raw, v); err != nil {
		return input.JSONError(err)
	}
	return nil
}

// eachMember calls member for each key of the object that is next, with the value unread.
func (s *jsonStream) eachMember(member func(key string) error) error {
	return s.each('{', func() error {
		key, err := s.Token()
		if err != nil {
			return err
		}
		return member(key.(string))
	})
}

// eachItem calls item for each item of the list that is next, with the item unread.
func (s *jsonStream) eachItem(item func() error) error { return s.each('[', item) }

// each calls do for each element of the object or list that is next, which opens with the
// bracket.
func (s *jsonStream) each(bracket json.Delim, do func() error) error {
	token, err := s.Token()
	if err == nil && token != bracket {
		err = fmt.Errorf("byte %d: want %q, got %q", s.InputOffset(), bracket.String(), fmt.Sprint(token))
	}
	if err == nil {
		err = s.nest(1)
	}
	if err != nil {
		return err
	}
	for s.More() {
		if err := do(); err != nil {
			return err
		}
		if s.c.full != nil {
			return s.c.full
		}
		s.records.Begin(s.InputOffset())
	}
	if _, err = s.Token(); err != nil {
		return err
	}
	return s.nest(-1)
}

// nest counts brackets that open, or close if n is negative.
func (s *jsonStream) nest(n int) error {
	if s.depth += n; s.depth > maxDepth {
		return fmt.Errorf("byte %d: want lists and objects nested at most %d deep, got more", s.InputOffset(), maxDepth)
	}
	return nil
}

// skip reads the next value without keeping it.
func (s *jsonStream) skip() error {
	outside := s.depth
	for {
		token, err := s.Token()
		if err != nil {
			return err
		}
		s.records.Begin(s.InputOffset())
		switch token {
		case json.Delim('{'), json.Delim('['):
			err = s.nest(1)
		case json.Delim('}'), json.Delim(']'):
			err = s.nest(-1)
		}
		if err != nil || s.depth == outside {
			return err
		}
	}
}

// wrap words an error of the decoder for the author of the file.
func (s *jsonStream) wrap(err error) error {
	var syntax *json.SyntaxError
	var wrongType *json.UnmarshalTypeError
	var member *input.LineError
	switch {
	case isLimit(err):
		return fmt.Errorf("after byte %d: %w", s.InputOffset(), err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("byte %d: want JSON, got an unfinished value", s.InputOffset())
	case errors.Is(err, encoding.ErrInvalidUTF8):
		return fmt.Errorf("after byte %d: want UTF-8", s.InputOffset())
	case errors.As(err, &syntax), errors.As(err, &wrongType):
		return fmt.Errorf("byte %d: %w", s.InputOffset(), input.JSONError(err))
	case errors.As(err, &member):
		return fmt.Errorf("byte %d: %w", s.InputOffset(), member)
	}
	return err
}
