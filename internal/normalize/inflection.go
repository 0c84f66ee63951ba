package normalize

import (
	"iter"
	"math/bits"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/ctxnorm/ctxnorm/internal/language"
)

// LanguageOf returns the language of a dictionary, given its names in normal form: the language whose typical words and
// endings occur in most names, and in at least a tenth. It returns nil if there is none.
func LanguageOf(names iter.Seq[string]) *language.Language {
	total, marked := 0, make([]int, len(language.Languages))
	known := make(map[string][2]uint64) // bits of the languages that a word marks: in any name, and beside others
	for name := range names {
		total++
		words, of := strings.Fields(name), uint64(0)
		for _, word := range words {
			marks, ok := known[word]
			for i := 0; i < len(language.Languages) && !ok; i++ {
				l := &language.Languages[i].Names
				for _, end := range l.MarkEnds {
					if len(word) > len(end)+2 && strings.HasSuffix(word, end) {
						marks[0] |= 1 << i
					}
				}
				if l.Marks[word] {
					marks[1] |= 1 << i
				}
			}
			known[word] = marks
			if of |= marks[0]; len(words) > 1 {
				of |= marks[1]
			}
		}
		for ; of != 0; of &= of - 1 {
			marked[bits.TrailingZeros64(of)]++
		}
	}
	most := slices.Index(marked, slices.Max(marked))
	const share = 10 // one in this many names
	if total == 0 || marked[most]*share < total {
		return nil
	}
	return language.Languages[most]
}

// DigraphForm returns a name with letters such as ä replaced by the two letters written where they are not available:
// herzschwaeche for Herzschwäche. It returns "" for a name without such letters.
func DigraphForm(name string) string {
	composed := strings.ToLower(norm.NFC.String(name))
	written := composed
	for _, d := range lang.Digraphs {
		written = strings.ReplaceAll(written, d[0], d[1])
	}
	if written == composed {
		return ""
	}
	return written
}

// withoutDigraphs returns a name in normal form with each digraph replaced by one letter, except after a vowel or q:
// "herzschwache", "mauer", "frequenz".
func withoutDigraphs(name string, digraphs [][2]string) string {
	out := []byte(name)[:0:0]
	for i := range len(name) {
		isSecond := i > 0 && name[i] == 'e' && (i == 1 || strings.IndexByte("aeiouq", name[i-2]) < 0) &&
			slices.ContainsFunc(digraphs, func(d [2]string) bool { return d[1] == name[i-1:i+1] })
		if !isSecond {
			out = append(out, name[i])
		}
	}
	return string(out)
}

// minInflected is the minimum number of letters of a word with inflected forms.
const minInflected = 4

// uninflected returns the words of a language, in American spelling, that a word may be inflected from, by its ending:
//
//	French   ulcere of ulceres, cerebral of cerebraux
//	Spanish  infeccion of infecciones
//	German   lungenentzundung of lungenentzundungen, herzinfarkt of herzinfarkts, atopische of atopischen
func uninflected(word string, of *language.Language) (words []string) {
	if of == nil || !isLatin(word) {
		return nil
	}
	for _, endings := range [][]language.Inflection{of.Names.Nouns, of.Names.AdjectivesBefore} {
		for _, e := range endings {
			for _, other := range e.Others {
				stem, ok := strings.CutSuffix(word, other)
				if one := stem + e.Ending; ok && len(one) >= minInflected && slices.Contains(inflect(one, endings), word) {
					words = append(words, american(one))
				}
			}
		}
	}
	return words
}

// inflect returns the other forms of a word, by the first ending that fits.
func inflect(word string, endings []language.Inflection) []string {
	for _, e := range endings {
		stem, ok := strings.CutSuffix(word, e.Ending)
		if !ok {
			continue
		}
		forms := make([]string, len(e.Others))
		for i, other := range e.Others {
			forms[i] = stem + other
		}
		return forms
	}
	return nil
}

// isLatin reports whether a lower-case word has only ASCII letters.
func isLatin(word string) bool {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return true
}
