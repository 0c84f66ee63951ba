package normalize

import (
	"slices"
	"strings"
)

// maxJoined is the length in bytes of the longest form of [JoinedForm].
const maxJoined = 16

// JoinedForm returns a name in normal form without what separates its words, and reports whether names are compared so:
// those of 3 to 16 ASCII letters and digits. A space stays between two digits, since "IL-1 2" is not IL-12.
//
//	il6      IL-6, IL6, Il 6
//	kras     KRAS, k-ras
//	sarscov2 SARS-CoV-2, SARS CoV2
func JoinedForm(name string) (form string, ok bool) {
	normal := Normal(name)
	if len(normal) < 3 || len(normal) > 2*maxJoined {
		return "", false
	}
	joined := make([]byte, 0, maxJoined)
	for i := range len(normal) {
		c := normal[i]
		switch {
		case c >= 0x80:
			return "", false
		case c == ' ' && (!isDigit(normal[i-1]) || !isDigit(normal[i+1])):
			continue
		}
		joined = append(joined, c)
	}
	return string(joined), len(joined) >= 3 && len(joined) <= maxJoined
}

// IsCode reports whether a name as the dictionary writes it is a code rather than words: it has a digit, or is mostly
// capitals.
func IsCode(name string) bool { return strings.ContainsAny(name, "0123456789") || MostlyCapitals(name) }

// JoinedVariants returns the variants of a name, in normal form with its case or without, in which letters and the
// number beside them are joined or apart: COVID-19 and COVID19, IL6 and IL-6. Of a code, whose words are written in any
// way, letters may be joined to letters too: SARSCoV-2. A sign may be a word: CD4+ and CD4-positive. What the name has in
// one word may be apart by a hyphen; by a space only behind four letters, since "MI 2" is no MI2.
func JoinedVariants(name string, code bool) []Variant {
	if len(name) > maxJoinedName {
		return nil
	}
	words := strings.Split(name, " ")
	var all []Variant
	add := func(v Variant) {
		if v.Form != name && !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	joinable := 0
	everything := words[0]
	for i, word := range words[1:] {
		before := words[i]
		if before == "" || word == "" || !joins(before[len(before)-1], word[0], code) {
			everything += " " + word
			continue
		}
		everything += word
		if joinable++; joinable > maxJoints {
			return nil
		}
		joined := slices.Delete(slices.Clone(words), i+1, i+2)
		joined[i] += word
		add(Variant{Form: strings.Join(joined, " ")})
	}
	if joinable > 1 {
		add(Variant{Form: everything})
	}
	const enough = 4 // letters
	for i, word := range words {
		letters := strings.TrimRight(word, "0123456789")
		if letters == "" || letters == word || !isASCIILetters(letters) {
			continue
		}
		v := Variant{Form: replaceWord(words, i, letters+" "+word[len(letters):])}
		if len(letters) < enough {
			v.Hyphen = tokensBefore(words, i, letters)
		}
		add(v)
	}
	for i, word := range words {
		bare := word[:BareLength([]byte(word))]
		if sign := lang.Signs[word[len(bare):]]; sign != "" {
			add(Variant{Form: replaceWord(words, i, bare+" "+sign)})
		}
		for sign, name := range lang.Signs {
			if name == word && i > 0 && hasDigit(words[i-1]) {
				joined := slices.Delete(slices.Clone(words), i, i+1)
				joined[i-1] += sign
				add(Variant{Form: strings.Join(joined, " ")})
			}
		}
	}
	return all
}

const (
	maxJoinedName = 200 // bytes of a name that has joined variants
	maxJoints     = 4   // the largest number of places at which its words are joined
)

// joins reports whether two words are written as one if the first ends and the second begins so.
func joins(last, first byte, code bool) bool {
	return isDigit(last) && isLetter(first) || isLetter(last) && (isDigit(first) || code && isLetter(first))
}

func isASCIILetters(s string) bool {
	for i := range len(s) {
		if !isLetter(s[i]) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
