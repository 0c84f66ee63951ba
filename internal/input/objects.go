package input

import (
	"bytes"
	"encoding/json"
	"io"
)

// Objects reads the objects of a JSON file one by one: those of a list, also of a list that is a member of one object,
// or those that stand one after the other.
type Objects struct {
	decoder *json.Decoder
	member  string            // with the list; empty if there is none
	skipped func(name string) // is called with the other members beside it
	begins  bool              // with a bracket
	open    []json.Delim      // that are to be closed
}

// NewObjects returns a reader of the objects in r, of which head is what can be seen already. With unwrap the objects
// are those of the [WrappedList], if there is one; skipped, which may be nil, is called with the name of each member
// beside it.
func NewObjects(r io.Reader, head []byte, unwrap bool, skipped func(name string)) *Objects {
	o := &Objects{decoder: json.NewDecoder(r), skipped: skipped}
	o.begins = bytes.HasPrefix(bytes.TrimLeft(head, jsonSpace), []byte("["))
	if unwrap {
		o.member, _ = WrappedList(head)
	}
	return o
}

// jsonSpace is the white space of JSON (RFC 8259, section 2).
const jsonSpace = " \t\r\n"

// Offset returns the number of bytes read, up to the end of the last value.
func (o *Objects) Offset() int64 { return o.decoder.InputOffset() }

// Next returns the next value, which may be no object. The error at the end is io.EOF; after any other error nothing
// can be read.
func (o *Objects) Next() (json.RawMessage, error) {
	switch {
	case o.begins:
		o.begins, o.open = false, append(o.open, '[')
		if _, err := o.decoder.Token(); err != nil {
			return nil, unfinished(err)
		}
	case o.member != "":
		member := o.member
		o.member, o.open = "", append(o.open, '{')
		if _, err := o.decoder.Token(); err != nil {
			return nil, unfinished(err)
		}
		if err := o.skipTo(member); err != nil {
			return nil, err
		}
		o.open = append(o.open, '[')
		if _, err := o.decoder.Token(); err != nil {
			return nil, unfinished(err)
		}
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

// WrappedList returns the name of the first member that is a list of objects, of the object that head begins with, and
// the list, as far as it is in head. The name is empty if there is none.
func WrappedList(head []byte) (name string, list []byte) {
	decoder := json.NewDecoder(bytes.NewReader(head))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return "", nil
	}
	for decoder.More() {
		token, err := decoder.Token()
		key, ok := token.(string)
		if err != nil || !ok {
			return "", nil
		}
		list := bytes.TrimLeft(head[decoder.InputOffset():], jsonSpace+":")
		if elements, ok := bytes.CutPrefix(list, []byte("[")); ok &&
			bytes.HasPrefix(bytes.TrimLeft(elements, jsonSpace), []byte("{")) {
			return key, list
		}
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			return "", nil
		}
	}
	return "", nil
}
