package mine

import (
	"maps"
	"strings"

	"ctxnorm/corpus"
)

// shortForm takes a short form for a name of the concept that most of its long
// forms name; or its long forms for names of the concept that the short form
// names, if they are akin to it.
func (m *miner) shortForm(s *ShortForm, o *SynonymOptions) {
	counts := make(map[int]int)
	shares := make(map[int]float64)
	for _, l := range s.Long {
		if concept, ok := m.owner(l.Text); ok {
			counts[concept] += l.Count
			shares[concept] += l.Share
		}
	}
	for concept, n := range counts {
		if n >= o.MinDefinitions && shares[concept] >= o.MinShare && mostlyCapitals(s.Short) {
			m.vote(s.Short, vote{concept, ShortOf}, n)
		}
	}
	concept, ok := m.owner(s.Short)
	if !ok {
		return
	}
	for _, l := range s.Long {
		if l.Count >= o.MinDefinitions && isName(l.Text) && m.akin(l.Text, concept) {
			m.vote(l.Text, vote{concept, LongOf}, l.Count)
		}
	}
}

// akin reports whether most telling words of a long form are in names of the
// concept, so that both mean the same by their short form, and it is not the
// opposite ("non-acquired immunodeficiency syndrome").
func (m *miner) akin(long string, concept int) bool {
	own := make(map[string]bool)
	negated := false
	for _, name := range m.dict.At(concept).Names() {
		maps.Copy(own, tellingWords(name))
		negated = negated || strings.Contains(" "+poolKey(name)+" ", " non ")
	}
	if strings.HasPrefix(poolKey(long), "non ") && !negated {
		return false
	}
	words := tellingWords(long)
	shared := 0
	for w := range words {
		if own[w] {
			shared++
		}
	}
	return 2*shared > len(words)
}

// apposition is a phrase that stands beside names of a concept.
type apposition struct {
	concept int
	key     string // of the phrase
}

// appositions takes the phrases beside a name.
func (m *miner) appositions(pairs []corpus.PairCount, o *SynonymOptions) {
	found := make(map[apposition]*candidate)
	for _, p := range pairs {
		concept, ok := m.owner(p.Left)
		if p.Kind == Abbreviation || !ok || isShort(p.Left) || !isName(p.Right) {
			continue
		}
		a := apposition{concept, poolKey(p.Right)}
		if found[a] == nil {
			found[a] = newCandidate()
		}
		found[a].texts[p.Right] += p.Records
		found[a].counts[vote{concept, p.Kind}] += p.Records
	}
	for a, c := range found {
		if a.holds(c.counts, o) {
			text, _ := c.texts.commonest()
			for v, n := range c.counts {
				m.vote(text, v, n)
			}
		}
	}
}

// holds reports whether a phrase beside names is one itself.
//
// A phrase in brackets may be a remark or a kind of what is named ("spasms
// (myoclonus)"), and one before a name in brackets too short for it ("growths
// (polyps)"). So brackets say enough where they stand either way round, or where
// the name explains a phrase of several words.
func (a apposition) holds(counts map[vote]int, o *SynonymOptions) bool {
	of := func(kind string) int { return counts[vote{a.concept, kind}] }
	bracket, gloss := of(Bracket), of(Gloss)
	switch {
	case of(AlsoKnownAs)+of(Formerly) >= max(1, o.MinAppositions):
		return true
	case bracket > 0 && gloss > 0 || strings.Contains(a.key, " ") && gloss > 0:
		return bracket+gloss+of(Or) >= o.MinBrackets
	}
	return of(Or) >= max(1, o.MinBrackets)
}
