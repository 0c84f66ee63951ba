package lexical

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

var english = &language.Rules.Names

// SplitComposite returns the names that a composite mention stands for, one for each
// sub-mention, and nil if the mention is not composite:
//
//	breast and ovarian cancer         breast cancer · ovarian cancer
//	cancers of the breast and ovary   cancers of the breast · cancers of the ovary
//	hepatitis B and C                 hepatitis B · hepatitis C
//	type 1 or type 2 diabetes         type 1 diabetes · type 2 diabetes
//	hypo- and hyperglycaemia          hypoglycaemia · hyperglycaemia
//	nausea, vomiting and headache     nausea · vomiting · headache
//	gout; type 1 and type 2 diabetes  gout · type 1 diabetes · type 2 diabetes
//
// A composite mention is a list closed by "and", "or", "and/or", "&" or a slash, or mentions apart from each other with
// semicolons between them, as in a cell of a table. A member of the list that is not a whole name is completed from its
// neighbors: modifiers take the words after the last modifier, complements the words before the first complement. It is
// the rule of D'Souza & Ng, "Sieve-Based Entity Linking for the Biomedical Domain", ACL 2015, section 4, with lists and
// designators added.
//
// The rules look at words only, so a name that merely looks like a list ("head and
// neck cancer", "foot and mouth disease") is split too: look up the whole name first.
//
// Japanese has rules of its own, see splitUnspaced. A mention of more than 500 bytes is a passage, and
// is not split: each of its members may take all words of another.
func SplitComposite(surface string) []string {
	if len(surface) > longestComposite {
		return nil
	}
	if names, ok := splitUnspaced(surface); ok {
		return names
	}
	if strings.Contains(surface, ";") {
		return splitApart(surface)
	}
	list, ok := conjuncts(surface)
	if !ok {
		return nil
	}
	rules := []func([][]string) [][]string{
		splitPrefixes, splitDesignators, splitRepeated, splitComplements, splitModifiers,
	}
	for _, rule := range rules {
		if subMentions := rule(list); subMentions != nil {
			names := make([]string, len(subMentions))
			for i, words := range subMentions {
				names[i] = strings.Join(words, " ")
			}
			return names
		}
	}
	return nil
}

// splitApart splits mentions with semicolons between them, and each of them.
func splitApart(surface string) []string {
	var names []string
	mentions := 0
	for mention := range strings.SplitSeq(surface, ";") {
		if mention = strings.TrimSpace(mention); mention == "" {
			continue
		}
		mentions++
		if split := SplitComposite(mention); split != nil {
			names = append(names, split...)
		} else {
			names = append(names, mention)
		}
	}
	if mentions < 2 {
		return nil
	}
	return names
}

// longestComposite is the length of the longest mention that is split, in bytes. The longest composite
// mentions of annotated corpora have 85.
const longestComposite = 500

// apartConjunctions sets commas and ampersands apart, as words.
var apartConjunctions = strings.NewReplacer(",", " , ", "&", " and ")

// conjuncts returns the words of each member of a list. It reports whether surface is
// a closed list of at least two members.
func conjuncts(surface string) ([][]string, bool) {
	surface = apartConjunctions.Replace(surface)
	var list [][]string
	var member []string
	closed := false // whether a conjunction was seen
	add := func() bool {
		if len(member) > 0 {
			list = append(list, member)
		}
		ok := len(member) > 0
		member = nil
		return ok
	}
	for word := range strings.FieldsSeq(surface) {
		switch lower := strings.ToLower(word); {
		case slices.Contains(english.Conjunctions, lower):
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

// isPlainWord reports whether a word has at least three characters, all of them
// letters or hyphens: neither a number nor a letter of "a/c".
func isPlainWord(word string) bool {
	for _, r := range word {
		if !unicode.IsLetter(r) && r != '-' {
			return false
		}
	}
	return utf8.RuneCountInString(word) > 2
}

// The rules of [SplitComposite]. A rule takes the members of a list, two or more and
// none empty. It returns the words of each sub-mention, or nil if it does not apply.

// splitPrefixes completes prefixes that end in a hyphen: "hypo- and hyperthyroidism".
func splitPrefixes(list [][]string) [][]string {
	last := list[len(list)-1]
	const minStem = 4 // bytes
	stem, ok := normalize.CutWordPrefix(strings.ToLower(last[0]), minStem)
	if !ok {
		return nil
	}
	subMentions := slices.Clone(list)
	for i, member := range list[:len(list)-1] {
		prefix, ok := strings.CutSuffix(member[len(member)-1], "-")
		if !ok || !normalize.IsWordPrefix(strings.ToLower(prefix)) {
			return nil
		}
		whole := append(slices.Clone(member[:len(member)-1]), prefix+stem)
		subMentions[i] = append(whole, last[1:]...)
	}
	return subMentions
}

// splitDesignators completes numbers and letters: "hepatitis B and C infection",
// "C6 or C7 deficiency", "types 1 and 2".
func splitDesignators(list [][]string) [][]string {
	first, last := list[0], list[len(list)-1]
	head := first[:len(first)-1]
	tail := last[1:]
	for i, member := range list {
		designator := member[0]
		switch {
		case i == 0:
			designator = member[len(member)-1]
		case i < len(list)-1 && len(member) > 1:
			return nil
		}
		if !isListDesignator(designator) {
			return nil
		}
	}
	if len(head) == 0 && len(tail) == 0 {
		return nil // "B and C"
	}
	subMentions := make([][]string, len(list))
	for i, member := range list {
		designator := member[0]
		if i == 0 {
			designator = member[len(member)-1]
		}
		subMentions[i] = append(append(slices.Clone(head), designator), tail...)
	}
	return subMentions
}

// isListDesignator reports whether a word is a single character, a Roman numeral, or a
// few letters and digits: B, 2, IV, C7, 1a.
func isListDesignator(word string) bool {
	if utf8.RuneCountInString(word) == 1 || normalize.IsRomanNumeral(strings.ToLower(word)) {
		return true
	}
	const maxLength = 4 // bytes: C10a
	return len(word) <= maxLength && strings.ContainsAny(word, "0123456789")
}

// splitRepeated completes members that begin with the same word: "type 1 and type 2
// diabetes".
func splitRepeated(list [][]string) [][]string {
	last := list[len(list)-1]
	n := len(list[0])
	if n < 2 || len(last) < n {
		return nil
	}
	for _, member := range list {
		if !strings.EqualFold(member[0], last[0]) || len(member) < n {
			return nil
		}
	}
	subMentions := make([][]string, len(list))
	for i, member := range list[:len(list)-1] {
		subMentions[i] = append(slices.Clone(member), last[n:]...)
	}
	subMentions[len(list)-1] = last
	return subMentions
}

// splitComplements puts the words up to the first "of" before each member: "cancers of
// the breast and ovary".
func splitComplements(list [][]string) [][]string {
	first := list[0]
	isComplement := func(word string) bool { return strings.EqualFold(word, english.Complement) }
	at := slices.IndexFunc(first, isComplement)
	if at <= 0 || at == len(first)-1 {
		return nil
	}
	shared := first[:at+1]
	if strings.EqualFold(first[at+1], english.Article) {
		shared = first[:at+2]
	}
	subMentions := make([][]string, len(list))
	for i, member := range list {
		switch {
		case i == 0 || slices.ContainsFunc(member, isComplement):
			subMentions[i] = member
		case strings.EqualFold(member[0], english.Article):
			subMentions[i] = append(slices.Clone(first[:at+1]), member...)
		default:
			subMentions[i] = append(slices.Clone(shared), member...)
		}
	}
	return subMentions
}

// splitModifiers puts the words after the last modifier, if there are any, behind each member that has no
// head: "breast, colon and ovarian cancer". Members that are whole names end in the head of a name.
func splitModifiers(list [][]string) [][]string {
	last := list[len(list)-1]
	head := last[1:]
	subMentions := make([][]string, len(list))
	for i, member := range list {
		subMentions[i] = member
		if i < len(list)-1 && !isHead(member[len(member)-1]) {
			subMentions[i] = append(slices.Clone(member), head...)
		}
	}
	return subMentions
}

// isHead reports whether a word can be the head, the last word, of a disease name: one
// of a few general nouns, or a word with a suffix that means a disease.
func isHead(word string) bool {
	word = normalize.CanonicalWord(strings.ToLower(word))
	if normalize.IsDiseaseNoun(word) {
		return true
	}
	return slices.ContainsFunc(english.DiseaseSuffixes, func(suffix string) bool {
		return len(word) > len(suffix)+1 && strings.HasSuffix(word, suffix)
	})
}

var unspaced = &language.Rules.Unspaced

// splitUnspaced is [SplitComposite] for a mention in Japanese, without spaces between its words:
//
//	胃癌及び大腸癌           胃癌 · 大腸癌
//	急性または慢性腎不全     急性腎不全 · 慢性腎不全
//	肝・腎機能障害           肝機能障害 · 腎機能障害
//	１型・２型糖尿病         １型糖尿病 · ２型糖尿病
//	B型及びC型肝炎           B型肝炎 · C型肝炎
//	悪心、嘔吐               悪心 · 嘔吐
//
// A member that does not end in a word for a disease takes what follows the modifier of the last member: after the
// character that ends both modifiers (性, 型), or else the longest such word that the last member ends in. ok is
// false if the mention is not Japanese.
func splitUnspaced(surface string) (names []string, ok bool) {
	if !strings.ContainsFunc(surface, normalize.IsUnspacedScript) {
		return nil, false
	}
	members := unspacedConjuncts(surface)
	if len(members) < 2 {
		return nil, true
	}
	last := members[len(members)-1]
	for i, member := range members[:len(members)-1] {
		if unspacedHead(member) == "" {
			members[i] = member + sharedHead(member, last)
		}
	}
	return members, true
}

// unspacedConjuncts returns the members of a list, and nil if one would be empty.
func unspacedConjuncts(surface string) []string {
	var members []string
	start := 0
	for at := 0; at < len(surface); {
		size := unspacedConjunction(surface, at)
		if size == 0 {
			_, size = utf8.DecodeRuneInString(surface[at:])
			at += size
			continue
		}
		member := strings.TrimSpace(surface[start:at])
		if member == "" && len(members) == 0 {
			return nil
		}
		if member != "" { // "、及び" is one conjunction
			members = append(members, member)
		}
		at += size
		start = at
	}
	last := strings.TrimSpace(surface[start:])
	if last == "" {
		return nil
	}
	return append(members, last)
}

// unspacedConjunction returns the length of the conjunction at surface[at:], or 0.
func unspacedConjunction(surface string, at int) int {
	for _, word := range unspaced.Conjunctions {
		if !strings.HasPrefix(surface[at:], word) {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(surface[:at])
		after, _ := utf8.DecodeRuneInString(surface[at+len(word):])
		switch {
		case strings.Contains(unspaced.Particles, word):
			if unicode.Is(unicode.Hiragana, before) && unicode.Is(unicode.Hiragana, after) {
				return 0 // part of a word: ひとみ
			}
		case word == "・", word == "･":
			if unicode.Is(unicode.Katakana, before) && unicode.Is(unicode.Katakana, after) || before == 'ー' {
				return 0 // within a name: ギラン・バレー症候群
			}
		}
		return len(word)
	}
	return 0
}

// sharedHead returns the words of the last member that an earlier one needs.
func sharedHead(member, last string) string {
	ends, size := utf8.DecodeLastRuneInString(member)
	if strings.ContainsRune(unspaced.ModifierEnds, ends) {
		if i := strings.IndexRune(last, ends); i >= 0 && i+size < len(last) {
			return last[i+size:]
		}
	}
	if i := strings.IndexRune(last, unspaced.TypeEnd); i >= 0 && normalize.CountWordRunes(member) == 1 &&
		!strings.ContainsFunc(member, normalize.IsUnspacedScript) {
		return last[i:] // B・C型肝炎
	}
	return unspacedHead(last)
}

// unspacedHead returns the longest word for a disease that a name ends in, "" if there is none. A name that is
// nothing else has a head, too.
func unspacedHead(name string) string {
	head := ""
	for _, word := range unspaced.DiseaseNouns {
		if len(word) > len(head) && strings.HasSuffix(name, word) {
			head = word
		}
	}
	return head
}
