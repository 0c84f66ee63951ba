package normalize

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/ctxnorm/ctxnorm/text"
)

// segmentKind is the kind of a segment: a character with its combining marks, as defined by Unicode normalization (UAX
// #15, section 9).
type segmentKind int

const (
	segmentSeparator segmentKind = iota
	segmentIgnored               // contributes nothing: soft hyphen, zero-width space, an accent without a letter
	segmentMark                  // belongs to the previous word: a vowel sign of Thai or Devanagari
	segmentWord                  // part of a word
	segmentAlone                 // a separate word: in a script without spaces
)

// normalizeNonASCII normalizes segments from raw[i:] on, up to an ASCII byte that is not inside a word. It returns the
// position of that byte and whether the last segment was a separator. If inWord is set, raw[i] continues the last
// token.
func (n *Normalizer) normalizeNonASCII(raw string, i int, gap, inWord bool, table *caseTable) (int, bool) {
	for i < len(raw) {
		if class := table.class[raw[i]]; raw[i] < utf8.RuneSelf && (!inWord || class == separator || class == maybeSign) {
			break
		}
		kind, size := n.normalizeSegment(raw[i:], table.lower)
		if rest, found := strings.CutPrefix(raw[i:], "ß"); found && // where no German word has it
			(!inWord || unicode.IsDigit(n.lastRune()) || rest != "" && rest[0] >= '0' && rest[0] <= '9') {
			n.segment = append(n.segment[:0], "β"...)
		}
		switch kind {
		case segmentSeparator:
			next := i
			if next, gap = n.sign(raw, i, gap); next > i {
				size = next - i
			}
			inWord = n.open
		case segmentMark:
			if !gap && len(n.tokens) > 0 {
				n.extendToken(i + size)
			}
		case segmentWord:
			if !inWord {
				n.startToken(i, gap)
			}
			n.open = false
			n.extendToken(i + size)
			gap, inWord = false, true
			n.hangul = n.hangul || unicode.Is(unicode.Hangul, n.lastRune())
		case segmentAlone:
			n.startToken(i, gap && !n.goesOn(raw[:i]))
			n.extendToken(i + size)
			gap, inWord = false, false
			if last, dash := n.lastRune(), longVowelDash(raw[i+size:]); dash > 0 && isLengthened(last) {
				i += size
				size = dash
				n.segment = append(n.segment[:0], "ー"...)
				n.startToken(i, false)
				n.extendToken(i + size)
			}
		}
		i += size
	}
	return i, gap
}

// goesOn reports whether the end of raw is separated from the last token only by a line end within a word of a script
// without spaces.
func (n *Normalizer) goesOn(raw string) bool {
	if len(n.tokens) == 0 || !IsUnspacedScript(n.lastRune()) {
		return false
	}
	between := raw[n.tokens[len(n.tokens)-1].Raw.End:]
	return strings.Count(between, "\n") == 1 && strings.TrimSpace(between) == ""
}

// splitEndings splits off endings of words, see [language.Names.Endings], after two or more syllables, as separate
// tokens.
func (n *Normalizer) splitEndings(raw string) {
	words := slices.Clone(n.tokens)
	n.tokens = n.tokens[:0]
	for _, word := range words {
		at := len(n.tokens)
		for utf8.RuneCount(n.normal[word.Normal.Start:word.Normal.End]) > 2 {
			last, size := utf8.DecodeLastRune(n.normal[:word.Normal.End])
			if !strings.ContainsRune(lang.Endings, last) || !strings.HasSuffix(word.Raw.Of(raw), string(last)) {
				break
			}
			ending := Token{text.Span{Start: word.Raw.End - size, End: word.Raw.End},
				text.Span{Start: word.Normal.End - size, End: word.Normal.End}, true}
			word.Raw.End, word.Normal.End = ending.Raw.Start, ending.Normal.Start
			n.tokens = slices.Insert(n.tokens, at, ending)
		}
		n.tokens = slices.Insert(n.tokens, at, word)
	}
}

// lastRune returns the last character of the normal form.
func (n *Normalizer) lastRune() rune {
	last, _ := utf8.DecodeLastRune(n.normal)
	return last
}

// startToken appends an empty token at raw[start:].
func (n *Normalizer) startToken(start int, gap bool) {
	joined := !gap && len(n.tokens) > 0
	if gap && len(n.tokens) > 0 {
		n.normal = append(n.normal, ' ')
	}
	// Fill the token in place: copying a freshly built value stalls on its fields.
	n.tokens = append(n.tokens, Token{})
	token := &n.tokens[len(n.tokens)-1]
	token.Raw.Start, token.Raw.End = start, start
	token.Normal.Start, token.Normal.End = len(n.normal), len(n.normal)
	token.Joined = joined
}

// extendToken appends the current segment, which ends at raw[:end], to the last token.
func (n *Normalizer) extendToken(end int) {
	n.normal = append(n.normal, n.segment...)
	last := &n.tokens[len(n.tokens)-1]
	last.Raw.End = end
	last.Normal.End = len(n.normal)
}

// normalizeSegment sets n.segment to the normal form of the first segment of a text.
// It returns the segment's kind and its length in the text.
func (n *Normalizer) normalizeSegment(raw string, lower bool) (segmentKind, int) {
	first, size := utf8.DecodeRuneInString(raw)
	if first == utf8.RuneError && size <= 1 {
		return segmentSeparator, 1
	}
	size = max(size, norm.NFKC.NextBoundaryInString(raw, true))
	if size > utf8.RuneLen(first) && !unicode.Is(unicode.Hangul, first) {
		if letter := strings.IndexFunc(raw[:size], isHangulLetter); letter > 0 {
			size = letter
		}
	}
	kind := classify(first, raw)
	if kind == segmentWord || kind == segmentMark {
		n.segment = appendForm(n.segment[:0], raw[:size], lower)
		if form, size := utf8.DecodeRune(n.segment); size == 0 {
			kind = segmentIgnored
		} else if kind == segmentWord && IsUnspacedScript(form) {
			kind = segmentAlone
		}
	}
	return kind, size
}

// isHangulLetter reports whether r is a standalone Hangul letter. Its compatibility form would be part of a syllable.
func isHangulLetter(r rune) bool { return r >= 0x3131 && r <= 0x318E || r >= 0xFFA0 && r <= 0xFFDC }

// classify returns the kind of the first segment of a text, given its first rune. It does not distinguish segmentAlone
// from segmentWord.
func classify(first rune, raw string) segmentKind {
	switch {
	case first < utf8.RuneSelf && !IsWordRune(first):
		return segmentSeparator
	case !norm.NFKC.PropertiesString(raw).BoundaryBefore():
		return segmentIgnored // combines with a preceding character, but there is none
	case isModifierApostrophe(first):
		return segmentSeparator
	case IsInvisible(first):
		return segmentIgnored
	case unicode.IsLetter(first), unicode.IsNumber(first):
		return segmentWord
	case unicode.IsMark(first):
		return segmentMark
	}
	return segmentSeparator
}

// IsInvisible reports whether a character has no width or only changes how others look: a soft hyphen, a zero-width
// space or joiner, a direction mark, a byte-order mark, a variation selector, the stroke that lengthens Arabic letters.
// Normal forms never contain such characters.
func IsInvisible(r rune) bool {
	return unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) || r == 'ـ'
}

// hasAccents reports whether r is a letter of a script whose accents or vowel marks are often omitted in texts.
func hasAccents(r rune) bool {
	return unicode.In(r, unicode.Latin, unicode.Greek, unicode.Arabic, unicode.Hebrew) || r == 'ـ'
}

// appendForm appends the compatibility form of a segment without its accents, see hasAccents. A segment whose
// compatibility form is not a word (½ is 1⁄2) keeps its canonical form.
func appendForm(dst []byte, segment string, lower bool) []byte {
	if len(segment) == 1 {
		return appendRune(dst, rune(segment[0]), lower)
	}
	var space [64]byte
	form := norm.NFKD.AppendString(space[:0], segment)
	if first, _ := utf8.DecodeRune(form); first < utf8.RuneSelf && IsWordRune(first) || hasAccents(first) {
		bare := len(dst)
		for _, r := range string(form) {
			if IsWordRune(r) {
				dst = appendRune(dst, r, lower)
			} else if !unicode.IsMark(r) {
				dst = dst[:bare]
				form = norm.NFC.AppendString(form[:0], segment)
				return appendRunes(dst, form, lower)
			}
		}
		return dst
	}
	form = norm.NFKC.AppendString(form[:0], segment)
	if !standsAsWord(form) {
		form = norm.NFC.AppendString(form[:0], segment)
	}
	return appendRunes(dst, form, lower)
}

// standsAsWord reports whether a form consists of letters, numbers and their marks and does not combine with the
// preceding text, as the compatibility form of the Hangul letter ㄳ would.
func standsAsWord(form []byte) bool {
	for i, r := range string(form) {
		if !IsWordRune(r) && (i == 0 || !unicode.IsMark(r)) {
			return false
		}
	}
	return norm.NFKC.Properties(form).BoundaryBefore()
}

// appendRunes appends the runes of a form and drops the accents of its letters. The form of ŉ begins with an
// apostrophe.
func appendRunes(dst, form []byte, lower bool) []byte {
	accented := false
	for _, r := range string(form) {
		if unicode.IsMark(r) && accented {
			continue
		}
		accented = hasAccents(r)
		dst = appendRune(dst, r, lower)
	}
	return dst
}

// appendRune appends one rune of a word, in lower case if lower is set.
func appendRune(dst []byte, r rune, lower bool) []byte {
	if plain, ok := otherLetters[r]; ok {
		if !lower {
			return append(dst, plain...)
		}
		for _, letter := range plain {
			dst = utf8.AppendRune(dst, unicode.ToLower(letter))
		}
		return dst
	}
	if lower {
		r = unicode.ToLower(r)
	}
	if r == 'ς' {
		r = 'σ' // the final form of sigma
	}
	return utf8.AppendRune(dst, r)
}

// otherLetters maps letters that have no accent in Unicode, or keep it, to their usual replacements, and letters of
// other alphabets to the Greek ones that they stand for.
var otherLetters = map[rune]string{
	'ß': "ss", 'ẞ': "SS", 'æ': "ae", 'Æ': "AE", 'œ': "oe", 'Œ': "OE", 'ð': "d", 'Ð': "D", 'þ': "th", 'Þ': "TH",
	'ø': "o", 'Ø': "O", 'ł': "l", 'Ł': "L", 'đ': "d", 'Đ': "D", 'ħ': "h", 'Ħ': "H", 'ı': "i", 'ё': "е", 'Ё': "Е",
	'ٱ': "ا", 'ى': "ي", 'ی': "ي", 'ک': "ك", 'ة': "ه", 'ـ': "",
	'ɑ': "α", 'ꞵ': "β", 'ɣ': "γ", 'ɛ': "ε", 'Ɑ': "Α", 'Ꞵ': "Β", 'Ɣ': "Γ", 'Ɛ': "Ε", 'ĸ': "κ",
}

// IsUnspacedScript reports whether r belongs to a script that is written without spaces between words. The Katakana
// long vowel mark belongs to no script in Unicode's tables and counts as Katakana here.
func IsUnspacedScript(r rune) bool {
	const firstUnspaced, prolongedSound = '\u0e00', 'ー' // Thai is the first block of these scripts
	return r >= firstUnspaced && (r == prolongedSound || unicode.In(r,
		unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

// JoinsWords reports whether an adjacent letter or number belongs to the same word as r, that is, whether r is a letter
// or number of a script with spaces.
func JoinsWords(r rune) bool { return IsWordRune(r) && !IsUnspacedScript(r) }

// IsWordRune reports whether r is a letter or a number. Marks are neither.
func IsWordRune(r rune) bool {
	if uint32(r) < utf8.RuneSelf {
		return lowerCase.class[r] > maybeSign
	}
	return (unicode.IsLetter(r) || unicode.IsNumber(r)) && !isModifierApostrophe(r)
}

// IsNoWordRune reports whether r is neither a letter nor a number.
func IsNoWordRune(r rune) bool { return !IsWordRune(r) }

// Hyphens are the characters that join two words: Wiskott–Aldrich is also written with an en dash.
const Hyphens = "-‐‑–−﹣－"

// isModifierApostrophe reports whether r is one of the letters that look like and serve as an apostrophe: "Crohnʼs".
// Unicode classifies them as letters (Lm).
func isModifierApostrophe(r rune) bool { return r == 'ʻ' || r == 'ʼ' || r == 'ʽ' }

// CountWordRunes returns the number of letters and numbers in s.
func CountWordRunes(s string) int {
	n := 0
	for _, r := range s {
		if IsWordRune(r) {
			n++
		}
	}
	return n
}
