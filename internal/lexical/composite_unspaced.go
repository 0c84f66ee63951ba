package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

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
