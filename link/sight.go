package link

import (
	"ctxnorm"
	"ctxnorm/matcher"
)

// nameIndex are the names of a model that may be seen, as strings: all when linking,
// and less when weights are learnt, so that names held out are met as if they were
// unknown. They are what takes time to make of a sight, and several may share them.
type nameIndex struct {
	model     *Model
	hierarchy *tree // of the dictionary
	names     []ctxnorm.Exemplar
	nameRows  [][]int32 // concept -> rows of its names that are seen
	lexical   *matcher.Lexical
	words     *wordIndex

	heldOutNameRows, heldOutContextRows []bool // rows that are not seen
}

// newNameIndex sees the names of a model, mined ones if that is asked for, but for those
// with a normal form in hiddenNames and what could give them away.
func newNameIndex(m *Model, hiddenNames map[string]bool, mined bool) (*nameIndex, error) {
	n := &nameIndex{model: m, hierarchy: newTree(m.Dictionary), nameRows: make([][]int32, m.Dictionary.Len())}
	var err error
	if n.names, err = m.Names.Exemplars(); err != nil {
		return nil, err
	}
	if n.heldOutContextRows, err = heldOutContextRows(m, hiddenNames); err != nil {
		return nil, err
	}
	n.heldOutNameRows = heldOutNameRows(m, n.names, hiddenNames)
	seen := make([]string, len(n.names))
	for row := range n.names {
		ex := &n.names[row]
		if ex.Source != "" && !mined {
			n.heldOutNameRows[row] = true
		}
		if n.heldOutNameRows[row] {
			continue // its place stays empty, so that rows keep their numbers
		}
		seen[row] = ex.Text
		for _, owner := range m.Names.concepts.of(int32(row)) {
			n.nameRows[owner] = append(n.nameRows[owner], int32(row))
		}
	}
	spelt := matcher.SpellAll(seen)
	err = together(
		func() error { n.words = newWordIndex(spelt); return nil },
		func() (err error) { n.lexical, err = n.newLexical(spelt); return err },
	)
	return n, err
}

// newLexical finds concepts by the names that are seen, mined ones among them; all rows
// are spelt.
func (n *nameIndex) newLexical(spelt []matcher.Spelt) (*matcher.Lexical, error) {
	ids, names := make([]ctxnorm.ConceptID, len(n.nameRows)), make([][]matcher.Spelt, len(n.nameRows))
	for i, rows := range n.nameRows {
		ids[i] = n.model.Dictionary.At(i).ID
		for _, row := range rows {
			names[i] = append(names[i], spelt[row])
		}
	}
	return matcher.NewLexicalOf(ids, names, matcher.DefaultLexical())
}

func (n *nameIndex) hasName(row int32) bool { return !n.heldOutNameRows[row] }

func (n *nameIndex) hasContext(row int32) bool { return !n.heldOutContextRows[row] }

// candidateGenerator is what of a model may be seen: everything when linking, and less when
// weights are learnt, or when a part of the ranking is left out to see what it is
// worth.
type candidateGenerator struct {
	*nameIndex
	components   Parts
	hierarchy    *tree
	subtreeNames []int32 // concept -> names at or below it, each counted at every owner
}

// newCandidateGenerator sees the parts of a model but for the names with a normal form in
// hiddenNames, what could give them away, and the contexts in which they stand.
func newCandidateGenerator(m *Model, parts Parts, hiddenNames map[string]bool) (*candidateGenerator, error) {
	names, err := newNameIndex(m, hiddenNames, parts.Has(PartMined))
	if err != nil {
		return nil, err
	}
	return names.generator(parts), nil
}

// generator sees parts of the model beside the names. Whether mined ones are among these
// is settled.
func (n *nameIndex) generator(parts Parts) *candidateGenerator {
	t := n.hierarchy
	if !parts.Has(PartTree) {
		t = t.flat()
	}
	s := &candidateGenerator{n, parts, t, make([]int32, len(n.nameRows))}
	for concept, rows := range n.nameRows {
		s.subtreeNames[concept] += int32(len(rows))
		for _, above := range t.above[concept] {
			s.subtreeNames[above] += int32(len(rows))
		}
	}
	return s
}
