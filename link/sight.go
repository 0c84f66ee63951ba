package link

import (
	"ctxnorm"
	"ctxnorm/matcher"
)

// sight is what of a model may be seen: everything when linking, and less when
// weights are learnt, so that names held out are met as if they were unknown, or
// when a part of the ranking is left out to see what it is worth.
type sight struct {
	model    *Model
	parts    Parts
	lexical  *matcher.Lexical
	words    *wordIndex
	tree     *tree
	nameRows [][]int32 // concept -> rows of its names that are seen
	hidden   []bool    // rows of names that are not
	within   []int32   // concept -> names at or below it, each counted at every owner
	// hiddenNames are normal forms whose contexts are not seen.
	hiddenNames map[string]bool
}

// newSight sees the parts of a model but for the names with a normal form in
// hiddenNames, what could give them away, and the contexts in which they stand.
func newSight(m *Model, parts Parts, hiddenNames map[string]bool) (*sight, error) {
	t := newTree(m.Dictionary)
	if !parts.Has(PartTree) {
		t = t.flat()
	}
	s := &sight{
		model: m, parts: parts, tree: t, hidden: hideRows(m, hiddenNames), hiddenNames: hiddenNames,
		nameRows: make([][]int32, m.Dictionary.Len()),
		within:   make([]int32, m.Dictionary.Len()),
	}
	seen := make([]string, len(m.Names.Exemplars))
	for row := range m.Names.Exemplars {
		ex := &m.Names.Exemplars[row]
		if ex.Source != "" && !parts.Has(PartMined) {
			s.hidden[row] = true
		}
		if s.hidden[row] {
			continue // its place stays empty, so that rows keep their numbers
		}
		seen[row] = ex.Text
		for _, owner := range m.owners(ex) {
			s.nameRows[owner] = append(s.nameRows[owner], int32(row))
			s.within[owner]++
			for _, above := range t.above[owner] {
				s.within[above]++
			}
		}
	}
	s.words = newWordIndex(seen)
	var err error
	s.lexical, err = matcher.NewLexical(s.dictionary(), matcher.DefaultLexical())
	return s, err
}

// dictionary is the model's with the names that are seen, mined ones among them.
func (s *sight) dictionary() *ctxnorm.Dictionary {
	concepts := make([]ctxnorm.Concept, s.model.Dictionary.Len())
	for i := range concepts {
		concepts[i].ID = s.model.Dictionary.At(i).ID
		for _, row := range s.nameRows[i] {
			concepts[i].Synonyms = append(concepts[i].Synonyms, s.model.Names.Exemplars[row].Text)
		}
	}
	return ctxnorm.NewDictionary(concepts)
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

func (s *sight) seesName(row int32) bool { return !s.hidden[row] }

func (s *sight) seesContext(row int32) bool {
	return !s.hiddenNames[s.model.Contexts.Exemplars[row].Mention.Name]
}
