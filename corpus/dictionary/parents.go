package dictionary

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"ctxnorm"
	"ctxnorm/corpus/internal/input"
)

// Edge says that Parent is broader than Child.
type Edge struct {
	Child, Parent ctxnorm.ConceptID
}

// ReadParents reads the tree of a file and none of its names. The file is one of
//
//   - a table with a header that names a column of identifiers and one of
//     parents (MESH_ID, PARENT_MESH_ID), or of MeSH tree numbers, where
//     C18.452.394 is the parent of C18.452.394.750
//   - a table of two columns without a header: child, parent
//   - a dictionary that has parents: CTD, OBO, JSON lines
//
// Several parents or tree numbers in a cell are set apart by bars; a row without
// a parent is a root. The edges are sorted by child and then parent, each there
// once. The first bad row is the error, a *[RowError].
func ReadParents(path string) ([]Edge, error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	head, err := file.Peek(file.Size())
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var edges []Edge
	switch format := detect(head); format {
	case TSV, CSV:
		c := newCollector(path, Options{Strict: true})
		c.report.Format = format
		edges, err = c.readEdges(file)
		err = c.wrap(err)
	case CTD, OBO, JSONL:
		var d *ctxnorm.Dictionary
		d, _, err = read(file.Reader, path, Options{Format: format, Strict: true})
		edges = edgesOf(d)
	default:
		err = fmt.Errorf("%s: want a table with a column of parents or a dictionary that has them (ctd, obo, jsonl)", path)
	}
	if err != nil {
		return nil, err
	}
	if len(edges) == 0 {
		return nil, fmt.Errorf("%s: no parents in it", path)
	}
	slices.SortFunc(edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.Child, b.Child), cmp.Compare(a.Parent, b.Parent))
	})
	return slices.Compact(edges), nil
}

// readEdges reads the edges of a table.
func (c *collector) readEdges(file *input.File) ([]Edge, error) {
	t, err := openTable(file.Reader, input.NewLines(file.Reader), c)
	if err != nil {
		return nil, err
	}
	if cols, ok := t.columns(id, parents); ok {
		return c.parentEdges(t, cols)
	}
	if cols, ok := t.columns(id, treeNumbers); ok {
		return c.treeEdges(t, cols)
	}
	if _, headed := t.columns(id); !headed && len(t.sample) > 0 && len(t.sample[0].cells) == 2 {
		return c.parentEdges(t, columns{id, parents})
	}
	return nil, errors.New("want a header with a column of ids and one of parents or tree numbers, or two columns: child, parent")
}

// parentEdges reads rows of a child and its parents.
func (c *collector) parentEdges(t *table, cols columns) ([]Edge, error) {
	var edges []Edge
	err := t.each(func(r row) error {
		child := ctxnorm.ConceptID(cols.cell(r, id))
		if child == "" {
			return c.bad(r.line, fmt.Sprintf("an id in column %d", cols.first(id)+1), quote(strings.Join(r.cells, "\t")))
		}
		for _, parent := range splitIDs(cols.cell(r, parents)) {
			edges = append(edges, Edge{child, parent})
		}
		return nil
	})
	return edges, err
}

// treeEdges reads rows of a concept and its places in the tree.
func (c *collector) treeEdges(t *table, cols columns) ([]Edge, error) {
	type place struct {
		child  ctxnorm.ConceptID
		number string
	}
	var places []place
	at := make(map[string]ctxnorm.ConceptID) // tree number -> concept
	err := t.each(func(r row) error {
		child := ctxnorm.ConceptID(cols.cell(r, id))
		if child == "" {
			return c.bad(r.line, fmt.Sprintf("an id in column %d", cols.first(id)+1), quote(strings.Join(r.cells, "\t")))
		}
		for _, number := range splitIDs(cols.cell(r, treeNumbers)) {
			places = append(places, place{child, string(number)})
			at[string(number)] = child
		}
		return nil
	})
	var edges []Edge
	for _, p := range places {
		if dot := strings.LastIndexByte(p.number, '.'); dot >= 0 {
			if parent, ok := at[p.number[:dot]]; ok {
				edges = append(edges, Edge{p.child, parent})
			}
		}
	}
	return edges, err
}

// edgesOf takes the edges out of a dictionary, nil included.
func edgesOf(d *ctxnorm.Dictionary) []Edge {
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
