package lists

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

var unspaced = &language.Rules.Unspaced

// scanUnspaced returns the characters of a list in Japanese, which has no spaces between words:
//
//	胃癌及び大腸癌           胃癌 · 大腸癌
//	急性または慢性腎不全     急性腎不全 · 慢性腎不全
//	肝・腎機能障害           肝機能障害 · 腎機能障害
//	１型・２型糖尿病         １型糖尿病 · ２型糖尿病
//	B型及びC型肝炎           B型肝炎 · C型肝炎
//	悪心、嘔吐               悪心 · 嘔吐
func scanUnspaced(s string, part text.Span) (units []unit) {
	joined := false
	for at := part.Start; at < part.End; {
		kind, size := conjunction, unspacedConjunction(s[:part.End], at)
		if size == 0 {
			_, size = utf8.DecodeRuneInString(s[at:part.End])
			kind = plain
		}
		u := unit{text.Span{Start: at, End: at + size}, kind, joined}
		if joined = kind == plain && strings.TrimSpace(u.Of(s)) != ""; joined || kind == conjunction {
			units = append(units, u)
		}
		at += size
	}
	return units
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

// sharedHead returns the words of the last member that an earlier one without a head noun needs: those after the
// modifier of the last member, which ends in the same character as the earlier one (性, 型), or else the head noun.
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

// unspacedHead returns the longest word for a disease at the end of a name, or "". It also returns it if the name
// consists only of that word.
func unspacedHead(name string) string {
	head := ""
	for _, word := range unspaced.DiseaseNouns {
		if len(word) > len(head) && strings.HasSuffix(name, word) {
			head = word
		}
	}
	return head
}
