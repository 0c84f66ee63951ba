package link

import (
	"ctxnorm"
	"ctxnorm/matcher"
)

// sight is what of a model may be seen: everything when linking, and less when
// weights are learnt, so that names held out are met as if they were unknown.
type sight struct {
	model    *Model
	lexical  *matcher.Lexical
	words    *wordIndex
	tree     *tree
	nameRows [][]int32 // concept -> rows of its names that are seen
	hidden   []bool    // rows of names that are not; nil where all are
	within   []int32   // concept -> names at or below it, each counted at every owner
	// hiddenNames are normal forms whose contexts are not seen.
	hiddenNames map[string]bool
}

// fullSight sees all of a model.
func fullSight(m *Model) (*sight, error) { return newSight(m, newTree(m.Dictionary), nil, nil) }

// newSight sees a model but for the names of hidden rows, and the contexts in
// which names with a normal form in hiddenNames stand.
func newSight(m *Model, t *tree, hidden []bool, hiddenNames map[string]bool) (*sight, error) {
	s := &sight{
		model: m, tree: t, hidden: hidden, hiddenNames: hiddenNames,
		nameRows: make([][]int32, m.Dictionary.Len()),
		within:   make([]int32, m.Dictionary.Len()),
	}
	seen := make([]string, len(m.Names.Exemplars))
	for row := range m.Names.Exemplars {
		if !s.seesName(int32(row)) {
			continue // its place stays empty, so that rows keep their numbers
		}
		seen[row] = m.Names.Exemplars[row].Text
		for _, owner := range m.owners(&m.Names.Exemplars[row]) {
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

func (s *sight) seesName(row int32) bool { return s.hidden == nil || !s.hidden[row] }

func (s *sight) seesContext(row int32) bool {
	return s.hiddenNames == nil || !s.hiddenNames[s.model.Contexts.Exemplars[row].Mention.Name]
}
