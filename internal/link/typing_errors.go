package link

import (
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// correctedWords holds the canonical tokens of a mention, with the words corrected that look like typing errors.
type correctedWords struct {
	tokens  []string // see [normalize.CanonicalTokens]
	letters int      // of the words that were corrected, as the mention has them; 0 if none were
	errors  int      // in these words
}

// correct replaces the words of a mention that neither names nor texts have by the nearest word of
// the names that are most similar to the mention: "carcnoma" by "carcinoma", in a mention that is
// similar to names with that word. The nearest is the one with the fewest typing errors, see
// [normalize.TypingErrors], and of several that in the most similar name. A word with a sign or a
// number, and one that is opposed to the other, as "hypocapnia" to "hypercapnia", is not replaced.
func (g *CandidateGenerator) correct(tokens []string, similar []lexical.NameHit) correctedWords {
	c := correctedWords{tokens: tokens}
	var names [][]string // tokens of the similar names; made for the first word that is not known
	for i, word := range tokens {
		if !normalize.IsLetters(word) || utf8.RuneCountInString(word) < lexical.MinLettersOneError-1 || g.isKnown(word) {
			continue
		}
		if names == nil {
			for _, hit := range similar {
				names = append(names, normalize.CanonicalTokens(hit.Name))
			}
		}
		best, fewest := "", 3
		for _, name := range names {
			for _, other := range name {
				if errors := lexical.TypingErrors(word, other); errors < fewest {
					best, fewest = other, errors
				}
			}
		}
		if best == "" {
			continue
		}
		if c.letters == 0 {
			c.tokens = append([]string(nil), tokens...)
		}
		c.tokens[i] = best
		c.letters, c.errors = c.letters+utf8.RuneCountInString(word), c.errors+fewest
	}
	return c
}

// isKnown reports whether a name of the dictionary has a word, or the texts of the corpus often do.
func (g *CandidateGenerator) isKnown(word string) bool {
	stem := normalize.Stem(word)
	_, inTexts := g.model.Space.Number(stem)
	return inTexts || g.words.Has(stem)
}

// rareWords returns the share of the tokens of a mention that neither names nor texts have.
func (g *CandidateGenerator) rareWords(tokens []string) float64 {
	rare := 0.
	for _, word := range tokens {
		if strings.IndexFunc(word, func(r rune) bool { return '0' <= r && r <= '9' }) < 0 && !g.isKnown(word) {
			rare++
		}
	}
	return rare / float64(max(1, len(tokens)))
}
