package matcher

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// SplitComposite gives the names that a composite mention is short for, and nil
// where it is not one:
//
//	breast and ovarian cancer         breast cancer · ovarian cancer
//	cancers of the breast and ovary   cancers of the breast · cancers of the ovary
//	hepatitis B and C                 hepatitis B · hepatitis C
//	type 1 or type 2 diabetes         type 1 diabetes · type 2 diabetes
//	hypo- and hyperglycaemia          hypoglycaemia · hyperglycaemia
//	nausea, vomiting and headache     nausea · vomiting · headache
//
// The parts are those of a list closed by "and", "or", "and/or", "&" or a slash.
// A part that does not stand for itself is filled up from its neighbours: what
// modifiers share is taken from behind the last of them, what complements share
// from before the first. It is the rule of D'Souza & Ng, "Sieve-Based Entity
// Linking for the Biomedical Domain", ACL 2015, section 4, with lists and designators added.
//
// Words alone decide, so a name that only looks like a list ("head and neck
// cancer", "foot and mouth disease") is split as well: ask for the whole first.
func SplitComposite(surface string) []string {
	list, ok := conjuncts(surface)
	if !ok {
		return nil
	}
	rules := []func([][]string) [][]string{
		splitPrefixes, splitDesignators, splitRepeated, splitComplements, splitWhole, splitModifiers,
	}
	for _, rule := range rules {
		if parts := rule(list); parts != nil {
			names := make([]string, len(parts))
			for i, part := range parts {
				names[i] = strings.Join(part, " ")
			}
			return names
		}
	}
	return nil
}

// conjuncts takes a list apart into the words of its members, at least two.
func conjuncts(surface string) ([][]string, bool) {
	surface = strings.NewReplacer("and/or", "and", ",", " , ", "&", " and ", ";", " , ").Replace(surface)
	var list [][]string
	var member []string
	closed := false // a conjunction was seen
	add := func() bool {
		if len(member) > 0 {
			list = append(list, member)
		}
		ok := len(member) > 0
		member = nil
		return ok
	}
	for _, word := range strings.Fields(surface) {
		switch lower := strings.ToLower(word); {
		case lower == "and" || lower == "or" || lower == "/":
			if !add() && len(list) == 0 {
				return nil, false // "and ovarian cancer"
			}
			closed = true
		case word == ",":
			add()
		default:
			if before, after, ok := strings.Cut(word, "/"); ok && isPlainWord(before) && isPlainWord(after) {
				member = append(member, before)
				add()
				word, closed = after, true
			}
			member = append(member, word)
		}
	}
	if !add() {
		return nil, false // "breast and"
	}
	return list, closed && len(list) > 1
}

// isPlainWord tells a word from a number, and from the letters of "a/c".
func isPlainWord(word string) bool {
	for _, r := range word {
		if !unicode.IsLetter(r) && r != '-' {
			return false
		}
	}
	return utf8.RuneCountInString(word) > 2
}
