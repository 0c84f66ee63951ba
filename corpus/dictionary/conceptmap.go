package dictionary

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ctxnorm"
	"ctxnorm/corpus/internal/input"
)

// ReadConceptMap reads which identifiers belong to which concept from one JSON
// object, {"concept": [id, …], …}. A value of another kind is a *[RowError].
func ReadConceptMap(path string) (map[ctxnorm.ConceptID][]ctxnorm.ConceptID, error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	concepts := make(map[ctxnorm.ConceptID][]ctxnorm.ConceptID)
	err = eachMember(file, path, func(key string, value json.RawMessage, line int) error {
		var ids []jsonID
		concept := ctxnorm.ConceptID(strings.TrimSpace(key))
		if err := json.Unmarshal(value, &ids); err != nil || concept == "" {
			return &RowError{File: path, Line: line, Want: `"concept": ["id", …]`, Got: fmt.Sprintf("%q: %s", key, quote(string(value)))}
		}
		concepts[concept] = append(concepts[concept], conceptIDs(ids)...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return concepts, nil
}

// WithConceptMap is the dictionary on the concepts of a map as [ReadConceptMap]
// reads it. Concepts whose ID stands under one concept of the map are joined
// into that one, with all its identifiers as alternative ones, and parents
// follow. Concepts of the map that the dictionary does not name are there
// without a name; concepts of the dictionary that the map does not hold stay as
// they are. An identifier under several concepts belongs to the first by ID.
func WithConceptMap(d *ctxnorm.Dictionary, concepts map[ctxnorm.ConceptID][]ctxnorm.ConceptID) *ctxnorm.Dictionary {
	owner := make(map[ctxnorm.ConceptID]ctxnorm.ConceptID)
	joined := make([]ctxnorm.Concept, 0, d.Len()+len(concepts))
	sorted := slices.Sorted(maps.Keys(concepts))
	for _, concept := range sorted {
		owner[concept] = concept
	}
	for _, concept := range sorted {
		for _, id := range concepts[concept] {
			if _, taken := owner[id]; !taken {
				owner[id] = concept
			}
		}
		joined = append(joined, ctxnorm.Concept{ID: concept, AltIDs: concepts[concept]})
	}
	move := func(id ctxnorm.ConceptID) ctxnorm.ConceptID {
		if to, ok := owner[id]; ok {
			return to
		}
		return id
	}
	for i := range d.Len() {
		c := *d.At(i)
		c.AltIDs = append(slices.Clone(c.AltIDs), c.ID)
		c.ID = move(c.ID)
		c.Parents = slices.Clone(c.Parents)
		for j, parent := range c.Parents {
			c.Parents[j] = move(parent)
		}
		joined = append(joined, c)
	}
	return ctxnorm.NewDictionary(joined)
}
