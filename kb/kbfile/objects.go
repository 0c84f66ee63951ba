package kbfile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// isObjectTable reports whether a JSON file is a table whose columns are the members of its objects: a list of objects,
// an object with a list of concepts, or objects with other members for ids and names than [Write] uses.
func isObjectTable(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	if list, isList := bytes.CutPrefix(head, []byte("[")); isList {
		return bytes.HasPrefix(bytes.TrimLeft(list, " \t\r\n"), []byte("{"))
	}
	if len(wrappedConcepts(head)) > 0 {
		return true
	}
	names := objectMembers(head)
	isOurs := slices.Contains(names, "name") || slices.Contains(names, "synonyms")
	otherID := slices.Contains(names, "_id") && !slices.Contains(names, "id") // MongoDB
	otherID = otherID || slices.Contains(names, "category")                   // KGX, whose members come from Biolink
	return (!isOurs || otherID) && (rolesOf(names).areNamed() || knownVocabulary(names, "") != nil)
}

// wrappedConcepts returns the path to the first list of concepts inside an object, or nil.
func wrappedConcepts(head []byte) []string {
	path := input.WrappedList(head, func(_ string, list []byte) bool {
		names := objectMembers(list[1:])
		return rolesOf(names).areNamed() || knownVocabulary(names, "") != nil
	})
	if len(path) > 1 && rolesOf(objectMembers(head)).areNamed() {
		return nil // a concept with details
	}
	return path
}

// objectMembers returns the names of those members that are not objects, in consecutive objects of a text that may be
// cut off.
func objectMembers(head []byte) (names []string) {
	for head != nil {
		head = input.HeadMembers(head, func(name string, from []byte) bool {
			value, err := input.NewJSONDecoder(bytes.NewBuffer(from)).ReadValue()
			if err != nil {
				return false
			}
			_, isScalar := scalar(json.RawMessage(value))
			if (isScalar || value[0] == '[') && !slices.Contains(names, name) && len(names) < maxMembers {
				names = append(names, name)
			}
			return true
		})
	}
	return names
}

// readObjects reads a table of objects: see [isObjectTable].
func (c *collector) readObjects(r *bufio.Reader) error {
	records := input.NewRecordReader(r, "an object", c.opts.Limits)
	head, _ := r.Peek(r.Size())
	objects := input.NewObjects(records, head, wrappedConcepts(head), c.noteMember)
	rows := &objectRows{jsonReader: &jsonReader{objects.Decoder, c, records}, objects: objects, lists: make(map[int]bool)}
	t := &tableFile{c: c, rows: rows}
	t.readSample()
	t.header, rows.fixed = slices.Clone(rows.members), true
	for i, name := range t.header {
		if lower := strings.ToLower(name); lower != name && slices.Contains(rows.members, lower) {
			t.header[i] = "" // a header would confuse it with another member such as "name"
			c.noteMember(name)
		}
	}
	for i := range t.sample { // the first rows lack the members of later ones
		cells := t.sample[i].Cells
		t.sample[i].Cells = append(cells, make([]string, len(t.header)-len(cells))...)
	}
	if t.err != nil && t.err != io.EOF && len(t.sample) == 0 {
		return t.err
	}
	return c.readRows(t)
}

// objectRows reads objects as rows. The columns are the members that occur in the sample.
type objectRows struct {
	*jsonReader
	objects *input.Objects
	members []string     // in the order of columns
	lists   map[int]bool // columns with a list in the sample
	fixed   bool         // no more columns are added
}

func (o *objectRows) Next() (row, error) {
	value, err := o.objects.Next()
	if err == io.EOF {
		return row{}, io.EOF
	}
	if err != nil {
		return row{}, o.wrap(err)
	}
	o.begin()
	return o.object(value)
}

// object returns the row of an object.
func (o *objectRows) object(value json.RawMessage) (row, error) {
	r := row{Line: o.line(), Cells: make([]string, len(o.members))}
	if at := input.InvalidUTF8(string(value)); at >= 0 {
		return r, input.NotUTF8(string(value), at)
	}
	if value[0] != '{' {
		return r, &input.LineError{Want: "an object", Got: input.Quote(string(value))}
	}
	err := input.EachMember(value, func(name string, value []byte) error {
		at := slices.Index(o.members, name)
		if at < 0 && (o.fixed || len(o.members) == maxMembers) {
			o.c.noteMember(name)
			return nil
		}
		if at < 0 {
			at = len(o.members)
			o.members, r.Cells = append(o.members, strings.Clone(name)), append(r.Cells, "")
		}
		cell, err := cellOf(name, value)
		o.lists[at] = o.lists[at] || value[0] == '[' && !o.fixed
		if r.Cells[at] = cell; err != nil {
			return err
		}
		return nil
	})
	if err != nil {
		return r, input.JSONError(err)
	}
	return r, nil
}

// cellOf returns the value of a member as a cell, joining the strings and numbers of a list by bars. It returns an
// error for a member with ids or names that are objects, or contain bars in a list.
func cellOf(name string, value json.RawMessage) (string, *input.LineError) {
	if cell, ok := scalar(value); ok {
		return cell, nil
	}
	var list []json.RawMessage
	isUsed := roleOf(name) != roleUnused
	if json.Unmarshal(value, &list) == nil {
		var cells []string
		for _, element := range list {
			cell, ok := scalar(element)
			if !isUsed && !ok {
				return string(value), nil // for a known vocabulary
			}
			if isUsed && (!ok || strings.Contains(cell, "|")) {
				return "", &input.LineError{Want: fmt.Sprintf("strings without bars in %q", name),
					Got: input.Quote(string(element))}
			}
			cells = append(cells, cell)
		}
		return strings.Join(cells, "|"), nil
	}
	if isUsed {
		return "", &input.LineError{Want: fmt.Sprintf("a string or a list of strings in %q", name),
			Got: input.Quote(string(value))}
	}
	return "", nil
}

// scalar returns a string, number or truth value as a cell; null becomes "". An object becomes its "value", as in the
// results of a SPARQL query.
func scalar(value json.RawMessage) (cell string, ok bool) {
	switch value[0] {
	case '[':
		return "", false
	case '{':
		var term struct {
			Value *string `json:"value"`
		}
		if input.DecodeJSON(value, &term) != nil || term.Value == nil {
			return "", false
		}
		return *term.Value, true
	case '"':
		return cell, json.Unmarshal(value, &cell) == nil
	case 'n':
		return "", true
	}
	return string(value), true
}
