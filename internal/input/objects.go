package input

import (
	"bytes"
	"encoding/json"
	"io"
)

// Objects reads the objects of a JSON file one by one: those of a list, also of a list within one object, or those that
// stand one after the other.
type Objects struct {
	decoder *json.Decoder
	path    []string          // to the list; empty if there is none
	skipped func(name string) // is called with the other members beside it
	begins  bool              // with a bracket
	open    []json.Delim      // that are to be closed
}

// NewObjects returns a reader of the objects in r, of which head is what can be seen already. With the path of a
// [WrappedList] the objects are those of the list; skipped, which may be nil, is called with the name of each member
// beside it and beside the objects that it is in.
func NewObjects(r io.Reader, head []byte, path []string, skipped func(name string)) *Objects {
	o := &Objects{decoder: json.NewDecoder(r), path: path, skipped: skipped}
	o.begins = bytes.HasPrefix(bytes.TrimLeft(head, jsonSpace), []byte("["))
	return o
}

// jsonSpace is the white space of JSON (RFC 8259, section 2).
const jsonSpace = " \t\r\n"

// Offset returns the number of bytes read, up to the end of the last value.
func (o *Objects) Offset() int64 { return o.decoder.InputOffset() }

// Next returns the next value, which may be no object. The error at the end is io.EOF; after any other error nothing
// can be read.
func (o *Objects) Next() (json.RawMessage, error) {
	if err := o.enter(); err != nil {
		return nil, err
	}
	for len(o.open) > 0 && !o.decoder.More() {
		if _, err := o.decoder.Token(); err != nil {
			return nil, unfinished(err)
		}
		o.open = o.open[:len(o.open)-1]
		if len(o.open) > 0 { // in the object with the list
			if err := o.skipTo(""); err != nil {
				return nil, err
			}
		}
	}
	var value json.RawMessage
	err := o.decoder.Decode(&value)
	if len(o.open) > 0 {
		err = unfinished(err)
	}
	return value, err
}

// enter goes to the first object of a list, if there is one and it is not there yet.
func (o *Objects) enter() error {
	path := o.path
	if !o.begins && len(path) == 0 {
		return nil
	}
	o.begins, o.path = false, nil
	for _, member := range path {
		if _, err := o.decoder.Token(); err != nil {
			return unfinished(err)
		}
		o.open = append(o.open, '{')
		if err := o.skipTo(member); err != nil {
			return err
		}
	}
	o.open = append(o.open, '[')
	_, err := o.decoder.Token()
	return unfinished(err)
}

// skipTo passes over the members before the one with this name, or over all that are left if there is none.
func (o *Objects) skipTo(name string) error {
	for o.decoder.More() {
		key, err := o.decoder.Token()
		if err != nil || key == name {
			return unfinished(err)
		}
		if other, ok := key.(string); ok && o.skipped != nil {
			o.skipped(other)
		}
		var value json.RawMessage
		if err := o.decoder.Decode(&value); err != nil {
			return unfinished(err)
		}
	}
	return nil
}

// unfinished returns the error for JSON that ends within a value.
func unfinished(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// maxWraps is how deep in objects a [WrappedList] may be.
const maxWraps = 4

// WrappedList returns the path, a name of a member for each object, to the first list of objects within the object that
// head begins with that fits: it is called with the name of the list and with the list, as far as it is in head. The
// path is empty if there is none.
func WrappedList(head []byte, fits func(name string, list []byte) bool) (path []string) {
	return wrappedList(head, fits, maxWraps)
}

func wrappedList(head []byte, fits func(name string, list []byte) bool, depth int) (path []string) {
	decoder := json.NewDecoder(bytes.NewReader(head))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return nil
	}
	for decoder.More() {
		token, err := decoder.Token()
		name, ok := token.(string)
		if err != nil || !ok {
			return nil
		}
		value := bytes.TrimLeft(head[decoder.InputOffset():], jsonSpace+":")
		elements, isList := bytes.CutPrefix(value, []byte("["))
		switch {
		case isList && bytes.HasPrefix(bytes.TrimLeft(elements, jsonSpace), []byte("{")):
			if fits(name, value) {
				return []string{name}
			}
		case depth > 1 && bytes.HasPrefix(value, []byte("{")):
			if path := wrappedList(value, fits, depth-1); path != nil {
				return append([]string{name}, path...)
			}
		}
		var skipped json.RawMessage
		if decoder.Decode(&skipped) != nil {
			return nil
		}
	}
	return nil
}
