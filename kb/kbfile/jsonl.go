package kbfile

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/klauspost/compress/gzip"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// synonymsJSON is a list of names. It may also be an object with several lists by their relation to the concept, as
// published by Open Targets: {"hasExactSynonym": ["name", …], "hasRelatedSynonym": null}.
type synonymsJSON []string

// UnmarshalJSON implements [json.Unmarshaler].
func (l *synonymsJSON) UnmarshalJSON(data []byte) error {
	if data[0] != '{' {
		if err := input.DecodeJSON(data, (*[]string)(l)); err != nil {
			bad := input.JSONError(err)
			return &input.LineError{Want: bad.Want + " in synonyms", Got: bad.Got}
		}
		return nil
	}
	return input.EachMember(data, func(name string, value []byte) error {
		var names []string
		if err := input.DecodeJSON(value, &names); err != nil {
			return &input.LineError{Want: "a list of strings in " + input.Quote(name), Got: input.Quote(string(value))}
		}
		*l = append(*l, names...)
		return nil
	})
}

// decodeIDs decodes JSON with identifiers that are strings or numbers, because OMIM identifiers are often numbers.
func decodeIDs(data []byte, v any) error { return input.DecodeJSON(data, v, idsOrNumbers) }

var idsOrNumbers = jsonv2.WithUnmarshalers(jsonv2.UnmarshalFunc(func(data []byte, id *kb.ConceptID) error {
	if jsontext.Value(data).Kind() != '0' {
		return input.DecodeJSON(data, (*string)(id))
	}
	*id = kb.ConceptID(data) // keeps the digits as written
	return nil
}))

// readJSONL reads lines with objects, as written by [Write], or rows with a name and the identifiers of its concepts.
func (c *collector) readJSONL(lines *input.Lines) error {
	rows := &nameRows{rowsOf: make(map[kb.ConceptID][]int)}
	err := c.eachLine(lines, func(text string, line int) error {
		if strings.HasPrefix(strings.TrimSpace(text), "[") {
			return c.readNameRow(rows, text, line)
		}
		return c.addObject(text, line)
	})
	rows.addTo(c)
	return err
}

// addObject adds the concept in an object.
func (c *collector) addObject(object string, line int) error {
	var read struct {
		kb.Concept
		Synonyms synonymsJSON   `json:"synonyms"`
		Other    jsontext.Value `json:",unknown"`
	}
	err := decodeIDs([]byte(object), &read)
	if err == nil && len(read.Other) > 0 {
		err = input.EachMember(read.Other, func(name string, _ []byte) error {
			c.noteMember(name)
			return nil
		})
	}
	if err != nil {
		return c.reject(line, input.JSONError(err))
	}
	concept := read.Concept
	concept.ID, concept.Synonyms = trimID(concept.ID), read.Synonyms
	concept.ShownName = strings.TrimSpace(concept.ShownName)
	for _, ids := range [][]kb.ConceptID{concept.AltIDs, concept.Xrefs, concept.Parents} {
		trimIDs(ids)
	}
	if concept.ID == "" {
		return c.badRow(line, `an object with an "id", or a row [name, [ids]]`, input.Quote(object))
	}
	return c.addChecked(line, concept)
}

const maxMembers = 20 // to report

// noteMember records an unused member of an object.
func (c *collector) noteMember(name string) {
	at, known := slices.BinarySearch(c.members, name)
	if !known && len(c.members) < maxMembers {
		c.members = slices.Insert(c.members, at, name)
	}
}

// readNameRow parses [name, [id, …]] or [name, id] and adds it to rows.
func (c *collector) readNameRow(rows *nameRows, text string, line int) error {
	const want = "[name, [ids]]"
	var row []jsontext.Value
	if err := input.DecodeJSON([]byte(text), &row); err != nil {
		return c.reject(line, input.JSONError(err))
	}
	var name string
	var ids []kb.ConceptID
	if len(row) != 2 || input.DecodeJSON(row[0], &name) != nil {
		return c.badRow(line, want, input.Quote(text))
	}
	if decodeIDs(row[1], &ids) != nil {
		ids = make([]kb.ConceptID, 1)
		if decodeIDs(row[1], &ids[0]) != nil {
			return c.badRow(line, want, input.Quote(text))
		}
	}
	hasNone := len(trimIDs(ids)) > 0 && isNone(ids[0])
	ids = slices.DeleteFunc(ids, func(id kb.ConceptID) bool { return id == "" || isNone(id) })
	switch bad := checkIDs(ids); {
	case bad != nil:
		return c.reject(line, bad)
	case len(ids) > 0:
		rows.add(name, ids)
	case hasNone:
		c.report.Counts[rowsWithoutID]++
	default:
		return c.badRow(line, "at least one id in "+want, input.Quote(text))
	}
	return nil
}

// nameRows collects rows of a name and its concepts. A name with several concepts is a name of each. Identifiers that
// occur in exactly the same rows are merged into one concept, with the first as its ID and the others as alternative
// IDs, because neither the file nor sentences with their names distinguish them. The published half of MEDIC lists its
// alternative IDs in this way (14,972 identifiers of 10,984 concepts).
type nameRows struct {
	names  []string
	rowsOf map[kb.ConceptID][]int // identifier -> its rows, as indexes of names
	order  []kb.ConceptID         // identifiers in the order of their first rows
}

func (n *nameRows) add(name string, ids []kb.ConceptID) {
	for _, id := range ids {
		if _, known := n.rowsOf[id]; !known {
			n.order = append(n.order, id)
		}
		n.rowsOf[id] = append(n.rowsOf[id], len(n.names))
	}
	n.names = append(n.names, name)
}

// addTo adds the concepts to c.
func (n *nameRows) addTo(c *collector) {
	sameRows := make(map[string][]kb.ConceptID) // encoded row indexes -> identifiers in exactly these rows
	var key []byte
	for _, id := range n.order {
		key = key[:0]
		for _, row := range n.rowsOf[id] {
			key = binary.AppendUvarint(key, uint64(row))
		}
		sameRows[string(key)] = append(sameRows[string(key)], id)
	}
	byFirst := func(a, b []kb.ConceptID) int { return cmp.Compare(a[0], b[0]) }
	for _, ids := range slices.SortedFunc(maps.Values(sameRows), byFirst) {
		var names []string
		for _, position := range n.rowsOf[ids[0]] {
			names = append(names, n.names[position])
		}
		c.add(kb.Concept{ID: ids[0], Synonyms: names, AltIDs: ids[1:]})
	}
}

// Write writes a dictionary as JSON lines, one concept per line in the order of IDs, compressed with gzip if path ends
// in .gz. It includes concepts without names. [Read] returns a dictionary with the same hash, unless a name has markup.
// The file is written atomically.
func Write(path string, d *kb.Dictionary) error {
	return artifact.Write(path, func(w io.Writer) error {
		if !strings.HasSuffix(path, ".gz") {
			return write(w, d)
		}
		compressed := gzip.NewWriter(w)
		return cmp.Or(write(compressed, d), compressed.Close())
	})
}

func write(w io.Writer, d *kb.Dictionary) error {
	buffered := bufio.NewWriter(w)
	encoder := json.NewEncoder(buffered)
	encoder.SetEscapeHTML(false)
	for _, c := range d.All() {
		if err := encoder.Encode(c); err != nil {
			return err
		}
	}
	return buffered.Flush()
}
