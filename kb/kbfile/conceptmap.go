package kbfile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// ReadConceptMap reads a map from concepts to their identifiers from the file at path,
// one JSON object {"concept": [id, …], …}. A value that is not a list of identifiers is a
// [*RowError].
func ReadConceptMap(path string, limits files.Limits) (map[kb.ConceptID][]kb.ConceptID, error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	concepts := make(map[kb.ConceptID][]kb.ConceptID)
	c := newCollector(path, Options{Limits: limits})
	j := newJSONReader(file, c)
	err = j.eachValue(func(key string, value []byte) error {
		var ids []jsonID
		concept := kb.ConceptID(strings.TrimSpace(key))
		if err := json.Unmarshal(value, &ids); err != nil || concept == "" {
			return &RowError{File: path, Line: j.line(), Want: `"concept": ["id", …]`,
				Got: fmt.Sprintf("%q: %s", key, input.Quote(string(value)))}
		}
		concepts[concept] = append(concepts[concept], conceptIDs(ids)...)
		return nil
	})
	err = c.wrap(err)
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
func WithConceptMap(d *kb.Dictionary, concepts map[kb.ConceptID][]kb.ConceptID) *kb.Dictionary {
	conceptOf := make(map[kb.ConceptID]kb.ConceptID)
	var b kb.Builder
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
		b.Add(&kb.Concept{ID: concept, AltIDs: concepts[concept]})
	}
	mapped := func(id kb.ConceptID) kb.ConceptID {
		if concept, ok := conceptOf[id]; ok {
			return concept
		}
		return id
	}
	return b.AddAll(d, func(c *kb.Concept) bool {
		c.AltIDs = append(slices.Clone(c.AltIDs), c.ID)
		c.ID = mapped(c.ID)
		c.Parents = slices.Clone(c.Parents)
		for i, parent := range c.Parents {
			c.Parents[i] = mapped(parent)
		}
		return true
	}).Dictionary()
}
