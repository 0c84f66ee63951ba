package dictionary

import (
	"slices"

	"ctxnorm"
)

// ParentsReport counts the edges that were offered to [WithParents].
type ParentsReport struct {
	Edges          int `json:"edges"`
	Kept           int `json:"kept"`            // both ends are concepts of the dictionary, the same two perhaps by other ids
	UnknownChild   int `json:"unknown_child"`   // the child is not
	UnknownParent  int `json:"unknown_parent"`  // the child is, the parent is not
	MissingParents int `json:"missing_parents"` // distinct parents among those
}

// WithParents is the dictionary with more parents. Identifiers match an ID or an
// alternative ID, exactly or, where only one of the two has a namespace, without
// it: "MESH:D003924" and "D003924". Only edges between concepts of the
// dictionary are kept; nothing is added to it for a parent that it does not
// hold, but the report counts those.
func WithParents(d *ctxnorm.Dictionary, edges []Edge) (*ctxnorm.Dictionary, ParentsReport) {
	find := newFinder(d)
	report := ParentsReport{Edges: len(edges)}
	added := make([]ctxnorm.Concept, d.Len())
	for i := range added {
		added[i] = *d.At(i)
		added[i].Parents = slices.Clone(added[i].Parents)
	}
	missing := make(map[ctxnorm.ConceptID]bool)
	for _, edge := range edges {
		child, ok := find.index(edge.Child)
		if !ok {
			report.UnknownChild++
			continue
		}
		parent, ok := find.index(edge.Parent)
		if !ok {
			report.UnknownParent++
			missing[edge.Parent] = true
			continue
		}
		report.Kept++
		added[child].Parents = append(added[child].Parents, d.At(parent).ID)
	}
	report.MissingParents = len(missing)
	return ctxnorm.NewDictionary(added), report
}

// finder finds concepts by identifier, with or without its namespace.
type finder struct {
	d     *ctxnorm.Dictionary
	local map[string]int // identifier without the namespace it has -> concept, -1 for several
}

func newFinder(d *ctxnorm.Dictionary) finder {
	f := finder{d: d, local: make(map[string]int)}
	for i := range d.Len() {
		c := d.At(i)
		for _, id := range append([]ctxnorm.ConceptID{c.ID}, c.AltIDs...) {
			if id.Namespace() == "" {
				continue
			}
			if other, known := f.local[id.Local()]; known && other != i {
				f.local[id.Local()] = -1
			} else {
				f.local[id.Local()] = i
			}
		}
	}
	return f
}

func (f finder) index(id ctxnorm.ConceptID) (int, bool) {
	if i, ok := f.d.Index(id); ok {
		return i, true
	}
	if id.Namespace() != "" {
		return f.d.Index(ctxnorm.ConceptID(id.Local()))
	}
	i, ok := f.local[string(id)]
	return i, ok && i >= 0
}
