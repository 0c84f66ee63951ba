package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// object is a JSON object that keeps the order of its members and the form of their values,
// so that a record can be written as it was read but for what changed.
type object struct {
	members []member
}

// member is a member of an object. Its value is a [json.RawMessage], an *object, a list of
// them, or anything else that encoding/json writes.
type member struct {
	key   string
	value any
}

// parseObject parses a JSON object. The values stay raw, and are parts of raw.
func parseObject(raw []byte) (*object, error) {
	o := &object{}
	err := input.EachMember(raw, func(name string, value []byte) error {
		o.members = append(o.members, member{name, json.RawMessage(value)})
		return nil
	})
	return o, err
}

// value returns the value of a member, or nil.
func (o *object) value(key string) any {
	for _, m := range o.members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// raw returns the value of a member as it was parsed, or nil.
func (o *object) raw(key string) json.RawMessage {
	value, _ := o.value(key).(json.RawMessage)
	return value
}

// decode decodes a member into value. A member that is missing or null leaves it as it is. The error for a value of
// another type names the member.
func (o *object) decode(key string, value any) error {
	raw := o.raw(key)
	if raw == nil {
		return nil
	}
	err := input.DecodeJSON(raw, value)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field == "" {
		wrong.Field = key
	}
	return err
}

// objects parses a member that is a list of objects, and keeps them as its value.
func (o *object) objects(key string) ([]*object, error) {
	var raws []json.RawMessage
	if err := o.decode(key, &raws); err != nil || raws == nil {
		return nil, err
	}
	parsed := make([]*object, len(raws))
	for i, raw := range raws {
		var err error
		if parsed[i], err = parseObject(raw); err != nil {
			return nil, err
		}
	}
	o.set(key, parsed)
	return parsed, nil
}

// set replaces the value of a member, or appends a member.
func (o *object) set(key string, value any) {
	for i := range o.members {
		if o.members[i].key == key {
			o.members[i].value = value
			return
		}
	}
	o.members = append(o.members, member{key, value})
}

// remove removes the members with these keys.
func (o *object) remove(keys ...string) {
	o.members = slices.DeleteFunc(o.members, func(m member) bool { return slices.Contains(keys, m.key) })
}

// marshal returns value as JSON without spaces, with <, > and & as they are.
func marshal(value any) ([]byte, error) {
	var b bytes.Buffer
	if err := appendJSON(&b, value); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// appendJSON appends a value to b. Objects are written into b as they are walked: were they a
// [json.Marshaler], each would be scanned again at every level above it.
func appendJSON(b *bytes.Buffer, value any) error {
	switch v := value.(type) {
	case json.RawMessage:
		return json.Compact(b, v)
	case *object:
		b.WriteByte('{')
		for i, m := range v.members {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := appendJSON(b, m.key); err != nil {
				return err
			}
			b.WriteByte(':')
			if err := appendJSON(b, m.value); err != nil {
				return err
			}
		}
		b.WriteByte('}')
		return nil
	case []*object:
		return appendList(b, v)
	case []any:
		return appendList(b, v)
	}
	encoder := json.NewEncoder(b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	b.Truncate(b.Len() - len("\n"))
	return nil
}

func appendList[T any](b *bytes.Buffer, values []T) error {
	b.WriteByte('[')
	for i, value := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := appendJSON(b, value); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	return nil
}
