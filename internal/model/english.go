package model

import (
	"context"
	"math"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/text"
)

// EnglishLead returns how much nearer a sentence is to the sense of a word that the dictionary has than to the nearest
// of its other senses in English: a difference of cosines. It returns 0 for a word that has one sense: see
// [sense.English]. The vector of the sentence without the word is one of [Model.BaseVectors].
func (m *Model) EnglishLead(ctx context.Context, word string, sentence []float32) (float64, error) {
	w, err := m.senses.english.word(ctx, word, m.BaseVectors)
	if w == nil || err != nil {
		return 0, err
	}
	return w.lead(sentence), nil
}

// IsEnglishName reports whether a word of English that has several senses is a name of the model, in
// the singular or plural. It reads the names on the first call; an error names their file.
func (m *Model) IsEnglishName(word string) (bool, error) {
	names, err := m.senses.englishNames()
	return names[baseForm(word)], err
}

// englishNames returns the names of the model that are words of English with several senses, in their
// base form.
func (m *Model) englishNames() (map[string]bool, error) {
	exemplars, err := m.Names.Exemplars()
	if err != nil {
		return nil, err
	}
	names := make(map[string]bool)
	for i := range exemplars {
		if name := exemplars[i].Text; sense.English(name) != nil {
			names[baseForm(name)] = true
		}
	}
	return names, nil
}

// baseForm returns the singular of a word in normal form.
func baseForm(word string) string { return normalize.CanonicalWord(normalize.Normal(word)) }

// englishWords holds the words of English with several senses that were asked for. It is safe for
// concurrent use.
type englishWords struct {
	names *DictionaryIndexes

	mu    sync.Mutex
	words map[string]*englishWord // by normal form
}

// englishWord is a word with several senses in English.
type englishWord struct {
	senses [][]float32 // the vector of each
	own    int         // the sense that the dictionary has
}

const (
	// comparedNames is the largest number of names of a concept that the senses are compared with.
	comparedNames = 20
	// ownMargin is how much nearer to all names of a concept another sense must be than that in medicine for
	// the concept to have it: a difference of cosines.
	ownMargin = .1
)

func newEnglishWords(names *DictionaryIndexes) *englishWords {
	return &englishWords{names: names, words: make(map[string]*englishWord)}
}

// word returns a word with its senses, nil if it has only one. encode encodes names; where it returns nil,
// so does word.
func (e *englishWords) word(ctx context.Context, surface string,
	encode func(context.Context, []text.Query) ([][]float32, error)) (*englishWord, error) {
	senses := sense.English(surface)
	if senses == nil {
		return nil, nil
	}
	key := normalize.Normal(surface)
	e.mu.Lock()
	defer e.mu.Unlock()
	if known, ok := e.words[key]; ok {
		return known, nil
	}
	// What is encoded together depends on the word alone, so that its vectors do, too.
	var queries []text.Query
	for _, s := range senses {
		queries = append(queries, text.NameExemplar(s.String()).Query)
	}
	for _, name := range e.otherNames(key) {
		queries = append(queries, text.NameExemplar(name).Query)
	}
	vectors, err := encode(ctx, queries)
	if vectors == nil || err != nil {
		return nil, err
	}
	w := newEnglishWord(vectors[:len(senses)], vectors[len(senses):])
	e.words[key] = w
	return w, nil
}

// newEnglishWord returns a word, given the vectors of its senses and of the other names of the
// dictionary's concept.
func newEnglishWord(senses, names [][]float32) *englishWord {
	w := &englishWord{senses: senses}
	highest := ownMargin
	for i, vector := range senses[1:] {
		lead := math.Inf(1)
		for _, name := range names {
			lead = min(lead, dot.InOrder(vector, name)-dot.InOrder(senses[0], name))
		}
		if len(names) > 0 && lead > highest {
			highest, w.own = lead, i+1
		}
	}
	return w
}

// otherNames returns the other names of the concept that has a word as a name, none if there
// are several such concepts or none.
func (e *englishWords) otherNames(word string) []string {
	concepts := e.names.Exact().Lookup(word)
	if len(concepts) != 1 {
		return nil
	}
	var others []string
	for _, name := range e.names.Dictionary.Lookup(concepts[0]).Names() {
		if baseForm(name) != baseForm(word) && len(others) < comparedNames {
			others = append(others, name)
		}
	}
	return others
}

// lead returns how much nearer a sentence is to the sense that the dictionary has than to the
// nearest of the others.
func (w *englishWord) lead(sentence []float32) float64 {
	own, others := 0., math.Inf(-1)
	for i, vector := range w.senses {
		if cosine := dot.InOrder(vector, sentence); i == w.own {
			own = cosine
		} else {
			others = max(others, cosine)
		}
	}
	return own - others
}
