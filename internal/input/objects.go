package input

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// lenientJSON is for streams of JSON, in which errors inside one value, found by the caller, must not affect the next.
var lenientJSON = []jsontext.Options{jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)}

// NewJSONDecoder returns a decoder of the values in r that accepts invalid UTF-8 and duplicate members.
func NewJSONDecoder(r io.Reader) *jsontext.Decoder { return jsontext.NewDecoder(r, lenientJSON...) }

// Objects reads the objects of a JSON file one by one: those of a list, which may be inside an object, or consecutive
// objects.
type Objects struct {
	*jsontext.Decoder
	path    []string          // of the list; empty if it is not inside an object
	skipped func(name string) // called with the names of members beside it
	begins  bool              // the next token opens a list
}

// NewObjects returns a reader of the objects in r, given the bytes that can be peeked at. If path is the path of a
// [WrappedList], it reads the objects of that list, and calls skipped, which may be nil, with the name of each member
// beside the list and beside the objects that contain it.
func NewObjects(r io.Reader, head []byte, path []string, skipped func(name string)) *Objects {
	return &Objects{Decoder: NewJSONDecoder(r), path: path, skipped: skipped,
		begins: len(path) > 0 || jsontext.Value(head).Kind() == '['}
}

// Next returns the next value, which may not be an object. It returns io.EOF at the end; after any other error, reading
// cannot continue.
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
		for o.StackDepth() > 0 { // at the end of the objects that contain the list
			if err := o.skipTo(""); err != nil {
				return nil, unfinished(err)
			}
		}
	}
	value, err := o.ReadValue()
	return json.RawMessage(value.Clone()), unfinished(err)
}

// unfinished returns an error of reading, replaced by [io.ErrUnexpectedEOF] if JSON ends within a value.
func unfinished(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// skipTo skips the members of an object before the one with this name. Without a name, it skips all remaining members
// and the end of the object.
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

// WrappedList returns the path (the names of members) to the first list of objects inside the object at the start of
// head for which fits returns true. fits gets the name of the list, and head from the start of the list on. The path is
// empty if there is no such list.
func WrappedList(head []byte, fits func(name string, list []byte) bool) (path []string) {
	const maxWraps = 4 // maximum depth of the list in objects
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
// with head from the member's value on, until do returns false. It returns the rest of head after the object, or nil if
// it does not reach the end of the object.
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
