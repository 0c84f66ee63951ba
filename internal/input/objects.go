package input

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// lenientJSON are for streams of JSON: what is wrong with one value, whose callers look at it, is no error of the next.
var lenientJSON = []jsontext.Options{jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)}

// NewJSONDecoder returns a decoder of the values in r, in which it takes bytes that are not UTF-8 and members that are
// there twice.
func NewJSONDecoder(r io.Reader) *jsontext.Decoder { return jsontext.NewDecoder(r, lenientJSON...) }

// Objects reads the objects of a JSON file one by one: those of a list, also of a list within one object, or those that
// stand one after the other.
type Objects struct {
	*jsontext.Decoder
	path    []string          // to the list; empty if there is none
	skipped func(name string) // is called with the other members beside it
	begins  bool              // with a bracket
}

// NewObjects returns a reader of the objects in r, of which head is what can be seen already. With the path of a
// [WrappedList] the objects are those of the list; skipped, which may be nil, is called with the name of each member
// beside it and beside the objects that it is in.
func NewObjects(r io.Reader, head []byte, path []string, skipped func(name string)) *Objects {
	return &Objects{Decoder: NewJSONDecoder(r), path: path, skipped: skipped,
		begins: len(path) > 0 || jsontext.Value(head).Kind() == '['}
}

// Next returns the next value, which may be no object. The error at the end is io.EOF; after any other error nothing
// can be read.
func (o *Objects) Next() (json.RawMessage, error) {
	if o.begins {
		o.begins = false
		for _, member := range o.path {
			if err := o.skipTo(member); err != nil {
				return nil, unfinished(err)
			}
		}
		if _, err := o.ReadToken(); err != nil {
			return nil, err
		}
	}
	for o.StackDepth() > 0 && o.PeekKind() == ']' {
		if _, err := o.ReadToken(); err != nil {
			return nil, err
		}
		for o.StackDepth() > 0 { // in the objects with the list
			if err := o.skipTo(""); err != nil {
				return nil, unfinished(err)
			}
		}
	}
	value, err := o.ReadValue()
	return json.RawMessage(value.Clone()), unfinished(err)
}

// unfinished returns an error of reading, [io.ErrUnexpectedEOF] itself for JSON that ends within a value.
func unfinished(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// skipTo reads the start of an object and the members before the one with this name, or without a name all that are
// left of it, and its end.
func (o *Objects) skipTo(name string) error {
	for {
		token, err := o.ReadToken()
		if err != nil || token.Kind() == '"' && token.String() == name || token.Kind() == '}' {
			return err
		}
		if token.Kind() != '"' {
			continue
		}
		if o.skipped != nil {
			o.skipped(token.String())
		}
		if err := o.SkipValue(); err != nil {
			return err
		}
	}
}

// WrappedList returns the path, a name of a member for each object, to the first list of objects within the object that
// head begins with that fits: it is called with the name of the list and with the list, as far as it is in head. The
// path is empty if there is none.
func WrappedList(head []byte, fits func(name string, list []byte) bool) (path []string) {
	const maxWraps = 4 // how deep in objects a [WrappedList] may be
	return wrappedList(head, fits, maxWraps)
}

func wrappedList(head []byte, fits func(name string, list []byte) bool, depth int) (path []string) {
	HeadMembers(head, func(name string, value []byte) bool {
		elements, isList := bytes.CutPrefix(value, []byte("["))
		switch {
		case isList && jsontext.Value(elements).Kind() == '{':
			if fits(name, value) {
				path = []string{name}
			}
		case depth > 1 && bytes.HasPrefix(value, []byte("{")):
			if inner := wrappedList(value, fits, depth-1); inner != nil {
				path = append([]string{name}, inner...)
			}
		}
		return path == nil
	})
	return path
}

// HeadMembers reads the object at the start of head, which may be cut off. It calls do with the name of each member and
// with all of head from the member's value on, until do returns false. It returns what follows the object, or nil if it
// does not get there.
func HeadMembers(head []byte, do func(name string, value []byte) bool) (rest []byte) {
	d := NewJSONDecoder(bytes.NewReader(head))
	if token, err := d.ReadToken(); err != nil || token.Kind() != '{' {
		return nil
	}
	for {
		token, err := d.ReadToken()
		if err == nil && token.Kind() == '}' {
			return head[d.InputOffset():]
		}
		if err != nil {
			return nil
		}
		name := token.String()
		value := bytes.TrimLeft(head[d.InputOffset():], ": \t\r\n")
		if !do(name, value) || d.SkipValue() != nil {
			return nil
		}
	}
}
