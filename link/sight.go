package link

import (
	"ctxnorm"
	"ctxnorm/matcher"
)

// seenNames are the names of a model that may be seen, as strings: all when linking,
// and less when weights are learnt, so that names held out are met as if they were
// unknown. They are what takes time to make of a sight, and several may share them.
type seenNames struct {
	model    *Model
	whole    *tree     // of the dictionary
	hidden   []bool    // rows of names that are not seen
	nameRows [][]int32 // concept -> rows of its names that are
	lexical  *matcher.Lexical
	words    *wordIndex
	// hiddenNames are normal forms whose contexts are not seen.
	hiddenNames map[string]bool
}

// seeNames sees the names of a model, mined ones if that is asked for, but for those
// with a normal form in hiddenNames and what could give them away.
func seeNames(m *Model, hiddenNames map[string]bool, mined bool) (*seenNames, error) {
	n := &seenNames{
		model: m, whole: newTree(m.Dictionary), hidden: hideRows(m, hiddenNames), hiddenNames: hiddenNames,
		nameRows: make([][]int32, m.Dictionary.Len()),
	}
	seen := make([]string, len(m.Names.Exemplars))
	for row := range m.Names.Exemplars {
		ex := &m.Names.Exemplars[row]
		if ex.Source != "" && !mined {
			n.hidden[row] = true
		}
		if n.hidden[row] {
			continue // its place stays empty, so that rows keep their numbers
		}
		seen[row] = ex.Text
		for _, owner := range m.owners(ex) {
			n.nameRows[owner] = append(n.nameRows[owner], int32(row))
		}
	}
	err := together(
		func() error { n.words = newWordIndex(seen); return nil },
		func() (err error) {
			n.lexical, err = matcher.NewLexical(n.dictionary(), matcher.DefaultLexical())
			return err
		},
	)
	return n, err
}

// dictionary is the model's with the names that are seen, mined ones among them.
func (n *seenNames) dictionary() *ctxnorm.Dictionary {
	concepts := make([]ctxnorm.Concept, n.model.Dictionary.Len())
	for i := range concepts {
		concepts[i].ID = n.model.Dictionary.At(i).ID
		for _, row := range n.nameRows[i] {
			concepts[i].Synonyms = append(concepts[i].Synonyms, n.model.Names.Exemplars[row].Text)
		}
	}
	return ctxnorm.NewDictionary(concepts)
}

func (n *seenNames) seesName(row int32) bool { return !n.hidden[row] }

func (n *seenNames) seesContext(row int32) bool {
	return !n.hiddenNames[n.model.Contexts.Exemplars[row].Mention.Name]
}

// sight is what of a model may be seen: everything when linking, and less when
// weights are learnt, or when a part of the ranking is left out to see what it is
// worth.
type sight struct {
	*seenNames
	parts  Parts
	tree   *tree
	within []int32 // concept -> names at or below it, each counted at every owner
}

// newSight sees the parts of a model but for the names with a normal form in
// hiddenNames, what could give them away, and the contexts in which they stand.
func newSight(m *Model, parts Parts, hiddenNames map[string]bool) (*sight, error) {
	names, err := seeNames(m, hiddenNames, parts.Has(PartMined))
	if err != nil {
		return nil, err
	}
	return names.with(parts), nil
}

// with sees parts of the model beside the names. Whether mined ones are among these
// is settled.
func (n *seenNames) with(parts Parts) *sight {
	t := n.whole
	if !parts.Has(PartTree) {
		t = t.flat()
	}
	s := &sight{n, parts, t, make([]int32, len(n.nameRows))}
	for concept, rows := range n.nameRows {
		s.within[concept] += int32(len(rows))
		for _, above := range t.above[concept] {
			s.within[above] += int32(len(rows))
		}
	}
	return s
}

// owners are the positions of an exemplar's concepts in the dictionary.
func (m *Model) owners(ex *ctxnorm.Exemplar) []int32 {
	var owners []int32
	for _, id := range ex.Mention.Concepts {
		if i, ok := m.Dictionary.Index(id); ok {
			owners = append(owners, int32(i))
		}
	}
	return owners
}
