package input

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// DecodeJSON decodes JSON into v as [json.Unmarshal] does, with the names of members compared exactly, as RFC 8259,
// section 8.3, has it: encoding/json takes "TEXT" for a field called text. A member that an object has twice is an
// error, which encoding/json and other programs resolve in different ways. Values with an UnmarshalJSON of their own
// are left to it.
func DecodeJSON(data []byte, v any) error { return DecodeJSONMembers(data, v, nil) }

// DecodeJSONMembers is like [DecodeJSON] and calls unknown, unless it is nil, with the name of each member that has
// no field.
func DecodeJSONMembers(data []byte, v any, unknown func(name string)) error {
	s := memberScanner{cursor: jsonCursor{data: data}, unknown: unknown}
	if ok := s.value(formOf(reflect.TypeOf(v))); ok && s.err == nil && s.renamed != nil && json.Valid(data) {
		data = s.renamed
	}
	if s.err != nil && json.Valid(data) {
		return s.err
	}
	return json.Unmarshal(data, v)
}

// EachMember calls do with the name and the value of each member of an object in valid JSON; its error ends the walk.
// A member twice is an error, and so is JSON that is no object.
func EachMember(data []byte, do func(name string, value []byte) error) error {
	if !json.Valid(data) {
		return json.Unmarshal(data, new(json.RawMessage))
	}
	c := jsonCursor{data: data}
	if !c.accept('{') {
		return &LineError{Want: "an object", Got: Quote(string(data))}
	}
	var seen nameSet
	if c.accept('}') {
		return nil
	}
	for more := true; more; more = c.accept(',') {
		name, _, _ := c.name()
		if !seen.add(string(name)) {
			return twice(string(name))
		}
		c.space()
		start := c.at
		c.skip()
		if err := do(string(name), data[start:c.at]); err != nil {
			return err
		}
	}
	return nil
}

// twice returns the error for a member that an object has twice.
func twice(name string) error {
	return &LineError{Want: "each member of an object once", Got: "another " + Quote(name)}
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

// memberScanner compares the members of JSON with the fields of the type that it is decoded into.
type memberScanner struct {
	cursor  jsonCursor
	unknown func(name string)
	// the JSON without the names that encoding/json would take for those of fields; nil if there are none
	renamed []byte
	err     error // the first member that an object has twice
}

// value scans a value of a form. It returns false for malformed JSON.
func (s *memberScanner) value(form *jsonForm) bool {
	switch {
	case form.isList && s.cursor.accept('['):
		return s.list(form.elem)
	case form.isObject && s.cursor.accept('{'):
		return s.object(form)
	}
	return s.cursor.skip()
}

// list scans a list of values of a form, after its bracket.
func (s *memberScanner) list(form *jsonForm) bool {
	if s.cursor.accept(']') {
		return true
	}
	for more := true; more; more = s.cursor.accept(',') {
		if !s.value(form) {
			return false
		}
	}
	return s.cursor.accept(']')
}

// object scans an object after its brace.
func (s *memberScanner) object(form *jsonForm) bool {
	c := &s.cursor
	if c.accept('}') {
		return true
	}
	var seen nameSet
	var seenFields uint64
	for more := true; more; more = c.accept(',') {
		name, at, ok := c.name()
		if !ok {
			return false
		}
		field, known := form.fields[string(name)]
		isNew := seenFields&field.bit == 0
		seenFields |= field.bit
		if field.bit == 0 {
			isNew = seen.add(string(name))
		}
		if !isNew && s.err == nil {
			s.err = twice(string(name))
		}
		value := form.elem
		switch {
		case known:
			value = field.form
		case form.fields != nil:
			if form.folds(string(name)) {
				s.rename(at)
			}
			if s.unknown != nil {
				s.unknown(string(name))
			}
		}
		if !s.value(value) {
			return false
		}
	}
	return c.accept('}')
}

// rename replaces a name by one of the same length that no field has.
func (s *memberScanner) rename(at [2]int) {
	if s.renamed == nil {
		s.renamed = bytes.Clone(s.cursor.data)
	}
	for i := at[0]; i < at[1]; i++ {
		s.renamed[i] = '?'
	}
}

// jsonForm is what the JSON of a Go type is, as far as it has objects.
type jsonForm struct {
	isList   bool
	isObject bool
	elem     *jsonForm            // of the values of a list or a map, and of what a struct has no field for
	fields   map[string]jsonField // of a struct, by the names of their members; nil for a map
}

type jsonField struct {
	form *jsonForm
	bit  uint64 // of the field in a set of fields; 0 beyond 64 fields
}

// folds reports whether encoding/json would take name for that of a field.
func (f *jsonForm) folds(name string) bool {
	for known := range f.fields {
		if strings.EqualFold(known, name) {
			return true
		}
	}
	return false
}

// forms are the forms of types, as *jsonForm by reflect.Type.
var forms sync.Map

// formOf returns the form of a type.
func formOf(t reflect.Type) *jsonForm {
	known, ok := forms.Load(t)
	if !ok {
		known, _ = forms.LoadOrStore(t, newForm(t, make(map[reflect.Type]*jsonForm)))
	}
	return known.(*jsonForm)
}

var (
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// newForm returns the form of a type; made has those of the types that it is within, which may contain themselves.
func newForm(t reflect.Type, made map[reflect.Type]*jsonForm) *jsonForm {
	if form := made[t]; form != nil {
		return form
	}
	form := &jsonForm{}
	made[t] = form
	if p := reflect.PointerTo(t); p.Implements(jsonUnmarshaler) || p.Implements(textUnmarshaler) {
		return form
	}
	switch t.Kind() {
	case reflect.Pointer:
		return newForm(t.Elem(), made)
	case reflect.Slice, reflect.Array:
		form.isList, form.elem = true, newForm(t.Elem(), made)
	case reflect.Map:
		form.isObject, form.elem = true, newForm(t.Elem(), made)
	case reflect.Struct:
		form.isObject, form.elem = true, &jsonForm{}
		form.addFields(t, made)
	}
	return form
}

// addFields adds the fields of a struct that encoding/json sets: of two with one name, that in fewer structs.
func (f *jsonForm) addFields(t reflect.Type, made map[reflect.Type]*jsonForm) {
	f.fields = make(map[string]jsonField)
	depth := make(map[string]int)
	for _, field := range reflect.VisibleFields(t) {
		tag := field.Tag.Get("json")
		name, _, _ := strings.Cut(tag, ",")
		if tag == "-" || !field.IsExported() && !field.Anonymous || field.Anonymous && name == "" {
			continue
		}
		name = cmp.Or(name, field.Name)
		before, again := depth[name]
		if again && before <= len(field.Index) {
			continue
		}
		bit := uint64(1) << len(depth) // 0 from 64 on
		if again {
			bit = f.fields[name].bit
		}
		depth[name] = len(field.Index)
		f.fields[name] = jsonField{newForm(field.Type, made), bit}
	}
}

// nameSet is a set of the names of an object's members.
type nameSet struct {
	few  [8]string
	n    int
	many map[string]bool // nil while few holds them
}

// add adds a name and reports whether it is new.
func (s *nameSet) add(name string) bool {
	if s.many != nil {
		if s.many[name] {
			return false
		}
		s.many[name] = true
		return true
	}
	if slices.Contains(s.few[:s.n], name) {
		return false
	}
	if s.n < len(s.few) {
		s.few[s.n] = name
		s.n++
		return true
	}
	s.many = map[string]bool{name: true}
	for _, known := range s.few {
		s.many[known] = true
	}
	return true
}

// jsonCursor walks over JSON. In malformed JSON it may stop anywhere: the caller lets encoding/json find the error.
type jsonCursor struct {
	data []byte
	at   int
}

// space skips white space.
func (c *jsonCursor) space() {
	for c.at < len(c.data) && (c.data[c.at] == ' ' || c.data[c.at] == '\n' || c.data[c.at] == '\t' ||
		c.data[c.at] == '\r') {
		c.at++
	}
}

// accept skips white space and the character want, and reports whether it was next.
func (c *jsonCursor) accept(want byte) bool {
	c.space()
	if c.at == len(c.data) || c.data[c.at] != want {
		return false
	}
	c.at++
	return true
}

// name skips the name of a member and the colon, and returns the name, and its range in the JSON, without quotes.
func (c *jsonCursor) name() (name []byte, at [2]int, ok bool) {
	c.space()
	start := c.at
	escaped, ok := c.quoted()
	if !ok {
		return nil, at, false
	}
	at = [2]int{start + 1, c.at - 1}
	name = c.data[at[0]:at[1]]
	if escaped {
		var unescaped string
		if json.Unmarshal(c.data[start:c.at], &unescaped) != nil {
			return nil, at, false
		}
		name = []byte(unescaped)
	}
	return name, at, c.accept(':')
}

// quoted skips a string, and reports whether it has escapes.
func (c *jsonCursor) quoted() (escaped, ok bool) {
	if !c.accept('"') {
		return false, false
	}
	for end := -1; ; { // of the next quotation mark, searched for once
		if end < c.at {
			length := bytes.IndexByte(c.data[c.at:], '"')
			if length < 0 {
				return escaped, false
			}
			end = c.at + length
		}
		backslash := bytes.IndexByte(c.data[c.at:end], '\\')
		if backslash < 0 {
			c.at = end + 1
			return escaped, true
		}
		escaped = true
		if c.at += backslash + 2; c.at > len(c.data) {
			return escaped, false
		}
	}
}

// skip skips a value and returns false if it ends too early.
func (c *jsonCursor) skip() bool {
	c.space()
	for depth := 0; c.at < len(c.data); {
		switch c.data[c.at] {
		case '"':
			if _, ok := c.quoted(); !ok {
				return false
			}
		case '{', '[':
			depth++
			c.at++
		case '}', ']':
			if depth--; depth < 0 {
				return false
			}
			c.at++
		case ',', ':', ' ', '\n', '\t', '\r':
			c.at++
		default: // a number or a word
			for c.at < len(c.data) && !isJSONBreak[c.data[c.at]] {
				c.at++
			}
		}
		if depth == 0 {
			return true
		}
	}
	return false
}

// isJSONBreak marks the characters that end a number or a word.
var isJSONBreak = [256]bool{'"': true, '{': true, '[': true, '}': true, ']': true, ',': true, ':': true, ' ': true,
	'\n': true, '\t': true, '\r': true}
