package matcher

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// In Japanese and Chinese every character is a token, because nothing separates words. So a name found among them may
// be a piece of a word: ガン in スローガン (slogan), がん in がんばる (to persist), 癌 in 胃癌 (gastric cancer, which has its own
// name).

var japanese = &language.Rules.Unspaced

// splitsWord reports whether a name found at a span begins or ends inside a word, judging by the
// characters on either side of it:
//
//	Katakana   continues in Katakana
//	Hiragana   continues in Hiragana, unless that is a particle or a separate ending
//	a kanji    alone is a word only if no other kanji or Katakana is beside it
//
// Several kanji are a word even within a longer one, like 糖尿病 in 糖尿病患者 (diabetic patient), but not before
// the word for an organism: 肺炎球菌 is the pneumococcus.
func splitsWord(raw string, at text.Span) bool {
	if raw[at.Start] < utf8.RuneSelf && raw[at.End-1] < utf8.RuneSelf { // the usual case
		return false
	}
	first, size := utf8.DecodeRuneInString(raw[at.Start:])
	last, _ := utf8.DecodeLastRuneInString(raw[:at.End])
	before, _ := utf8.DecodeLastRuneInString(raw[:at.Start])
	after, _ := utf8.DecodeRuneInString(raw[at.End:])
	alone := size == at.Len()
	switch {
	case isKatakana(first) && isKatakana(before), isKatakana(last) && isKatakana(after):
		return true
	case isHiragana(first) && isHiragana(before) && (alone || !strings.ContainsRune(japanese.BeforeHiragana, before)):
		return true
	case isHiragana(last) && isHiragana(after) && (alone || !strings.ContainsRune(japanese.AfterHiragana, after)):
		return true
	case !unicode.Is(unicode.Han, last):
		return false
	case alone:
		return isKanji(before) || isKatakana(before) || isKanji(after) || isKatakana(after)
	}
	return slices.ContainsFunc(japanese.Organisms, func(name string) bool { return strings.HasPrefix(raw[at.End:], name) })
}

// isCut reports whether the words from first to last, a name, are part of another name: eclampsia in "pre-eclampsia",
// pain in "pain-free", MK in "MK-801". A beginning of one or two letters in capitals is a short form: "AD-dementia".
func (r *reader) isCut(first, last int) bool {
	if first > 0 {
		gap, before := r.gap(first), r.tokens[first-1]
		hyphen := isHyphen(strings.TrimSpace(gap))
		isShortForm := before.Raw.Len() < 3 && normalize.AllCapitals(r.raw[before.Raw.Start:before.Raw.End])
		if (hyphen || gap == " ") && !isShortForm && normalize.ChangesName(r.word(first-1), hyphen) &&
			!(first > 1 && english.Past[r.word(first-2)+" "+r.word(first-1)]) { // status post
			return true
		}
	}
	if last+1 == len(r.tokens) || !isHyphen(r.gap(last+1)) {
		return false
	}
	behind := r.word(last + 1)
	isCode := len(behind) >= minCodeDigits && strings.Trim(behind, "0123456789") == "" &&
		normalize.AllCapitals(r.raw[r.tokens[first].Raw.Start:r.tokens[last].Raw.End])
	return english.OtherBehind[behind] || isCode
}

// minCodeDigits is the number of digits from which a number behind a short form makes it a code, rather than a type:
// "SCA-17".
const minCodeDigits = 3

// word returns a word in normal form.
func (r *reader) word(i int) string {
	return string(r.normal[r.tokens[i].Normal.Start:r.tokens[i].Normal.End])
}

// gap returns the text between a word and the previous one.
func (r *reader) gap(i int) string {
	return r.raw[r.tokens[i-1].Raw.End:r.tokens[i].Raw.Start]
}

func isHyphen(gap string) bool {
	return gap != "" && strings.Trim(gap, normalize.Hyphens) == ""
}

func isKatakana(r rune) bool { return unicode.Is(unicode.Katakana, r) || r == 'ー' || r == 'ｰ' }
func isHiragana(r rune) bool { return unicode.Is(unicode.Hiragana, r) }
func isKanji(r rune) bool    { return unicode.Is(unicode.Han, r) } // also 々, which repeats one
