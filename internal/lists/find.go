// Package lists finds the names that a text combines in a list in which they share words: "breast and ovarian cancer".
package lists

import (
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/text"
)

// List is a list in a text.
type List struct {
	text.Span
	Members []Member
}

// Find returns the lists in a text whose members are all names, at least one of them in pieces. found are the names
// found in the text, in order. isWord reports whether a word occurs in names; see [Split] for isName. A list is beside
// one of the found names, or joins numbers, letters or parts of words, and ends at punctuation. It never lies within a
// name.
func Find(s string, found []text.Span, isWord, isName func(string) bool) (lists []List) {
	edges := make(map[int]bool, 2*len(found))
	for _, name := range found {
		edges[name.Start], edges[name.End] = true, true
	}
	units := scan(s, text.Span{End: len(s)}, "", true)
	for i, u := range units {
		if u.kind != conjunction {
			continue
		}
		for len(found) > 0 && found[0].End <= u.Start {
			found = found[1:]
		}
		if len(found) > 0 && found[0].Start < u.Start {
			continue
		}
		const before, behind = 20, 6 // words
		from, to := i, i+1
		isNear := to < len(units) && (edges[units[to].Start] || s[units[to].Start] == '-' || isListDesignator(units[to].Of(s)))
		for from > 0 && i-from < before && units[from-1].kind <= separator {
			from--
			isNear = isNear || edges[units[from].End] || s[units[from].End-1] == '-'
		}
		for to < len(units) && to-i <= behind && units[to].kind == plain {
			to++
		}
		if !isNear {
			continue
		}
		if l := listOf(s, units[from:to]); l != nil {
			if members := l.found(edges, isWord, isName); members != nil {
				last := members[len(members)-1].Pieces
				span := text.Span{Start: members[0].Pieces[0].Start, End: last[len(last)-1].End}
				lists = append(lists, List{span, members})
			}
		}
	}
	return lists
}

// found returns the members of a list whose first and last members may be surrounded by other words, or nil if no
// member is in pieces. See [Find].
func (l *list) found(edges map[int]bool, isWord, isName func(string) bool) (found []Member) {
	const longest = 3 // words of a member between others
	n := len(l.members) - 1
	last := l.members[n]
	for from := n - 1; from >= 0 && (from == n-1 || len(l.members[from+1]) <= longest); from-- {
		end := l.members[from][len(l.members[from])-1]
		if edges[last[0].Start] || edges[end.End] || l.isSuspended(l.members[from]) || l.isContinued(last) ||
			isListDesignator(end.Of(l.text)) && isListDesignator(last[0].Of(l.text)) {
			part := *l
			part.members = slices.Clone(l.members[from:])
			members := part.within(isWord, isName)
			if members == nil || found != nil && len(members[0].Pieces) == 1 {
				continue
			}
			pieces := members[len(members)-1].Pieces
			own := pieces[len(pieces)-1]
			isAlone := len(pieces) > 1 && edges[own.Start] && edges[own.End] // "muscle atrophy and weakness", where both are names
			if !isAlone || slices.ContainsFunc(l.words(from), isComplement) {
				found = members
			}
		}
	}
	return found
}

// within returns the members of the longest list without words before and after it, if all are names and at least one
// is in pieces.
func (l *list) within(isWord, isName func(string) bool) []Member {
	const longest = 6 // words of the first member
	isKnown := func(u unit) bool {
		word := u.Of(l.text)
		return isFunctionWord(word) || isListDesignator(word) && word != strings.ToLower(word) || // the I of "type I"
			!isStopWord(word) && (isWord(word) || strings.ContainsAny(word, "-"+digits))
	}
	first, last := l.members[0], l.members[len(l.members)-1]
	start, end := len(first), 0
	for start > 0 && len(first)-start < longest && isKnown(first[start-1]) {
		start--
	}
	for end < len(last) && isKnown(last[end]) {
		end++
	}
	for from := start; from < len(first); from++ {
		for to := end; to > 0 && !isFunctionWord(first[from].Of(l.text)); to-- {
			if to > 1 && isFunctionWord(last[to-1].Of(l.text)) || to == 1 && len(last) > 1 && strings.Trim(last[0].Of(l.text), digits) == "" &&
				!isStopWord(last[1].Of(l.text)) && l.text[last[0].Start-1] != '/' {
				continue // "SCA1 and 3 controls", but "BRCA1/2 carriers"
			}
			l.members[0], l.members[len(l.members)-1] = first[from:], last[:to]
			if members := l.confirmed(isName); members != nil {
				if slices.ContainsFunc(members, func(m Member) bool { return len(m.Pieces) > 1 }) {
					return members
				}
				return nil
			}
		}
	}
	return nil
}

func isStopWord(word string) bool {
	return language.Rules.Recognition.StopWords[strings.ToLower(word)]
}

func isFunctionWord(word string) bool {
	return english.FunctionWords[strings.ToLower(word)]
}
