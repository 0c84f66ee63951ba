package kbfile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// Edge is an edge of a hierarchy: Parent is broader than Child.
type Edge struct {
	Child, Parent kb.ConceptID
}

// ErrNoParents reports a file without a hierarchy.
var ErrNoParents = errors.New("the file has no parents")

// ReadParents reads the edges of a hierarchy from the file at path: a table with a column of parents or MeSH tree
// numbers, or with two columns and no header (child, parent), the relationships of a known vocabulary, or any
// dictionary with parents. It ignores names. A cell may have several parents or tree numbers, separated by vertical
// bars; a row without a parent is a root. The edges are distinct and sorted by child, then parent. The first malformed
// row is returned as a [*RowError]. In targets, the parents are the OMOP concepts to which the children map.
func ReadParents(path string, limits files.Limits) (edges, targets []Edge, err error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	d, report, err := read(file.Reader, path, Options{Strict: true, Limits: limits, edgesOnly: true})
	if err != nil {
		return nil, nil, err
	}
	for _, concept := range d.All() {
		for _, parent := range concept.Parents {
			edges = append(edges, Edge{concept.ID, parent})
		}
		for _, target := range concept.Xrefs {
			if report.Vocabulary == "OMOP CONCEPT_RELATIONSHIP" {
				targets = append(targets, Edge{concept.ID, target})
			}
		}
	}
	if len(edges) == 0 {
		return nil, targets, fmt.Errorf("%s: %w", path, ErrNoParents)
	}
	return edges, targets, nil
}

// hierarchyColumns returns the columns to read for a hierarchy: ids, and parents or tree numbers.
func (t *tableFile) hierarchyColumns() (columns, error) {
	cols := t.vocabularyColumns()
	if !cols.has(roleParents) {
		if cols = rolesOf(t.firstCells()); cols.has(roleID) {
			t.takeHeader()
		} else if len(t.sample) > 0 && len(t.sample[0].Cells) == 2 {
			cols = columns{roleID, roleParents}
		}
	}
	wanted := roleParents
	if !cols.has(roleParents) {
		wanted = roleTreeNumbers
	}
	if !cols.has(roleID) || !cols.has(wanted) {
		return nil, errors.New("want a header with a column of ids and one of parents or tree numbers, or two columns: " +
			"child, parent")
	}
	for i, role := range cols {
		if role != roleID && role != wanted && (role != roleStatus || t.vocabulary == nil) {
			cols[i] = roleUnused
		}
	}
	return cols, nil
}

// treePosition is a MeSH tree number with its concept.
type treePosition struct {
	concept kb.ConceptID
	number  string
}

// edgesOfTree returns the edges between the concepts at these tree numbers.
func edgesOfTree(positions []treePosition) []Edge {
	conceptAt := make(map[string]kb.ConceptID, len(positions))
	for _, p := range positions {
		conceptAt[p.number] = p.concept
	}
	var edges []Edge
	for _, p := range positions {
		if dot := strings.LastIndexByte(p.number, '.'); dot >= 0 {
			if parent, ok := conceptAt[p.number[:dot]]; ok {
				edges = append(edges, Edge{p.concept, parent})
			}
		}
	}
	return edges
}
