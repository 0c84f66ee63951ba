package recognize

import (
	"slices"

	"github.com/ctxnorm/ctxnorm/text"
)

// label is the position of a token in a mention (BIOES).
type label uint8

const (
	outside label = iota
	begin
	inside
	end
	single
	labelCount
)

// mayFollow lists the labels that may follow each label.
var mayFollow = [labelCount][]label{
	outside: {outside, begin, single}, begin: {inside, end}, inside: {inside, end},
	end: {outside, begin, single}, single: {outside, begin, single},
}

// labelSet is a set of labels, one bit each.
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

// knowledge is the state of a token while a sentence is labeled.
type knowledge uint8

const (
	unmarked    knowledge = iota // outside
	known                        // in a name of the dictionary
	unknown                      // may be in a mention
	mayBelongTo                  // left of a known name, which may include it
)

// allowedLabels returns the labels that each token of a sentence may have. Names of the dictionary are known, and so
// are their borders, except for words on their left that are often part of names. Words that may end a mention and the
// modifiers before them are unknown, and words that surely end one are not outside. All other tokens are outside.
func (s *wordStatistics) allowedLabels(tokens []token, mentions []text.Mention) []labelSet {
	l := &labeler{s, tokens, slices.Repeat([]labelSet{setOf(outside)}, len(tokens)), make([]knowledge, len(tokens))}
	places := placesIn(tokens)
	for _, m := range mentions {
		if at, ok := places.of(m.Span); ok {
			l.labelMention(at.first, at.last, len(m.Concepts) > 0)
		}
	}
	for i := range tokens {
		if l.known[i] == known && (i == 0 || l.known[i-1] != known) {
			l.labelBefore(i)
		}
	}
	for i := range tokens {
		if l.known[i] == unmarked {
			l.labelEnd(i)
		}
	}
	return l.allowed
}

// labeler labels the tokens of a sentence.
type labeler struct {
	*wordStatistics
	tokens  []token
	allowed []labelSet
	known   []knowledge
}

// labelMention labels the tokens from first to last, which are a mention by the tagger. They are unknown if the mention
// is not a name or is more than one phrase.
func (l *labeler) labelMention(first, last int, isName bool) {
	is := known
	if !isName || !isOnePhrase(l.tokens[first:last+1]) {
		is = unknown
	}
	for i := first; i <= last; i++ {
		l.allowed[i], l.known[i] = anyLabel, is
	}
	if is == known {
		setMention(l.allowed[first : last+1])
	}
}

// setMention sets the labels of the tokens of one mention.
func setMention(allowed []labelSet) {
	for i := range allowed {
		allowed[i] = setOf(inside)
	}
	allowed[0], allowed[len(allowed)-1] = setOf(begin), setOf(end)
	if len(allowed) == 1 {
		allowed[0] = setOf(single)
	}
}

// annotatedLabels returns the labels of the tokens of a sentence in a document with all of its mentions marked.
func annotatedLabels(tokens []token, mentions []text.Mention) []labelSet {
	allowed := slices.Repeat([]labelSet{setOf(outside)}, len(tokens))
	places := placesIn(tokens)
	for _, m := range mentions {
		if at, ok := places.of(m.Span); ok {
			setMention(allowed[at.first : at.last+1])
		}
	}
	return allowed
}

// labelBefore labels the words before the known name at i that may be part of it.
func (l *labeler) labelBefore(i int) {
	const most = 4
	first := i
	for first > 0 && i-first < most && l.known[first-1] == unmarked &&
		(l.mayModify(l.tokens[first-1].word, true) || l.tokens[first-1].word == "-") {
		first--
	}
	for first < i && l.tokens[first].word == "-" {
		first++
	}
	for j := first; j < i; j++ {
		l.allow(j)
		l.known[j] = mayBelongTo
	}
	switch {
	case first == i:
	case l.allowed[i].has(single):
		l.allowed[i] |= setOf(end)
	default:
		l.allowed[i] |= setOf(inside)
	}
}

// labelEnd labels an unmarked word if it may end a mention, and the modifiers before it.
func (l *labeler) labelEnd(i int) {
	const most = 5
	word := l.tokens[i].word
	row := l.look(word)
	if !row.surely && !l.mayEnd(word) {
		return
	}
	l.allowed[i], l.known[i] = anyLabel, unknown
	switch {
	case row.isGeneric():
		l.allowed[i] &^= setOf(single, begin)
	case row.surely:
		l.allowed[i] &^= setOf(outside)
	}
	for j := i - 1; j >= 0 && i-j <= most; j-- {
		before := l.tokens[j].word
		isModifier := l.mayModify(before, false) || before == "-" || before == "/"
		switch {
		case isModifier && l.known[j] == unmarked:
			l.allow(j)
			l.known[j] = unknown
		case isModifier && l.known[j] == known:
			l.allowed[j] = anyLabel
		default:
			return
		}
	}
}

// allow allows any label, but end and single only for words that may end a mention.
func (l *labeler) allow(i int) {
	l.allowed[i] = anyLabel
	if !l.mayEnd(l.tokens[i].word) {
		l.allowed[i] &^= setOf(end, single)
	}
}

// isOnePhrase reports whether tokens that match a name may be a mention: they include neither a period nor an unpaired
// bracket.
func isOnePhrase(tokens []token) bool {
	has := func(word string) bool {
		return slices.ContainsFunc(tokens, func(t token) bool { return t.word == word })
	}
	return !has(".") && !has(";") && has("(") == has(")")
}
