package recognize

import (
	"github.com/ctxnorm/ctxnorm/text"
)

// label is the place of a token in a mention (BIOES).
type label uint8

const (
	outside label = iota
	begin
	inside
	end
	single
	labelCount
)

// mayFollow are the labels that may follow each label.
var mayFollow = [labelCount][]label{
	outside: {outside, begin, single}, begin: {inside, end}, inside: {inside, end},
	end: {outside, begin, single}, single: {outside, begin, single},
}

// labelSet is a set of labels, a bit for each.
type labelSet uint8

const anyLabel = labelSet(1<<labelCount - 1)

func (s labelSet) has(l label) bool { return s&(1<<l) != 0 }

func setOf(labels ...label) labelSet {
	var s labelSet
	for _, l := range labels {
		s |= 1 << l
	}
	return s
}

// What is known of a token.
type knowledge uint8

const (
	unmarked    knowledge = iota // outside
	known                        // in a name of the dictionary
	unknown                      // may be in a mention
	mayBelongTo                  // left of a known name, which may take it in
)

// allowedLabels returns the labels that each token of a sentence may have. Names of the dictionary are
// known, also their borders but for words to their left that names often take in. Words that may end a
// mention and the modifiers before them are unknown, and surely ends are not outside. The rest is outside.
func (s *wordStatistics) allowedLabels(tokens []token, mentions []text.Mention) []labelSet {
	allowed := make([]labelSet, len(tokens))
	for i := range allowed {
		allowed[i] = setOf(outside)
	}
	state := make([]knowledge, len(tokens))
	starts, ends := boundaries(tokens)
	for _, m := range mentions {
		first, ok := starts[m.Start]
		last, okEnd := ends[m.End]
		if !ok || !okEnd || first > last {
			continue
		}
		if len(m.Concepts) == 0 || !isOnePhrase(tokens[first:last+1]) {
			for i := first; i <= last; i++ {
				allowed[i], state[i] = anyLabel, unknown
			}
			continue
		}
		for i := first; i <= last; i++ {
			allowed[i], state[i] = setOf(inside), known
		}
		if first == last {
			allowed[first] = setOf(single)
		} else {
			allowed[first], allowed[last] = setOf(begin), setOf(end)
		}
	}
	any := func(i int) { // any label, ends only for words that may end a mention
		allowed[i] = anyLabel
		if !s.mayEnd(tokens[i].word) {
			allowed[i] &^= setOf(end, single)
		}
	}
	for i := range tokens { // before known names
		if state[i] != known || i > 0 && state[i-1] == known {
			continue
		}
		first := i
		for first > 0 && i-first < 4 && state[first-1] == unmarked &&
			(s.mayModify(tokens[first-1].word, true) || tokens[first-1].word == "-") {
			first--
		}
		for first < i && tokens[first].word == "-" {
			first++
		}
		for j := first; j < i; j++ {
			any(j)
			state[j] = mayBelongTo
		}
		if first < i {
			if allowed[i].has(single) {
				allowed[i] |= setOf(end)
			} else {
				allowed[i] |= setOf(inside)
			}
		}
	}
	for i, t := range tokens {
		sure := s.surelyEnds(t.word)
		if state[i] != unmarked || !sure && !s.mayEnd(t.word) {
			continue
		}
		allowed[i], state[i] = anyLabel, unknown
		switch {
		case s.isGeneric(t.word):
			allowed[i] &^= setOf(single, begin)
		case sure:
			allowed[i] &^= setOf(outside)
		}
		for j := i; j > 0 && i-j < 5; {
			before := tokens[j-1].word
			if state[j-1] != unmarked && state[j-1] != known || !s.mayModify(before, false) && before != "-" &&
				before != "/" {
				break
			}
			j--
			if state[j] == unmarked {
				any(j)
				state[j] = unknown
			} else {
				allowed[j] = anyLabel
			}
		}
	}
	return allowed
}

// isOnePhrase reports whether tokens that a name matched may be a mention: neither a period nor half a pair
// of brackets is among them.
func isOnePhrase(tokens []token) bool {
	opened, closed := false, false
	for _, t := range tokens {
		switch t.word {
		case ".", ";":
			return false
		case "(":
			opened = true
		case ")":
			closed = true
		}
	}
	return opened == closed
}
