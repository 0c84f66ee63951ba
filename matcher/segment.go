package matcher

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"ctxnorm"
)

// A segment is a character with the marks that combine with it, as Unicode's
// normalisation sees it (UAX #15, section 9).
type segmentKind int

const (
	segmentSeparator segmentKind = iota
	segmentIgnored               // stands for nothing: soft hyphen, zero-width space, an accent on nothing
	segmentMark                  // belongs to the word before it: a vowel sign of Thai or Devanagari
	segmentWord                  // part of a word
	segmentAlone                 // a word of its own: a script without spaces
)

// readBeyond reads segments from text[i:] until the next byte is ASCII and not
// in the middle of a word, and gives the position there and whether a separator
// came last. Where inWord is set, text[i] goes on with the last token.
func (p *passage) readBeyond(text string, i int, gap, inWord bool, table *caseTable) (int, bool) {
	for i < len(text) {
		if text[i] < utf8.RuneSelf && (!inWord || table.of[text[i]] == separator) {
			break
		}
		kind, size := p.readSegment(text[i:], table.lower)
		rest := len(text) - i - size
		switch kind {
		case segmentSeparator:
			gap, inWord = true, false
		case segmentMark:
			if !gap && len(p.tokens) > 0 {
				p.extend(i+size, rest)
			}
		case segmentWord:
			if !inWord {
				p.open(i, gap)
			}
			p.extend(i+size, rest)
			gap, inWord = false, true
		case segmentAlone:
			p.open(i, gap)
			p.extend(i+size, rest)
			gap, inWord = false, false
		}
		i += size
	}
	return i, gap
}

// open begins a token at text[start:].
func (p *passage) open(start int, gap bool) {
	joined := !gap && len(p.tokens) > 0
	if gap && len(p.tokens) > 0 {
		p.normal = append(p.normal, ' ')
	}
	at := len(p.normal)
	p.tokens = append(p.tokens, Token{
		Raw:    ctxnorm.Span{Start: start, End: start},
		Normal: ctxnorm.Span{Start: at, End: at},
		Joined: joined,
	})
}

// extend adds the segment at hand, which ends at text[:end], to the last token
// and keeps room for the rest bytes of the text that follow.
func (p *passage) extend(end, rest int) {
	p.normal = append(p.normal, p.segment...)
	last := &p.tokens[len(p.tokens)-1]
	last.Raw.End = end
	last.Normal.End = len(p.normal)
	p.normal = slices.Grow(p.normal, rest+padding)
}

// readSegment leaves the normal form of the segment that text begins with in
// p.segment, and gives its kind and its length in text.
func (p *passage) readSegment(text string, lower bool) (segmentKind, int) {
	first, size := utf8.DecodeRuneInString(text)
	if first == utf8.RuneError && size <= 1 {
		return segmentSeparator, 1
	}
	size = max(size, norm.NFKC.NextBoundaryInString(text, true))
	kind := kindOf(first, text)
	if kind == segmentWord || kind == segmentMark {
		p.segment = appendForm(p.segment[:0], text[:size], lower)
		if form, _ := utf8.DecodeRune(p.segment); kind == segmentWord && unspaced(form) {
			kind = segmentAlone
		}
	}
	return kind, size
}

// kindOf is the kind of the segment that text begins with; first is its first
// rune. A word of a script without spaces is not yet told apart.
func kindOf(first rune, text string) segmentKind {
	switch {
	case first < utf8.RuneSelf && lowerCase.of[first] == separator:
		return segmentSeparator
	case !norm.NFKC.PropertiesString(text).BoundaryBefore():
		return segmentIgnored // combines with a character before it, and there is none
	case unicode.IsLetter(first), unicode.IsNumber(first):
		return segmentWord
	case unicode.Is(unicode.Cf, first), unicode.Is(unicode.Variation_Selector, first):
		return segmentIgnored
	case unicode.IsMark(first):
		return segmentMark
	}
	return segmentSeparator
}

// appendForm appends the compatibility form of a segment, without its accents
// if it is Latin. A segment whose compatibility form is no word (½ is 1⁄2) keeps
// its canonical form.
func appendForm(dst []byte, segment string, lower bool) []byte {
	if len(segment) == 1 {
		return appendFolded(dst, rune(segment[0]), lower)
	}
	var space [64]byte
	form := norm.NFKD.AppendString(space[:0], segment)
	if first, _ := utf8.DecodeRune(form); first < utf8.RuneSelf && isWord(first) || unicode.Is(unicode.Latin, first) {
		bare := len(dst)
		for _, r := range string(form) {
			if isWord(r) {
				dst = appendFolded(dst, r, lower)
			} else if !unicode.IsMark(r) {
				dst = dst[:bare]
				form = norm.NFC.AppendString(form[:0], segment)
				return appendAllFolded(dst, form, lower)
			}
		}
		return dst
	}
	form = norm.NFKC.AppendString(form[:0], segment)
	if !standsAsWord(form) {
		form = norm.NFC.AppendString(form[:0], segment)
	}
	return appendAllFolded(dst, form, lower)
}

// standsAsWord reports whether a form is of letters, numbers and their marks
// and would not combine with what is written before it, as the Hangul letter ㄳ
// would in its compatibility form.
func standsAsWord(form []byte) bool {
	for i, r := range string(form) {
		if !isWord(r) && (i == 0 || !unicode.IsMark(r)) {
			return false
		}
	}
	return norm.NFKC.Properties(form).BoundaryBefore()
}

func isWord(r rune) bool {
	if uint32(r) < utf8.RuneSelf {
		return lowerCase.of[r] > beyond
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}
