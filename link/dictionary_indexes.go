package link

import (
	"strings"
	"sync"

	"ctxnorm"
	"ctxnorm/matcher"
)

// DictionaryIndexes holds indexes of the names of one dictionary as strings. Each is
// built when it is first used and shared by everything that looks names up: the exact
// and the lexical linker, the splitter of composite mentions and the abbreviations of
// the corpus. It is safe for concurrent use.
//
// NB: candidates are generated from another set of names. That set has corpus synonyms,
// lacks held-out names, and keeps one spelling of names that differ in case only (see
// [Names]), so its lexical index differs from this one and is not shared.
type DictionaryIndexes struct {
	exact   func() *matcher.Exact
	lexical func() (*matcher.Lexical, error)
	words   func() map[string]bool
}

// newDictionaryIndexes returns the indexes of dict. It builds none yet.
func newDictionaryIndexes(dict *ctxnorm.Dictionary) *DictionaryIndexes {
	x := &DictionaryIndexes{
		exact: sync.OnceValue(func() *matcher.Exact { return matcher.NewExact(dict) }),
		lexical: sync.OnceValues(func() (*matcher.Lexical, error) {
			return matcher.NewLexical(dict, matcher.DefaultLexical())
		}),
	}
	x.words = sync.OnceValue(func() map[string]bool {
		words := make(map[string]bool)
		for name := range x.exact().All() {
			for word := range strings.FieldsSeq(name) {
				words[word] = true
			}
		}
		return words
	})
	return x
}

// Exact returns the index by normal form.
func (x *DictionaryIndexes) Exact() *matcher.Exact { return x.exact() }

// Lexical returns the index by words and character n-grams, with the settings of
// [matcher.DefaultLexical].
func (x *DictionaryIndexes) Lexical() (*matcher.Lexical, error) { return x.lexical() }

// Words returns the set of words of all names in normal form. It must not be modified.
func (x *DictionaryIndexes) Words() map[string]bool { return x.words() }
