package kbfile

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// Edge is an edge of a hierarchy: Parent is broader than Child.
type Edge struct {
	Child, Parent kb.ConceptID
}

// openWithHead opens a file, and returns the beginning that tells its format.
func openWithHead(path string) (*input.File, []byte, error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, nil, err
	}
	head, err := file.Peek(file.Size())
	if err != nil && err != io.EOF {
		file.Close()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return file, head, nil
}

// ReadParents reads the edges of a hierarchy from the file at path. It ignores names. The
// file is one of
//
//   - a table with a header that names a column of identifiers and a column of
//     parents (MESH_ID, PARENT_MESH_ID) or of MeSH tree numbers, where
//     C18.452.394 is the parent of C18.452.394.750
//   - a table of two columns without a header: child, parent
//   - the relationships of a known vocabulary: SNOMED CT (RF2), NCBI Taxonomy (nodes.dmp), OMOP
//     (CONCEPT_RELATIONSHIP) and UMLS (MRREL.RRF)
//   - such a table as the first sheet of an Excel workbook, if open is not nil
//   - a dictionary with parents, in any other format
//
// A cell may have several parents or tree numbers, separated by vertical bars; a row
// without a parent is a root. The edges returned are distinct, sorted by child and then
// parent. The first malformed row is returned as a [*RowError].
func ReadParents(path string, limits files.Limits, open OpenWorksheet) ([]Edge, error) {
	file, head, err := openWithHead(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var edges []Edge
	switch format := detect(head); {
	case format == TSV, format == CSV, format == MRCONSO:
		c := newCollector(path, Options{Strict: true, Limits: limits})
		c.report.Format = format
		t, failed := openTable(file.Reader, c)
		if err = failed; err == nil {
			edges, err = c.readEdges(t)
		}
		err = c.wrap(err)
	case format == XLSX:
		c := newCollector(path, Options{Strict: true, Limits: limits, OpenWorksheet: open})
		c.report.Format = format
		err = c.wrap(c.withSheet(file.Reader, func(t *tableFile) (err error) {
			edges, err = c.readEdges(t)
			return err
		}))
	default:
		var d *kb.Dictionary
		d, _, err = read(file.Reader, path, Options{Format: format, Strict: true, Limits: limits})
		edges = edgesOf(d)
	}
	if err != nil {
		return nil, err
	}
	if len(edges) == 0 {
		return nil, fmt.Errorf("%s: the file has no parents", path)
	}
	slices.SortFunc(edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.Child, b.Child), cmp.Compare(a.Parent, b.Parent))
	})
	return slices.Compact(edges), nil
}

// readEdges reads the edges of a table, whose columns it determines.
func (c *collector) readEdges(t *tableFile) ([]Edge, error) {
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
	t.describe(cols)
	t.last = t.lastDay()
	var edges []Edge
	var positions []treePosition
	err := t.each(func(r row) error {
		child := kb.ConceptID(cols.firstCell(r, roleID))
		if child == "" {
			return c.reject(r.Line, lacksID(r, cols))
		}
		if !t.isEdge(r) {
			return nil
		}
		for _, id := range splitIDs(cols.firstCell(r, wanted)) {
			if t.plain { // of which the rest is not kept
				child, id = kb.ConceptID(strings.Clone(string(child))), kb.ConceptID(strings.Clone(string(id)))
			}
			if keep(c, child, id); child == id {
				continue
			}
			if wanted == roleParents {
				edges = append(edges, Edge{child, id})
			} else {
				positions = append(positions, treePosition{child, string(id)})
			}
		}
		return nil
	})
	return append(edges, edgesOfTree(positions)...), err
}

// isEdge reports whether a row of a known vocabulary says of a concept in use what is broader. All
// rows of other tables do.
func (t *tableFile) isEdge(r row) bool {
	if t.vocabulary == nil {
		return true
	}
	for i, role := range t.cols {
		if role == roleStatus && i < len(r.Cells) && isRetired(t.states[i], r.Cells[i], t.last) {
			return false
		}
	}
	return t.vocabulary.use(func(column string) string { return t.cell(r, column) }, &kb.Concept{}) == useRow
}

// treePosition is a concept at a tree number of MeSH.
type treePosition struct {
	concept kb.ConceptID
	number  string
}

// edgesOfTree returns the edges between the concepts at tree numbers.
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

// edgesOf returns the edges of a dictionary, none if it is nil.
func edgesOf(d *kb.Dictionary) []Edge {
	var edges []Edge
	if d == nil {
		return nil
	}
	for i := range d.Len() {
		c := d.At(i)
		for _, parent := range c.Parents {
			edges = append(edges, Edge{c.ID, parent})
		}
	}
	return edges
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
	added := make([]kb.Concept, d.Len())
	for i := range added {
		added[i] = *d.At(i)
		added[i].Parents = slices.Clone(added[i].Parents)
	}
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
		added[child].Parents = append(added[child].Parents, d.At(parent).ID)
	}
	report.MissingParents = len(missing)
	return kb.NewDictionary(added), report
}

// idMatcher finds concepts by identifier, with or without its namespace.
type idMatcher struct {
	d     *kb.Dictionary
	local map[string]int // local part of an identifier with a namespace -> concept index, -1 if ambiguous
}

func newIDMatcher(d *kb.Dictionary) idMatcher {
	m := idMatcher{d: d, local: make(map[string]int)}
	for i := range d.Len() {
		c := d.At(i)
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
