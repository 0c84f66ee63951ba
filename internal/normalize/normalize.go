package normalize

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"

	"github.com/ctxnorm/ctxnorm/text"
)

// Normal returns the normal form of a text: its words in lower case, joined by one
// space. Two names are equal if their normal forms are.
//
// A word is a run of letters and numbers; everything else separates words. Letters
// are taken in Unicode's compatibility form (NFKC: full-width Ａ is A, the ligature
// ﬁ is fi), Latin letters without their accents (Sjögren is sjogren, Bjørnstad
// bjornstad), Greek letters unchanged except that final sigma is sigma. Soft hyphens
// and zero-width characters are skipped.
//
// In scripts written without spaces (Han, Hiragana, Katakana, Thai, Lao, Khmer,
// Myanmar) every character is a word of its own. It is joined to its neighbors
// without a space where the text has none: "２型糖尿病" is "2型糖尿病", five words. A
// name of such a script therefore matches wherever its characters stand. A dash
// between Katakana is the mark ー of a long vowel, for which input methods give it.
// Hangul has spaces and is treated like Latin.
//
// Normal is idempotent: Normal(Normal(x)) == Normal(x).
func Normal(raw string) string {
	n := normalizers.Get().(*Normalizer)
	defer normalizers.Put(n)
	n.normalize(raw, &lowerCase)
	return string(n.normal)
}

// Cased returns the normal form of a text with its case kept.
func Cased(raw string) string {
	n := normalizers.Get().(*Normalizer)
	defer normalizers.Put(n)
	n.normalize(raw, &keepCase)
	return string(n.normal)
}

var normalizers = sync.Pool{New: func() any { return new(Normalizer) }}

// Token is one word of a text: its place in the text and in the text's normal form.
type Token struct {
	Raw    text.Span // in the text
	Normal text.Span // in the normal form
	Joined bool      // nothing separates it from the token before, as in a script without spaces
}

// Normalizer computes the normal form of one text after another and the tokens in
// it. It reuses its memory: what its methods return is valid until the next call of
// [Normalizer.Normalize]. The zero value is ready for use. A Normalizer is not safe
// for concurrent use.
//
// INVARIANT: normal has at least Padding bytes of capacity after its end.
type Normalizer struct {
	normal  []byte
	tokens  []Token
	segment []byte // normal form of the current segment, where it is not ASCII
}

// Padding is the capacity in bytes after the end of [Normalizer.Normal]. It lets a
// caller load 8 bytes at any position of the normal form.
const Padding = 8

// Normalize computes the normal form of a text, see [Normal], and its tokens.
func (n *Normalizer) Normalize(raw string) { n.normalize(raw, &lowerCase) }

// Normal returns the normal form. It has [Padding] bytes of capacity after its end,
// of any value.
func (n *Normalizer) Normal() []byte { return n.normal }

// Tokens returns the words of the text in order. The words i to j of the text,
// raw[tokens[i].Raw.Start:tokens[j].Raw.End], have the normal form
// normal[tokens[i].Normal.Start:tokens[j].Normal.End].
func (n *Normalizer) Tokens() []Token { return n.tokens }

// A caseTable maps each byte to what the normal form has for it: the byte of a word,
// in lower case if lower is set, or one of the two classes below, which are no bytes
// of a word.
type caseTable struct {
	class   [256]byte
	lower   bool
	caseBit uint64 // in each byte the bit that turns a capital into a small letter, or 0
}

const (
	separator = 0
	nonASCII  = 1 // see Normalizer.normalizeNonASCII
)

var (
	lowerCase = newCaseTable(true)
	keepCase  = newCaseTable(false)
)

func newCaseTable(lower bool) caseTable {
	t := caseTable{lower: lower}
	if lower {
		t.caseBit = eachByte * ('a' - 'A')
	}
	for c := range t.class {
		switch b := byte(c); {
		case b >= 0x80:
			t.class[c] = nonASCII
		case b >= 'a' && b <= 'z', b >= '0' && b <= '9':
			t.class[c] = b
		case b >= 'A' && b <= 'Z':
			t.class[c] = b
			if lower {
				t.class[c] = b - 'A' + 'a'
			}
		}
	}
	return t
}

const (
	eachByte = 0x0101010101010101 // times b: b in each of 8 bytes
	topBits  = eachByte << 7
)

// mapWord maps eight bytes of text, the first of them lowest, as class does. It
// returns the mapped bytes and the number of leading bytes that belong to a word. The
// bytes after those are meaningless.
//
// All bytes are compared at once: for a byte below 0x80, its sum with 0x80 - b has
// the top bit if the byte is b or above, and carries nothing into the next byte.
func (t *caseTable) mapWord(eight uint64) (mapped uint64, n int) {
	ascii := eight &^ topBits
	small := ascii | eachByte*('a'-'A')
	letters := (small + eachByte*(0x80-'a')) &^ (small + eachByte*(0x80-'z'-1)) & topBits
	digits := (ascii + eachByte*(0x80-'0')) &^ (ascii + eachByte*(0x80-'9'-1)) & topBits
	inWord := (letters | digits) &^ eight
	return eight | letters>>2&t.caseBit, bits.TrailingZeros64(^inWord&topBits) / 8
}

// load8 returns the first 8 bytes of a text, the first lowest.
func load8(raw string) uint64 {
	_ = raw[7]
	return uint64(raw[0]) | uint64(raw[1])<<8 | uint64(raw[2])<<16 | uint64(raw[3])<<24 |
		uint64(raw[4])<<32 | uint64(raw[5])<<40 | uint64(raw[6])<<48 | uint64(raw[7])<<56
}

// normalize sets normal and tokens from a text.
func (n *Normalizer) normalize(raw string, table *caseTable) {
	// An ASCII word keeps its length, and the space after it takes the place of a
	// separator, so len(raw) bytes are enough. extendToken makes room for the rest.
	n.normal = slices.Grow(n.normal[:0], len(raw)+Padding)
	n.tokens = n.tokens[:0]
	buf := n.normal[:cap(n.normal)]
	w := 0 // bytes written to buf
	gap := false
	for i := 0; i < len(raw); {
		c := table.class[raw[i]]
		if c == separator {
			gap = true
			i++
			continue
		}
		if c == nonASCII {
			n.normal = buf[:w]
			i, gap = n.normalizeNonASCII(raw, i, gap, false, table)
			buf, w = n.normal[:cap(n.normal)], len(n.normal)
			continue
		}
		joined := !gap && len(n.tokens) > 0
		if gap && len(n.tokens) > 0 {
			buf[w] = ' '
			w++
		}
		start, normalStart := i, w
		for size := 8; size == 8 && i+8 <= len(raw); {
			var mapped uint64
			mapped, size = table.mapWord(load8(raw[i:]))
			binary.LittleEndian.PutUint64(buf[w:], mapped) // the next word overwrites the bytes after size
			i, w = i+size, w+size
		}
		for ; i < len(raw); i, w = i+1, w+1 { // the last bytes of the text
			if c = table.class[raw[i]]; c <= nonASCII {
				break
			}
			buf[w] = c
		}
		// The token is filled in place: copying a value just built stalls on its fields.
		n.tokens = append(n.tokens, Token{})
		token := &n.tokens[len(n.tokens)-1]
		token.Raw.Start, token.Raw.End = start, i
		token.Normal.Start, token.Normal.End = normalStart, w
		token.Joined = joined
		gap = false
		if i < len(raw) && c == nonASCII {
			// The next character may be an accent on the last letter or continue the
			// word, so that letter is normalized again together with it.
			token.Raw.End--
			token.Normal.End--
			n.normal = buf[:w-1]
			i, gap = n.normalizeNonASCII(raw, i-1, false, true, table)
			buf, w = n.normal[:cap(n.normal)], len(n.normal)
		}
	}
	n.normal = buf[:w]
}
