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

// ReadConceptMap reads a map from concepts to their identifiers, one JSON object
// {"concept": [id, …], …}. A value that is not a list of identifiers is a [*RowError].
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
			return &RowError{File: path, Line: line, Want: `"concept": ["id", …]`, Got: fmt.Sprintf("%q: %s", key, input.Quote(string(value)))}
		}
		concepts[concept] = append(concepts[concept], conceptIDs(ids)...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return concepts, nil
}

// WithConceptMap returns the dictionary with the concepts of a map that [ReadConceptMap]
// read. Concepts whose IDs belong to one concept of the map are merged into it, and all
// its identifiers become alternative IDs; parents are replaced accordingly. A concept of
// the map without a name in d has no name. A concept of d that is not in the map is
// unchanged. An identifier of several concepts belongs to the first of them by ID.
func WithConceptMap(d *ctxnorm.Dictionary, concepts map[ctxnorm.ConceptID][]ctxnorm.ConceptID) *ctxnorm.Dictionary {
	conceptOf := make(map[ctxnorm.ConceptID]ctxnorm.ConceptID)
	merged := make([]ctxnorm.Concept, 0, d.Len()+len(concepts))
	sorted := slices.Sorted(maps.Keys(concepts))
	for _, concept := range sorted {
		conceptOf[concept] = concept
	}
	for _, concept := range sorted {
		for _, id := range concepts[concept] {
			if _, taken := conceptOf[id]; !taken {
				conceptOf[id] = concept
			}
		}
		merged = append(merged, ctxnorm.Concept{ID: concept, AltIDs: concepts[concept]})
	}
	mapped := func(id ctxnorm.ConceptID) ctxnorm.ConceptID {
		if concept, ok := conceptOf[id]; ok {
			return concept
		}
		return id
	}
	for i := range d.Len() {
		c := *d.At(i)
		c.AltIDs = append(slices.Clone(c.AltIDs), c.ID)
		c.ID = mapped(c.ID)
		c.Parents = slices.Clone(c.Parents)
		for j, parent := range c.Parents {
			c.Parents[j] = mapped(parent)
		}
		merged = append(merged, c)
	}
	return ctxnorm.NewDictionary(merged)
}
