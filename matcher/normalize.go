package matcher

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"

	"ctxnorm"
)

// Token is one word of a text, in its normal form and where it stands.
type Token struct {
	Raw    ctxnorm.Span // in the text
	Normal ctxnorm.Span // in the normal form
	Joined bool         // nothing stands between it and the token before: a script without spaces
}

// Normalize appends the normal form of text to dst: its words in lower case,
// joined by one space. Two names are equal to this package if their normal
// forms are.
//
// A word is a run of letters and numbers; all else separates. Letters are taken
// in Unicode's compatibility form (NFKC: full-width Ａ is A, the ligature ﬁ is
// fi), Latin letters without their accents (Sjögren is sjogren, Bjørnstad
// bjornstad), Greek letters as they are, final sigma as sigma. Soft hyphens and
// zero-width characters are passed over.
//
// In scripts written without spaces (Han, Hiragana, Katakana, Thai, Lao, Khmer,
// Myanmar) every character is a word of its own, decided character by character,
// and joined to its neighbours without a space where the text has none:
// "２型糖尿病" is "2型糖尿病", five words. So a name matches there wherever its
// characters stand, and the longest name wins. Hangul has spaces and is treated
// like Latin.
//
// Normalize(Normalize(x)) is Normalize(x).
func Normalize(dst []byte, text string) []byte {
	var p passage
	p.read(text, &lowerCase)
	return append(dst, p.normal...)
}

// Normal is [Normalize] as a string. It uses the room that another text had.
func Normal(text string) string {
	p := passages.Get().(*passage)
	defer passages.Put(p)
	p.read(text, &lowerCase)
	return string(p.normal)
}

var passages = sync.Pool{New: func() any { return new(passage) }}

// Tokens gives the words of text, and the normal form that they lie in. The
// words i to j of the text, text[tokens[i].Raw.Start:tokens[j].Raw.End], have the
// normal form normal[tokens[i].Normal.Start:tokens[j].Normal.End].
func Tokens(text string) (tokens []Token, normal string) {
	var p passage
	p.read(text, &lowerCase)
	return p.tokens, string(p.normal)
}

// passage is the normal form of one text. It is reused from text to text.
//
// INVARIANT: normal has at least padding bytes of capacity after its end, so
// that hashing may load 8 bytes at any position in it.
type passage struct {
	normal  []byte
	tokens  []Token
	segment []byte // the character at hand, where it is not ASCII
}

const padding = 8 // bytes, one load of tokenSet.hash

// A caseTable says what becomes of each byte: of a word, the byte itself or
// its lower case; else one of the two below, which no word holds.
type caseTable struct {
	of    [256]byte
	lower bool
	fold  uint64 // in each byte the bit that makes a capital small, or none
}

const (
	separator = 0
	beyond    = 1 // not ASCII: see passage.readSegment
)

var (
	lowerCase = newCaseTable(true)
	keepCase  = newCaseTable(false)
)

func newCaseTable(lower bool) caseTable {
	t := caseTable{lower: lower}
	if lower {
		t.fold = each * ('a' - 'A')
	}
	for c := range t.of {
		switch b := byte(c); {
		case b >= 0x80:
			t.of[c] = beyond
		case b >= 'a' && b <= 'z', b >= '0' && b <= '9':
			t.of[c] = b
		case b >= 'A' && b <= 'Z':
			t.of[c] = b
			if lower {
				t.of[c] = b - 'A' + 'a'
			}
		}
	}
	return t
}

const (
	each = 0x0101010101010101 // times b: b in each of 8 bytes
	tops = each << 7
)

// word gives eight bytes of text, the first of them lowest, as of has them, and
// how many from the first on are of a word. Those after them mean nothing.
//
// Bytes are compared side by side: of one below 0x80, the sum with 0x80 - b has the
// top bit if it is b or above, and carries nothing into the next.
func (t *caseTable) word(eight uint64) (folded uint64, n int) {
	ascii := eight &^ tops
	small := ascii | each*('a'-'A')
	letters := (small + each*(0x80-'a')) &^ (small + each*(0x80-'z'-1)) & tops
	digits := (ascii + each*(0x80-'0')) &^ (ascii + each*(0x80-'9'-1)) & tops
	inWord := (letters | digits) &^ eight
	return eight | letters>>2&t.fold, bits.TrailingZeros64(^inWord&tops) / 8
}

// load8 is the first 8 bytes of text, the first lowest.
func load8(text string) uint64 {
	_ = text[7]
	return uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
		uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
}

// read sets the passage to the normal form of text.
func (p *passage) read(text string, table *caseTable) {
	// A word of ASCII is as long as it was and the space after it stands for a
	// separator, so len(text) bytes are enough; readSegment sees to the rest.
	p.normal = slices.Grow(p.normal[:0], len(text)+padding)
	p.tokens = p.tokens[:0]
	buf := p.normal[:cap(p.normal)]
	w := 0 // bytes written to buf
	gap := false
	for i := 0; i < len(text); {
		c := table.of[text[i]]
		if c == separator {
			gap = true
			i++
			continue
		}
		if c == beyond {
			p.normal = buf[:w]
			i, gap = p.readBeyond(text, i, gap, false, table)
			buf, w = p.normal[:cap(p.normal)], len(p.normal)
			continue
		}
		joined := !gap && len(p.tokens) > 0
		if gap && len(p.tokens) > 0 {
			buf[w] = ' '
			w++
		}
		start, from := i, w
		for n := 8; n == 8 && i+8 <= len(text); {
			var folded uint64
			folded, n = table.word(load8(text[i:]))
			binary.LittleEndian.PutUint64(buf[w:], folded) // the next word overwrites what is behind n
			i, w = i+n, w+n
		}
		for ; i < len(text); i, w = i+1, w+1 { // the last bytes of text
			if c = table.of[text[i]]; c <= beyond {
				break
			}
			buf[w] = c
		}
		// Filled in place: a copy of a token just made waits for its parts.
		p.tokens = append(p.tokens, Token{})
		token := &p.tokens[len(p.tokens)-1]
		token.Raw.Start, token.Raw.End = start, i
		token.Normal.Start, token.Normal.End = from, w
		token.Joined = joined
		gap = false
		if i < len(text) && c == beyond {
			// What follows may be an accent on the last letter or go on with the
			// word, so that letter is read again together with it.
			token.Raw.End--
			token.Normal.End--
			p.normal = buf[:w-1]
			i, gap = p.readBeyond(text, i-1, false, true, table)
			buf, w = p.normal[:cap(p.normal)], len(p.normal)
		}
	}
	p.normal = buf[:w]
}
