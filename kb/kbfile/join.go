package kbfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// JoinReport counts the concepts given to [Join].
type JoinReport struct {
	Joined int `json:"joined"` // concepts that the dictionary had
	Added  int `json:"added"`  // concepts that it had not
	Names  int `json:"names"`  // names that were added
}

// Join returns the dictionary d with the concepts of another. A concept of the other
// belongs to the concept of d with its identifier, as [WithParents] matches identifiers:
// also an alternative one, and also without the namespace. The preferred name of d is
// kept; a concept that had none takes that of the other.
func Join(d, other *kb.Dictionary) (*kb.Dictionary, JoinReport) {
	var report JoinReport
	matcher := newIDMatcher(d)
	b := new(kb.Builder).AddAll(d, nil).AddAll(other, func(c *kb.Concept) bool {
		own := c.ID
		if at, known := matcher.index(own); known {
			c.ID = d.At(at).ID
			report.Joined++
		} else {
			report.Added++
		}
		c.AltIDs = append([]kb.ConceptID{own}, c.AltIDs...)
		c.Parents = slices.Clone(c.Parents)
		for i, parent := range c.Parents {
			if at, known := matcher.index(parent); known {
				c.Parents[i] = d.At(at).ID
			}
		}
		return true
	})
	joined := b.Dictionary()
	report.Names = joined.CountNames() - d.CountNames()
	return joined, report
}

// ParentsReport counts the edges given to [WithParents].
type ParentsReport struct {
	Edges int `json:"edges"`
	// child and parent are in the dictionary; different ids of one pair count each
	Kept           int `json:"kept"`
	UnknownChild   int `json:"unknown_child"`   // the child is not in the dictionary
	UnknownParent  int `json:"unknown_parent"`  // the child is in the dictionary, the parent is not
	MissingParents int `json:"missing_parents"` // distinct parents counted in UnknownParent
}

// WithParents returns the dictionary with the edges added as parents. An identifier
// matches the ID or an alternative ID of a concept, exactly or, if only one of the two has
// a namespace, without it: "MESH:D003924" and "D003924". Edges whose child or parent is
// not in the dictionary are dropped and counted in the report.
func WithParents(d *kb.Dictionary, edges []Edge) (*kb.Dictionary, ParentsReport) {
	matcher := newIDMatcher(d)
	report := ParentsReport{Edges: len(edges)}
	b := new(kb.Builder).AddAll(d, nil)
	missing := make(map[kb.ConceptID]bool)
	for _, edge := range edges {
		child, ok := matcher.index(edge.Child)
		if !ok {
			report.UnknownChild++
			continue
		}
		parent, ok := matcher.index(edge.Parent)
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

// idMatcher finds concepts by identifier, with or without its namespace.
type idMatcher struct {
	d     *kb.Dictionary
	local map[string]int // local part of an identifier with a namespace -> concept index, -1 if ambiguous
}

func newIDMatcher(d *kb.Dictionary) idMatcher {
	m := idMatcher{d: d, local: make(map[string]int)}
	for i, c := range d.All() {
		for _, id := range append([]kb.ConceptID{c.ID}, c.AltIDs...) {
			if id.Namespace() == "" {
				continue
			}
			if other, known := m.local[id.Local()]; known && other != i {
				m.local[id.Local()] = -1
			} else {
				m.local[id.Local()] = i
			}
		}
	}
	return m
}

// index returns the index of the concept with this identifier, and reports whether there
// is exactly one.
func (m idMatcher) index(id kb.ConceptID) (int, bool) {
	if i, ok := m.d.Index(id); ok {
		return i, true
	}
	if id.Namespace() != "" {
		return m.d.Index(kb.ConceptID(id.Local()))
	}
	i, ok := m.local[string(id)]
	return i, ok && i >= 0
}

// WithoutRetired returns the dictionary without the concepts that another file retires, and their
// number.
func WithoutRetired(d *kb.Dictionary, retired map[kb.ConceptID]bool) (*kb.Dictionary, int) {
	dropped := 0
	for _, c := range d.All() {
		if retired[c.ID] {
			dropped++
		}
	}
	if dropped == 0 {
		return d, 0
	}
	return new(kb.Builder).AddAll(d, func(c *kb.Concept) bool { return !retired[c.ID] }).Dictionary(), dropped
}

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
		var ids []kb.ConceptID
		concept := kb.ConceptID(strings.TrimSpace(key))
		if err := decodeIDs(value, &ids); err != nil || concept == "" {
			return &RowError{File: path, Line: j.line(), Want: `"concept": ["id", …]`,
				Got: fmt.Sprintf("%q: %s", key, input.Quote(string(value)))}
		}
		concepts[concept] = append(concepts[concept], trimIDs(ids)...)
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
