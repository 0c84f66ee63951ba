package model

import (
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
)

// DictionaryIndexes holds indexes of the names of one dictionary as strings. Each is
// built when it is first used and shared by everything that looks names up: the exact
// and the lexical linker, the splitter of composite mentions and the abbreviations of
// the corpus. It is safe for concurrent use.
//
// NB: candidates are generated from another set of names. That set has corpus synonyms,
// lacks held-out names, and keeps one spelling of names that differ in case only (see
// [NameExemplars]), so its lexical index differs from this one and is not shared.
type DictionaryIndexes struct {
	// Dictionary is what the indexes are of.
	Dictionary *kb.Dictionary

	exact     func() *lexical.Exact
	tokenized func() *lexical.TokenizedDictionary
	leftOut   func() [][]normalize.TokenizedName // names by concept, which count in the weights of the lexical index
	lexical   func() *lexical.Index
	words     func() map[string]bool
}

// NewDictionaryIndexes returns the indexes of dict. It builds none yet.
func NewDictionaryIndexes(dict *kb.Dictionary) *DictionaryIndexes {
	return newDictionaryIndexes(dict, func() [][]normalize.TokenizedName { return nil })
}

// restrict returns the indexes of a part of the dictionary of x. The names that it lacks still count in the weights of
// the lexical index.
func (x *DictionaryIndexes) restrict(dict *kb.Dictionary) *DictionaryIndexes {
	return newDictionaryIndexes(dict, func() [][]normalize.TokenizedName {
		return append(x.tokenized().Without(dict), x.leftOut()...)
	})
}

func newDictionaryIndexes(dict *kb.Dictionary, leftOut func() [][]normalize.TokenizedName) *DictionaryIndexes {
	x := &DictionaryIndexes{
		Dictionary: dict, leftOut: leftOut,
		exact:     sync.OnceValue(func() *lexical.Exact { return lexical.NewExact(dict) }),
		tokenized: sync.OnceValue(func() *lexical.TokenizedDictionary { return lexical.TokenizeDictionary(dict) }),
	}
	x.lexical = sync.OnceValue(func() *lexical.Index { return x.tokenized().NewIndex(x.leftOut()) })
	x.words = sync.OnceValue(func() map[string]bool {
		words := make(map[string]bool)
		for name := range x.exact().All() {
			if !strings.Contains(name, " ") {
				continue
			}
			for word := range strings.FieldsSeq(name) {
				words[word] = true
			}
		}
		return words
	})
	return x
}

// Exact returns the index by normal form.
func (x *DictionaryIndexes) Exact() *lexical.Exact { return x.exact() }

// Lexical returns the index by words and character n-grams.
func (x *DictionaryIndexes) Lexical() *lexical.Index { return x.lexical() }

// Words returns the set of words of the names of several words, in normal form. It must not be modified.
func (x *DictionaryIndexes) Words() map[string]bool { return x.words() }
