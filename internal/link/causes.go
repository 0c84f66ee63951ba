package link

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

const (
	// maxBetween is the maximum number of words between cause and effect: "levodopa-induced peak-dose dyskinesias".
	maxBetween = 3
	// maxInduced is the maximum number of words of an induced disease.
	maxInduced = 4
)

// inducedPhrases holds the diseases that a text attributes to a substance, as phrases of canonical tokens.
type inducedPhrases map[string]bool

// newInducedPhrases returns the phrases of one to four words that follow "-induced" or precede "induced by" in the same
// clause, with at most three words between. It skips causes that are not substances ("stress", "we") and denied ones.
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
		clause, after := text[max(0, at-maxClause):at], text[start:min(start+maxClause, len(text))]
		clause = clause[len(strings.TrimRightFunc(clause, isInClause)):]
		after = after[:len(after)-len(strings.TrimLeftFunc(after, isInClause))]
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
		} else if len(before) > 0 && !causes.OtherCauses[before[len(before)-1]] && !language.Rules.Verbs.Before[near[len(near)-1]] {
			phrases.add(normalize.CanonicalTokens(after), func(start, _ int) bool { return start <= maxBetween })
		}
	}
}

// add adds the phrases in words for which isNear is true.
func (p inducedPhrases) add(words []string, isNear func(start, end int) bool) {
	for start := range words {
		for end := start + 1; end <= min(start+maxInduced, len(words)); end++ {
			if isNear(start, end) {
				p[strings.Join(words[start:end], " ")] = true
			}
		}
	}
}

// has reports whether the text attributes the mention to a substance.
func (p inducedPhrases) has(mention string) bool {
	return len(p) > 0 && p[strings.Join(normalize.CanonicalTokens(mention), " ")]
}

// maxClause is the maximum number of bytes of a clause that are read.
const maxClause = 120

// isInClause reports whether a rune does not end a clause. An incomplete rune does: there a clause was cut off.
func isInClause(r rune) bool {
	return !strings.ContainsRune(".;:()!?", r) && r != utf8.RuneError
}
