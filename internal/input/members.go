package input

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// lenient takes bytes that are not UTF-8, which callers look for before, and members that are there twice, which
// walkMembers refuses where v has their names.
var lenient = jsonv2.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// DecodeJSON decodes JSON into v as [json.Unmarshal] does, but compares the names of members exactly (RFC 8259, section
// 8.3) and refuses an object that has a member twice. What v keeps raw is not looked at.
func DecodeJSON(data []byte, v any) error { return DecodeJSONMembers(data, v, func(string) {}) }

// DecodeJSONMembers is [DecodeJSON], and calls unknown with the name of each member that has no field.
func DecodeJSONMembers(data []byte, v any, unknown func(name string)) error {
	if err := jsonv2.Unmarshal(data, v, lenient); err != nil {
		// in the words of encoding/json, and with the errors of UnmarshalJSON
		return cmp.Or(json.Unmarshal(data, reflect.New(reflect.TypeOf(v).Elem()).Interface()), err)
	}
	return walkMembers(data, reflect.TypeOf(v), unknown)
}

// walkMembers refuses members that are there twice, and calls unknown with the names of those that a value of type t has
// no field for, at any depth.
func walkMembers(data []byte, t reflect.Type, unknown func(name string)) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil
	}
	switch kind := jsontext.Value(data).Kind(); {
	case kind == '[' && t.Kind() == reflect.Slice:
		var items []jsontext.Value
		if err := jsonv2.Unmarshal(data, &items, lenient); err != nil {
			return err
		}
		for _, item := range items {
			if err := walkMembers(item, t.Elem(), unknown); err != nil {
				return err
			}
		}
	case kind == '{' && t.Kind() == reflect.Map:
		return eachMember(data, func(_ string, value []byte) error { return walkMembers(value, t.Elem(), unknown) })
	case kind == '{' && t.Kind() == reflect.Struct:
		return eachMember(data, func(name string, value []byte) error {
			field, known := fieldsOf(t)[name]
			if !known {
				unknown(name)
				return nil
			}
			return walkMembers(value, field, unknown)
		})
	}
	return nil
}

var fields sync.Map // of structs, as map[string]reflect.Type by reflect.Type

// fieldsOf returns the types of the fields of a struct by the names of their members.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	if known, ok := fields.Load(t); ok {
		return known.(map[string]reflect.Type)
	}
	found := make(map[string]reflect.Type)
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "-" && field.IsExported() && !(field.Anonymous && name == "") && found[cmp.Or(name, field.Name)] == nil {
			found[cmp.Or(name, field.Name)] = field.Type
		}
	}
	fields.Store(t, found)
	return found
}

// EachMember calls do with the name and the value of each member of an object in JSON; its error ends the walk. A member
// twice is an error, and so is JSON that is no object.
func EachMember(data []byte, do func(name string, value []byte) error) error {
	if !json.Valid(data) {
		return json.Unmarshal(data, new(json.RawMessage))
	}
	if jsontext.Value(data).Kind() != '{' {
		return &LineError{Want: "an object", Got: Quote(string(data))}
	}
	return eachMember(data, do)
}

// eachMember is [EachMember] for an object in valid JSON.
func eachMember(data []byte, do func(name string, value []byte) error) error {
	d := jsontext.NewDecoder(bytes.NewBuffer(data), lenient)
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	var names []string
	for d.PeekKind() != '}' {
		token, err := d.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		if slices.Contains(names, name) {
			return &LineError{Want: "each member of an object once", Got: "another " + Quote(name)}
		}
		names = append(names, name)
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		end := d.InputOffset()
		if err := do(name, data[end-int64(len(value)):end:end]); err != nil {
			return err
		}
	}
	return nil
}

// LookAlike returns the one of the names of known members that an unknown one was meant for, as its spelling suggests:
// it differs by case, or by one letter that is missing, added, another or swapped with the next. It returns "" if
// there is none. Names of three letters and less differ by case alone.
func LookAlike(unknown string, known []string) string {
	for _, name := range known {
		if strings.EqualFold(name, unknown) || len(name) > 3 && oneEdit(strings.ToLower(unknown), name) {
			return name
		}
	}
	return ""
}

// oneEdit reports whether one edit makes b of a: a byte inserted, deleted, replaced, or swapped with the next.
func oneEdit(a, b string) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}
