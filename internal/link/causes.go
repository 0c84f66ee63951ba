package link

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

const (
	// maxBetween is the number of words that may stand between a cause and what it induces: "levodopa-induced peak-dose
	// dyskinesias".
	maxBetween = 3
	// maxInduced is the number of words of what is induced.
	maxInduced = 4
)

// inducedPhrases holds what a text says that a substance induced, as phrases of canonical tokens.
type inducedPhrases map[string]bool

// newInducedPhrases returns the phrases of one to four words that stand, with at most three words between, behind
// "-induced" or before "induced by" in the same clause, unless the cause is no substance ("stress", "we") or is denied.
func newInducedPhrases(text string) inducedPhrases {
	causes := &language.Rules.Causes
	text = strings.ToLower(text)
	phrases := make(inducedPhrases)
	for start := 0; ; {
		at := strings.Index(text[start:], causes.Induced)
		if at < 0 {
			return phrases
		}
		at += start
		start = at + len(causes.Induced)
		clause, after := lastClause(text[:at]), until(text[start:min(start+maxClause, len(text))], endsClause)
		before, near := normalize.CanonicalTokens(clause), strings.Fields(clause)
		near = near[max(0, len(near)-maxBetween):]
		if slices.ContainsFunc(near, func(w string) bool { return causes.Not[w] }) {
			continue
		}
		if cause, follows := strings.CutPrefix(strings.TrimSpace(after), causes.By+" "); follows {
			words := normalize.CanonicalTokens(cause)
			if !slices.ContainsFunc(words[:min(maxBetween, len(words))], func(w string) bool { return causes.OtherCauses[w] }) {
				phrases.add(before, func(_, end int) bool { return end >= len(before)-maxBetween })
			}
		} else if len(before) > 0 && !causes.OtherCauses[before[len(before)-1]] && !english.Before[near[len(near)-1]] {
			phrases.add(normalize.CanonicalTokens(after), func(start, _ int) bool { return start <= maxBetween })
		}
	}
}

// add adds the phrases of the words that are near what induced them.
func (p inducedPhrases) add(words []string, isNear func(start, end int) bool) {
	for start := range words {
		for end := start + 1; end <= min(start+maxInduced, len(words)); end++ {
			if isNear(start, end) {
				p[strings.Join(words[start:end], " ")] = true
			}
		}
	}
}

// has reports whether a substance induced what a mention names.
func (p inducedPhrases) has(mention string) bool {
	return len(p) > 0 && p[strings.Join(normalize.CanonicalTokens(mention), " ")]
}

// maxClause is the number of bytes of a clause that are read.
const maxClause = 120

// lastClause returns the end of a text behind the last punctuation that ends a clause.
func lastClause(s string) string {
	s = s[max(0, len(s)-maxClause):]
	return s[strings.LastIndexFunc(s, endsClause)+1:]
}

// endsClause reports whether a rune ends a clause. So does half of one, where a clause was cut.
func endsClause(r rune) bool {
	return strings.ContainsRune(".;:()!?", r) || r == utf8.RuneError
}
