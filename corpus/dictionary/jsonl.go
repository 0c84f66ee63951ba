package dictionary

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"ctxnorm"
	"ctxnorm/corpus/internal/input"
)

// conceptJSON is a concept as [Write] stores it, one object a line.
type conceptJSON struct {
	ID       jsonID   `json:"id"`
	Name     string   `json:"name,omitempty"`
	Synonyms []string `json:"synonyms,omitempty"`
	AltIDs   []jsonID `json:"alt_ids,omitempty"`
	Parents  []jsonID `json:"parents,omitempty"`
}

// jsonID is an identifier: a string, or a number as OMIM's are often written.
type jsonID string

func (id *jsonID) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, (*string)(id))
	}
	var number json.Number // takes the text of a number as it stands
	if json.Unmarshal(data, &number) == nil {
		*id = jsonID(number)
		return nil
	}
	return json.Unmarshal(data, (*string)(id)) // for its error
}

func conceptIDs(ids []jsonID) []ctxnorm.ConceptID {
	if len(ids) == 0 {
		return nil
	}
	converted := make([]ctxnorm.ConceptID, len(ids))
	for i, id := range ids {
		converted[i] = ctxnorm.ConceptID(strings.TrimSpace(string(id)))
	}
	return converted
}

// readJSONL reads lines that are objects, as [Write] makes them, or rows of a
// name and the identifiers of its concepts.
func (c *collector) readJSONL(lines *input.Lines) error {
	owners := newOwners()
	err := c.eachLine(lines, func(text string, line int) error {
		if strings.HasPrefix(strings.TrimSpace(text), "[") {
			return c.readNameRow(owners, text, line)
		}
		var concept conceptJSON
		if err := json.Unmarshal([]byte(text), &concept); err != nil {
			bad := input.JSONError(err)
			return c.bad(line, bad.Want, bad.Got)
		}
		ids := conceptIDs([]jsonID{concept.ID})
		if ids[0] == "" {
			return c.bad(line, `an object with an "id", or a row [name, [ids]]`, quote(text))
		}
		c.add(ctxnorm.Concept{
			ID:       ids[0],
			Name:     concept.Name,
			Synonyms: concept.Synonyms,
			AltIDs:   conceptIDs(concept.AltIDs),
			Parents:  conceptIDs(concept.Parents),
		})
		return nil
	})
	owners.addTo(c)
	return err
}

// readNameRow reads [name, [id, …]] or [name, id].
func (c *collector) readNameRow(owners *owners, text string, line int) error {
	name, ids, ok := plainRow(text)
	if !ok {
		var err error
		if name, ids, err = jsonRow(text); err == errNameRow {
			return c.bad(line, nameRow, quote(text))
		} else if err != nil {
			bad := input.JSONError(err)
			return c.bad(line, bad.Want, bad.Got)
		}
	}
	concepts := slices.DeleteFunc(conceptIDs(ids), func(id ctxnorm.ConceptID) bool { return id == "" || isNone(id) })
	if len(concepts) == 0 {
		if len(ids) > 0 && isNone(ids[0]) {
			c.report.NoID++
			return nil
		}
		return c.bad(line, "at least one id in "+nameRow, quote(text))
	}
	owners.add(name, concepts)
	return nil
}

const nameRow = "[name, [ids]]"

var errNameRow = errors.New("want " + nameRow)

// jsonRow reads a row whatever way it is written. The error is errNameRow for
// JSON that is none.
func jsonRow(text string) (name string, ids []jsonID, err error) {
	var row []json.RawMessage
	if err := json.Unmarshal([]byte(text), &row); err != nil {
		return "", nil, err
	}
	if len(row) != 2 || json.Unmarshal(row[0], &name) != nil {
		return "", nil, errNameRow
	}
	var one jsonID
	if json.Unmarshal(row[1], &one) == nil {
		return name, []jsonID{one}, nil
	}
	if json.Unmarshal(row[1], &ids) != nil {
		return "", nil, errNameRow
	}
	return name, ids, nil
}

// owners gathers rows of names and their concepts. A name of several concepts
// belongs to each. Identifiers that stand in exactly the same rows are one
// concept, the first being its ID and the others alternative ones: nothing in
// the file tells them apart, and the sentences in which their names stand would
// not either. The published half of MEDIC writes its alternative ids in this way
// (14,972 identifiers of 10,984 concepts).
type owners struct {
	names []string
	of    map[ctxnorm.ConceptID][]int // identifier -> its rows, as positions in names
	order []ctxnorm.ConceptID         // identifiers as they first came
}

func newOwners() *owners { return &owners{of: make(map[ctxnorm.ConceptID][]int)} }

func (o *owners) add(name string, ids []ctxnorm.ConceptID) {
	for _, id := range ids {
		if _, known := o.of[id]; !known {
			o.order = append(o.order, id)
		}
		o.of[id] = append(o.of[id], len(o.names))
	}
	o.names = append(o.names, name)
}

// addTo hands the concepts over.
func (o *owners) addTo(c *collector) {
	same := make(map[string][]ctxnorm.ConceptID) // rows, as bytes -> the identifiers in them
	var key []byte
	for _, id := range o.order {
		key = key[:0]
		for _, row := range o.of[id] {
			key = binary.AppendUvarint(key, uint64(row))
		}
		same[string(key)] = append(same[string(key)], id)
	}
	groups := make([][]ctxnorm.ConceptID, 0, len(same))
	for _, ids := range same {
		groups = append(groups, ids)
	}
	slices.SortFunc(groups, func(a, b []ctxnorm.ConceptID) int { return cmp.Compare(a[0], b[0]) })
	for _, ids := range groups {
		var names []string
		for _, position := range o.of[ids[0]] {
			names = append(names, o.names[position])
		}
		c.addNames(ids[0], names, ids[1:]...)
	}
}
