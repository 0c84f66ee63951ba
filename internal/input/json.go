package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// DecodeJSON decodes JSON into v. It compares the names of members exactly (RFC 8259, section 8.3) and refuses objects
// with duplicate members. Callers must check for invalid UTF-8 before.
func DecodeJSON(data []byte, v any, opts ...jsonv2.Options) error {
	err := jsonv2.Unmarshal(data, v, append(opts, jsontext.AllowInvalidUTF8(true))...)
	if errors.Is(err, jsontext.ErrDuplicateName) { // the JSON is well-formed
		return JSONError(err)
	}
	return err
}

// EachMember calls do with the name and value of each member of a JSON object; an error from do stops it. The values
// alias data. Duplicate members are an error, except within values, which are not checked.
func EachMember(data []byte, do func(name string, value []byte) error) error {
	d := jsontext.NewDecoder(bytes.NewBuffer(data), lenientJSON...)
	seen := make(map[string]bool)
	if kind := d.PeekKind(); kind != '{' && kind > 0 {
		return &LineError{Want: "an object", Got: Quote(string(data))}
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		key := name.String()
		if seen[key] {
			return &LineError{Want: "each member of an object once", Got: "another " + Quote(key)}
		}
		seen[key] = true
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		end := d.InputOffset()
		if err := do(key, data[end-int64(len(value)):end:end]); err != nil {
			return err
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return &LineError{Want: "one object", Got: "more after it"}
	}
	return nil
}

// JSONError converts an error of decoding JSON, which refers to Go types, to one for the author of the file: the
// required type of JSON value, the field, and the value found there.
func JSONError(err error) *LineError {
	if err == nil {
		return nil
	}
	if line, ok := errors.AsType[*LineError](err); ok {
		return line
	}
	if wrong, ok := errors.AsType[*jsonv2.SemanticError](err); ok {
		if wrong.Err == jsonv2.ErrUnknownName {
			return &LineError{Want: "only members that the format has", Got: Quote(wrong.JSONPointer.LastToken())}
		}
		if within := JSONError(wrong.Err); wrong.Err != nil && within.Want != "JSON" { // from a method that decodes
			return within
		}
		got := jsonKinds[wrong.JSONKind]
		if wrong.JSONKind == '0' { // such as 1.5 for an integer
			got = strings.TrimSpace(got + " " + string(wrong.JSONValue))
		}
		return wrongType(wrong.GoType, fieldOf(wrong.JSONPointer), got)
	}
	if bad, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		switch bad.Err {
		case jsontext.ErrDuplicateName:
			return &LineError{Want: "each member of an object once", Got: "another " + Quote(bad.JSONPointer.LastToken())}
		case io.ErrUnexpectedEOF:
			return &LineError{Want: "JSON", Got: "an unfinished value"}
		}
		return &LineError{Want: "JSON", Got: fmt.Sprintf("%v (byte %d)", bad.Err, bad.ByteOffset)}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return &LineError{Want: "JSON", Got: "an unfinished value"}
	}
	return &LineError{Want: "JSON", Got: err.Error()}
}

// InMember adds the name of a member to err, which comes from decoding the member's value.
func InMember(name string, err error) error {
	if wrong, ok := errors.AsType[*jsonv2.SemanticError](err); ok {
		wrong.JSONPointer = jsontext.Pointer("").AppendToken(name) + wrong.JSONPointer
	}
	return err
}

// wrongType returns the error for a value that does not have type t.
func wrongType(t reflect.Type, field, got string) *LineError {
	want := "another type"
	if t != nil && kindNames[t.Kind()] != "" {
		want = kindNames[t.Kind()]
	}
	if field != "" {
		want += " in " + field
	}
	return &LineError{Want: want, Got: got}
}

// fieldOf returns the names of members in a pointer, joined by dots, as in "mentions.start".
func fieldOf(pointer jsontext.Pointer) string {
	var names []string
	for token := range pointer.Tokens() {
		if _, err := strconv.Atoi(token); err != nil { // an index in a list
			names = append(names, token)
		}
	}
	return strings.Join(names, ".")
}

// jsonKinds are the kinds of JSON values.
var jsonKinds = map[jsontext.Kind]string{
	'n': "null", 't': "bool", 'f': "bool", '"': "string", '0': "number", '{': "object", '[': "array",
}

// kindNames maps the kinds of Go values to the names of JSON types.
var kindNames = map[reflect.Kind]string{
	reflect.String: "a string",
	reflect.Int:    "a whole number",
	reflect.Slice:  "a list",
	reflect.Struct: "an object",
	reflect.Map:    "an object",
	reflect.Bool:   "true or false",
}

// LookAlike returns the known member name for which an unknown one was probably meant, or "": the names differ in case,
// or by one letter that is missing, added, replaced or swapped with the next. Names of at most three letters may differ
// only in case.
func LookAlike(unknown string, known []string) string {
	for _, name := range known {
		if strings.EqualFold(name, unknown) || len(name) > 3 && oneEdit(strings.ToLower(unknown), name) {
			return name
		}
	}
	return ""
}

// oneEdit reports whether one edit turns a into b: a byte inserted, deleted, replaced, or swapped with the next.
func oneEdit(a, b string) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}
