package matcher

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
)

// LookupLongForm returns the concepts of a long form if the whole long form is a name, and that name in normal form:
// "the celiac diseases" is the name "celiac disease" in a dictionary without the plural. If the long form is not a
// name, LookupLongForm returns its normal form and no concepts.
func (t *Tagger) LookupLongForm(long string) (name string, concepts []kb.ConceptID) {
	whole := normalize.Normal(long)
	bare := whole
	for _, article := range english.Articles {
		if after, ok := strings.CutPrefix(bare, article+" "); ok {
			bare = after
			break
		}
	}
	for i, form := range slices.Compact([]string{whole, bare}) {
		raw := form
		if i == 0 {
			raw = long
		}
		if found := t.Tag(nil, raw); len(found) == 1 && normalize.Normal(found[0].Of(raw)) == form {
			return found[0].Name, found[0].Concepts
		}
	}
	return whole, nil
}

// MayStandFor reports whether a short form may stand for a name that the tagger looks for: the tagger finds a name in
// it, or it consists of the initials of a name of at least two words. Initials are compared without case and plural s.
func (t *Tagger) MayStandFor(short string) bool {
	letters := strings.ReplaceAll(normalize.Normal(normalize.SingularShortForm(short)), " ", "")
	return has(t.initials, hashOf(letters)) || len(t.Tag(nil, short)) > 0
}

// initialsOf returns the initials of a name in normal form, if they are 2 to [normalize.MaxShortForm] letters and
// numbers: those of all words, and those of all words except linking words. A number counts as a whole.
func initialsOf(name string) [][]byte {
	var all, content []byte
	for word := range strings.FieldsSeq(name) {
		initial := word
		if strings.Trim(word, "0123456789") != "" {
			_, size := utf8.DecodeRuneInString(word)
			initial = word[:size]
		}
		all = append(all, initial...)
		if !english.LinkingWords[word] {
			content = append(content, initial...)
		}
	}
	return slices.DeleteFunc([][]byte{all, content}, func(initials []byte) bool {
		n := normalize.CountWordRunes(string(initials))
		return n < 2 || n > normalize.MaxShortForm
	})
}
