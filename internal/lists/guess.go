package lists

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// guessed returns the members judging only by the words of the list.
func (l *list) guessed() []Member {
	n := len(l.members) - 1
	word := l.members[n][0].Of(l.text)
	const minStem = 4 // bytes
	stem, ok := normalize.CutWordPrefix(strings.ToLower(word), minStem)
	if ok && len(stem) < len(word) && !slices.ContainsFunc(l.members[:n], func(member []unit) bool {
		prefix, ok := strings.CutSuffix(member[len(member)-1].Of(l.text), "-")
		return !ok || !english.WordPrefixes[strings.ToLower(prefix)]
	}) {
		l = l.cut(n, 0, len(word)-len(stem))
	}
	return l.names(l.shares(), func(string) bool { return true })
}

// words returns the words of a member.
func (l *list) words(member int) []string {
	words := make([]string, len(l.members[member]))
	for i, u := range l.members[member] {
		words[i] = u.Of(l.text)
	}
	return words
}

// shares returns what each member takes from others, judging only by the words of the list. Numbers and letters take
// everything around them. Members that begin with the same word (type 1 and type 2 diabetes) take what follows the last
// of them. Complements take the words up to the first "of". Others take the words after the last modifier.
func (l *list) shares() []share {
	first, last := l.words(0), l.words(len(l.members)-1)
	of := slices.IndexFunc(first, isComplement)
	switch {
	case l.unspaced:
		shares := l.alike(0, 0)
		for i := range shares {
			shares[i].tail = utf8.RuneCountInString(sharedHead(strings.Join(l.words(i), ""), strings.Join(last, "")))
		}
		return shares
	case l.areDesignators():
		return l.alike(len(first)-1, len(last)-1)
	case l.areRepeated(first):
		return l.alike(0, len(last)-len(first))
	case of <= 0 || of == len(first)-1:
		return l.alike(0, len(last)-1)
	}
	shares := l.alike(of+1, 0)
	for i := range shares {
		switch words := l.words(i); {
		case slices.ContainsFunc(words, isComplement):
			shares[i].head = 0
		case isArticle(first[of+1]) && !isArticle(words[0]):
			shares[i].head++
		}
	}
	return shares
}

func isComplement(word string) bool { return strings.EqualFold(word, english.Complement) }
func isArticle(word string) bool    { return strings.EqualFold(word, english.Article) }

// areDesignators reports whether the members differ in numbers and letters: "C6 or C7 deficiency".
func (l *list) areDesignators() bool {
	for i, member := range l.members {
		own := member[0]
		if i == 0 {
			own = member[len(member)-1]
		} else if i < len(l.members)-1 && len(member) > 1 {
			return false
		}
		if !isListDesignator(own.Of(l.text)) {
			return false
		}
	}
	return true
}

// isListDesignator reports whether a word is a single character, a Roman numeral, or a few letters and digits: B, 2,
// IV, C7, 1a.
func isListDesignator(word string) bool {
	if utf8.RuneCountInString(word) == 1 || normalize.IsRomanNumeral(strings.ToLower(word)) {
		return true
	}
	const maxLength = 4 // bytes: C10a
	return len(word) <= maxLength && strings.ContainsAny(word, digits)
}

// areRepeated reports whether all members begin with the same word, and have at least as many words as the first.
func (l *list) areRepeated(first []string) bool {
	for i := range l.members {
		if words := l.words(i); !strings.EqualFold(words[0], first[0]) || len(words) < len(first) {
			return false
		}
	}
	return len(first) > 1
}
