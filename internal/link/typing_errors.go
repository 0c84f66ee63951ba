package link

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// correctedWords holds the canonical tokens of a mention after its typing errors were corrected.
type correctedWords struct {
	tokens  []string // see [normalize.CanonicalTokens]
	letters int      // letters of the corrected words as written; 0 if nothing was corrected
	errors  int      // typing errors in these words
}

// correct replaces each word of a mention that occurs neither in names nor in texts by the nearest word of the names
// most similar to the mention: "carcnoma" by "carcinoma", in a mention that is similar to names with that word. The
// nearest word, canonical or as written ("neuritides" for "neuritiides"), is the one with the fewest typing errors, see
// [lexical.TypingErrors]; ties go to the more similar name.
// A word with a sign or number is not replaced, nor is a word by its opposite, such as "hypocapnia" by "hypercapnia".
func (g *CandidateGenerator) correct(tokens []string, similar []lexical.NameHit) correctedWords {
	c := correctedWords{tokens: tokens}
	var words []string // of the similar names, canonical and as written, computed for the first unknown word
	for i, word := range tokens {
		if !normalize.IsLetters(word) || utf8.RuneCountInString(word) < lexical.MinLettersOneError-1 || g.isKnown(word) {
			continue
		}
		if words == nil {
			for _, hit := range similar {
				words = slices.Concat(words, normalize.CanonicalTokens(hit.Name), strings.Fields(normalize.Normal(hit.Name)))
			}
		}
		best, fewest := "", 3
		for _, other := range words {
			if errors := lexical.TypingErrors(word, other); errors < fewest {
				best, fewest = normalize.CanonicalWord(other), errors
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

// isKnown reports whether a word occurs in a name of the dictionary, or often in the texts of the corpus.
func (g *CandidateGenerator) isKnown(word string) bool {
	stem := normalize.Stem(word)
	_, inTexts := g.model.Space.Number(stem)
	return inTexts || g.words.Has(stem)
}

// rareWords returns the share of a mention's tokens that occur neither in names nor in texts.
func (g *CandidateGenerator) rareWords(tokens []string) float64 {
	rare := 0.
	for _, word := range tokens {
		if strings.IndexFunc(word, func(r rune) bool { return '0' <= r && r <= '9' }) < 0 && !g.isKnown(word) {
			rare++
		}
	}
	return rare / float64(max(1, len(tokens)))
}
