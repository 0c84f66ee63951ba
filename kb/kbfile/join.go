package kbfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// JoinReport counts the concepts given to [Join].
type JoinReport struct {
	Joined int `json:"joined"` // concepts that the dictionary already had
	Added  int `json:"added"`  // concepts that it did not have
	Names  int `json:"names"`  // names that were added
}

// Join returns the dictionary d with the concepts of another. A concept of the other is merged with the concept of d
// that has its identifier, in any spelling (see [kb.Dictionary.Find]). Preferred names in d are kept; a concept without
// one takes the other's.
func Join(d, other *kb.Dictionary) (*kb.Dictionary, JoinReport) {
	var report JoinReport
	joined := new(kb.Builder).AddAll(d, nil).AddAll(other, func(c *kb.Concept) bool {
		if _, known := d.Find(c.ID); known {
			report.Joined++
		}
		rename(c, d)
		return true
	}).Dictionary()
	report.Added, report.Names = other.Len()-report.Joined, joined.CountNames()-d.CountNames()
	return joined, report
}

// rename replaces the identifiers of a concept and its parents by the ones that d uses for them, if any.
func rename(c *kb.Concept, d *kb.Dictionary) {
	renamed := func(id kb.ConceptID) kb.ConceptID {
		if at, known := d.Find(id); known {
			return d.ID(at)
		}
		return id
	}
	c.AltIDs = append([]kb.ConceptID{c.ID}, c.AltIDs...)
	c.ID, c.Parents = renamed(c.ID), slices.Clone(c.Parents)
	for i, parent := range c.Parents {
		c.Parents[i] = renamed(parent)
	}
}

// ParentsReport counts the edges given to [WithParents].
type ParentsReport struct {
	Edges int `json:"edges"`
	// both are in d; an edge that occurs with different ids counts several times
	Kept           int `json:"kept"`
	UnknownChild   int `json:"unknown_child"`   // the child is not in the dictionary
	UnknownParent  int `json:"unknown_parent"`  // the child is in the dictionary, the parent is not
	MissingParents int `json:"missing_parents"` // distinct parents counted in UnknownParent
}

// WithParents returns the dictionary with the edges added as parents; ids may be in any spelling (see
// [kb.Dictionary.Find]). Edges whose child or parent is not in the dictionary are dropped and counted in the report.
func WithParents(d *kb.Dictionary, edges []Edge) (*kb.Dictionary, ParentsReport) {
	report := ParentsReport{Edges: len(edges)}
	b := new(kb.Builder).AddAll(d, nil)
	missing := make(map[kb.ConceptID]bool)
	for _, edge := range edges {
		child, ok := d.Find(edge.Child)
		if !ok {
			report.UnknownChild++
			continue
		}
		parent, ok := d.Find(edge.Parent)
		if !ok {
			report.UnknownParent++
			missing[edge.Parent] = true
			continue
		}
		report.Kept++
		b.Add(&kb.Concept{ID: d.At(child).ID, Parents: []kb.ConceptID{d.At(parent).ID}})
	}
	report.MissingParents = len(missing)
	return b.Dictionary(), report
}

// WithTargets returns the dictionary without the non-standard concepts of OMOP. If such a concept maps to a single
// standard concept, that concept takes over its names and identifiers. moved counts these concepts, leftOut the others.
// If all concepts are non-standard, WithTargets returns d.
func WithTargets(d *kb.Dictionary, sources map[kb.ConceptID]bool, maps []Edge) (_ *kb.Dictionary, moved, leftOut int) {
	targets := make(map[kb.ConceptID]kb.ConceptID) // "" if there are several
	for _, edge := range maps {
		if at, known := d.Index(edge.Parent); sources[edge.Child] && known && !sources[d.ID(at)] {
			if _, several := targets[edge.Child]; several {
				targets[edge.Child] = ""
			} else {
				targets[edge.Child] = edge.Parent
			}
		}
	}
	targeted := new(kb.Builder).AddAll(d, func(c *kb.Concept) bool { return !sources[c.ID] })
	targeted.AddAll(d, func(c *kb.Concept) bool {
		target := targets[c.ID]
		if target != "" {
			moved++
			*c = kb.Concept{ID: target, Synonyms: c.Names(), AltIDs: append([]kb.ConceptID{c.ID}, c.AltIDs...)}
		} else if sources[c.ID] {
			leftOut++
		}
		return target != ""
	})
	if moved+leftOut == d.Len() {
		return d, 0, 0
	}
	return targeted.Dictionary(), moved, leftOut
}

// WithoutRetired returns the dictionary without concepts that another file retires, and the number of those concepts.
func WithoutRetired(d *kb.Dictionary, retired map[kb.ConceptID]bool) (*kb.Dictionary, int) {
	kept := new(kb.Builder).AddAll(d, func(c *kb.Concept) bool { return !retired[c.ID] }).Dictionary()
	if kept.Len() == d.Len() {
		return d, 0
	}
	return kept, d.Len() - kept.Len()
}

// ReadConceptMap reads a map from concepts to their identifiers from the file at path, a JSON object {"concept": [id,
// …], …}. It returns a [*RowError] if a value is not a list of identifiers.
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
		var ids []kb.ConceptID
		concept := kb.ConceptID(strings.TrimSpace(key))
		if err := decodeIDs(value, &ids); err != nil || concept == "" {
			return &RowError{File: path, Line: j.line(), Want: `"concept": ["id", …]`,
				Got: fmt.Sprintf("%q: %s", key, input.Quote(string(value)))}
		}
		concepts[concept] = append(concepts[concept], trimIDs(ids)...)
		return nil
	})
	return concepts, c.wrap(err)
}

// WithConceptMap returns the dictionary with its concepts merged according to a map from [ReadConceptMap]. Concepts
// whose IDs belong to one concept of the map are merged into it, and its identifiers become alternative IDs; parents
// are replaced accordingly. A concept of the map without a name in d has no name. Concepts of d outside the map are
// unchanged. An identifier of several concepts belongs to the first of them by ID.
func WithConceptMap(d *kb.Dictionary, concepts map[kb.ConceptID][]kb.ConceptID) *kb.Dictionary {
	var b kb.Builder
	for id, ids := range concepts {
		b.Add(&kb.Concept{ID: id, AltIDs: ids})
	}
	larger := b.Dictionary()
	return new(kb.Builder).AddAll(larger, nil).AddAll(d, func(c *kb.Concept) bool {
		rename(c, larger)
		return true
	}).Dictionary()
}
