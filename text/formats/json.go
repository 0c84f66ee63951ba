package formats

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// object is a JSON object that keeps the order of its members and the notation of their values. A record can then be
// written as it was read, except for the changes.
type object struct {
	members []member
}

// member is a member of an object. Its value is a [jsontext.Value], an *object, a list of objects, or anything else
// that can be written as JSON.
type member struct {
	key   string
	value any
}

// parseObject parses a JSON object. The values stay unparsed and alias raw.
func parseObject(raw []byte) (*object, error) {
	o := &object{}
	err := input.EachMember(raw, func(name string, value []byte) error {
		o.members = append(o.members, member{name, jsontext.Value(value)})
		return nil
	})
	return o, err
}

// newObject returns an object with these alternating keys and values.
func newObject(members ...any) *object {
	o := &object{}
	for i := 0; i < len(members); i += 2 {
		o.set(members[i].(string), members[i+1])
	}
	return o
}

// value returns the value of a member, or nil.
func (o *object) value(key string) any {
	if i := o.index(key); i >= 0 {
		return o.members[i].value
	}
	return nil
}

func (o *object) index(key string) int {
	return slices.IndexFunc(o.members, func(m member) bool { return m.key == key })
}

// raw returns the unparsed value of a member, or nil.
func (o *object) raw(key string) jsontext.Value {
	value, _ := o.value(key).(jsontext.Value)
	return value
}

// has reports whether a member exists and is not null.
func (o *object) has(key string) bool {
	raw, isRaw := o.value(key).(jsontext.Value)
	return isRaw && raw.Kind() != 'n' || !isRaw && o.index(key) >= 0
}

// decode decodes a member into value, which stays unchanged if the member is missing or null. The error for a value of
// another type names the member.
func (o *object) decode(key string, value any) error {
	if raw := o.raw(key); o.has(key) {
		return input.InMember(key, input.DecodeJSON(raw, value))
	}
	return nil
}

// list returns the values of a member that is a list, without checking them.
func (o *object) list(key string) (values []jsontext.Value, err error) {
	if raw := o.raw(key); o.has(key) {
		err = input.InMember(key, input.DecodeJSON(raw, &values, jsontext.AllowDuplicateNames(true)))
	}
	return values, err
}

// objects parses a member that is a list of objects, and stores them as its value.
func (o *object) objects(key string) ([]*object, error) {
	raws, err := o.list(key)
	if err != nil || raws == nil {
		return nil, err
	}
	parsed := make([]*object, len(raws))
	for i, raw := range raws {
		if parsed[i], err = parseObject(raw); err != nil {
			return nil, err
		}
	}
	o.set(key, parsed)
	return parsed, nil
}

// set replaces the value of a member, or appends a member.
func (o *object) set(key string, value any) {
	if i := o.index(key); i >= 0 {
		o.members[i].value = value
		return
	}
	o.members = append(o.members, member{key, value})
}

// remove removes the members with these keys.
func (o *object) remove(keys ...string) {
	o.members = slices.DeleteFunc(o.members, func(m member) bool { return slices.Contains(keys, m.key) })
}

// MarshalJSONTo implements [json.MarshalerTo].
func (o *object) MarshalJSONTo(e *jsontext.Encoder) error {
	if err := e.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, m := range o.members {
		if err := e.WriteToken(jsontext.String(m.key)); err != nil {
			return err
		}
		if err := json.MarshalEncode(e, m.value); err != nil {
			return err
		}
	}
	return e.WriteToken(jsontext.EndObject)
}

// marshal returns value as compact JSON. It does not escape <, > and &, and writes strings as they were read.
func marshal(value any) ([]byte, error) {
	return json.Marshal(value, jsontext.PreserveRawStrings(true), jsontext.AllowDuplicateNames(true),
		jsontext.EscapeForJS(true), jsontext.AllowInvalidUTF8(true))
}

// jsonStream decodes the JSON of a file that does not have one document per line.
type jsonStream struct {
	*jsontext.Decoder
	*file
	records *input.RecordReader // the source of the decoder
}

// line returns the line on which value, the last one read, begins. For nil it returns the line where reading stopped.
func (s *jsonStream) line(value jsontext.Value) int {
	return s.records.Newlines - bytes.Count(s.UnreadBuffer(), []byte("\n")) - bytes.Count(value, []byte("\n")) + 1
}

// end handles an error of the decoder: it ends the file at io.EOF, and at malformed JSON, which it reports.
func (s *jsonStream) end(err error) error {
	line := s.line(nil)
	bad, malformed := errors.AsType[*jsontext.SyntacticError](err)
	if unread := s.UnreadBuffer(); malformed {
		line += bytes.Count(unread[:min(int64(len(unread)), bad.ByteOffset-s.InputOffset())], []byte("\n"))
	}
	switch {
	case err == io.EOF:
		return io.EOF
	case malformed && errors.Unwrap(bad.Err) != nil: // the decoder wraps errors of reading
		return fmt.Errorf("line %d: %w", line, errors.Unwrap(bad.Err))
	case malformed || err == io.ErrUnexpectedEOF:
		s.fail(line, input.JSONError(err).Error())
		return io.EOF
	}
	return fmt.Errorf("line %d: %w", line, err)
}

// readJSONValues reads the objects of [JSONL] if they are not on a line each: objects in a list, also one that is a
// member of an object, or objects on several lines.
func readJSONValues(f *file, r *bufio.Reader) (parser, error) {
	f.Format = JSONL
	head, _ := r.Peek(r.Buffered())
	records := input.NewRecordReader(r, aDocument, f.Limits)
	objects := input.NewObjects(records, head, wrappedDocuments(head), nil)
	p, stream := jsonlParser{file: f, warned: make(map[string]bool)}, jsonStream{objects.Decoder, f, records}
	return func() error {
		records.Begin(objects.InputOffset())
		raw, err := objects.Next()
		if err != nil {
			return stream.end(err)
		}
		p.number++
		f.at = stream.line(jsontext.Value(raw))
		reason := ""
		if at := input.InvalidUTF8(string(raw)); at >= 0 {
			reason = input.NotUTF8(string(raw), at).Error()
		} else if raw[0] != '{' {
			reason = fmt.Sprintf(`want an object with a "text", got %s`, input.Quote(string(raw)))
		} else {
			reason = p.document(string(raw))
		}
		if reason != "" {
			f.failLine(reason)
		}
		return nil
	}, nil
}

// startsList reports whether the first non-space byte of r opens a list.
func startsList(r *bufio.Reader) bool {
	for n := 1; ; n++ {
		head, err := r.Peek(n)
		if rest := bytes.TrimLeft(head[min(n-1, len(head)):], " \t\r\n"); err != nil || len(rest) > 0 {
			return bytes.HasPrefix(rest, []byte("["))
		}
	}
}
