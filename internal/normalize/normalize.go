package normalize

import (
	"slices"
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm/text"
)

// Normal returns the normal form of a text: its words in lower case, joined by single spaces. Two names are considered
// equal if their normal forms are.
//
// A word is a run of letters and numbers with its sign (CD4+, 0.5, >3, see [Normalizer]). Everything else separates
// words. Letters are converted to Unicode's compatibility form (NFKC: full-width Ａ is A, the ligature ﬁ is fi), without
// the accents of Latin and Greek (Sjögren is sjogren, Bjørnstad bjornstad) and the vowel marks of Arabic and Hebrew.
// Final sigma becomes sigma, and ё becomes е. ß becomes β beside a digit or if no letter precedes it ("IL-1ß"). Soft
// hyphens and zero-width characters are skipped.
//
// In scripts written without spaces (Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar) every character is a separate
// word. It is joined to its neighbors without a space where the text has none: "２型糖尿病" is "2型糖尿病", five words. So a
// name in such a script matches wherever its characters occur. A dash between Katakana becomes the long vowel mark ー,
// because input methods confuse them. A line end between two such characters is dropped. Hangul has spaces and is
// treated like Latin, except that particles after two or more syllables are separate words, joined to the noun.
//
// Normal is idempotent: Normal(Normal(x)) == Normal(x).
func Normal(raw string) string { return formOf(raw, &lowerCase) }

// Cased returns the normal form of a text with its case preserved.
func Cased(raw string) string { return formOf(raw, &keepCase) }

func formOf(raw string, table *caseTable) string {
	n := normalizers.Get().(*Normalizer)
	defer normalizers.Put(n)
	n.normalize(raw, table)
	return string(n.normal)
}

var normalizers = sync.Pool{New: func() any { return new(Normalizer) }}

// Token is one word of a text, with its spans in the text and in the normal form.
type Token struct {
	Raw    text.Span // in the text
	Normal text.Span // in the normal form
	Joined bool      // not separated from the previous token, as in a script without spaces
}

// Normalizer computes the normal forms of one text after another, with their tokens. It reuses its memory: results of
// its methods are valid until the next call of [Normalizer.Normalize]. The zero value is ready for use. A Normalizer is
// not safe for concurrent use.
type Normalizer struct {
	normal  []byte
	tokens  []Token
	segment []byte // normal form of the current segment, if it is not ASCII
	open    bool   // whether the last token may continue, see sign
	hangul  bool   // whether a word contains Hangul
}

// Normalize computes the normal form of a text, see [Normal], and its tokens.
func (n *Normalizer) Normalize(raw string) { n.normalize(raw, &lowerCase) }

// Normal returns the normal form.
func (n *Normalizer) Normal() []byte { return n.normal }

// Tokens returns the words of the text in order. Words i to j of the text, raw[tokens[i].Raw.Start:tokens[j].Raw.End],
// have the normal form normal[tokens[i].Normal.Start:tokens[j].Normal.End].
func (n *Normalizer) Tokens() []Token { return n.tokens }

// caseTable maps each byte to its normal form: a byte of a word, in lower case if lower is set, or one of the classes
// below, which are not bytes of a word.
type caseTable struct {
	class [256]byte
	lower bool
}

const (
	separator = 0
	nonASCII  = 1 // see Normalizer.normalizeNonASCII
	maybeSign = 2 // a separator, unless Normalizer.sign accepts it as a sign
)

var (
	lowerCase = newCaseTable(true)
	keepCase  = newCaseTable(false)
)

func newCaseTable(lower bool) caseTable {
	t := caseTable{lower: lower}
	for c := range t.class {
		switch b := byte(c); {
		case b >= 0x80:
			t.class[c] = nonASCII
		case strings.IndexByte("+-<>.,:(%#", b) >= 0:
			t.class[c] = maybeSign
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

// normalize sets normal and tokens from a text.
func (n *Normalizer) normalize(raw string, table *caseTable) {
	n.normal = slices.Grow(n.normal[:0], len(raw))
	n.tokens, n.open, n.hangul = n.tokens[:0], false, false
	gap := false
	for i := 0; i < len(raw); {
		class := table.class[raw[i]]
		switch class {
		case separator:
			gap = true
			i++
			continue
		case maybeSign:
			from := i
			i, gap = n.sign(raw, i, gap)
			i = max(i, from+1)
			continue
		case nonASCII:
			i, gap = n.normalizeNonASCII(raw, i, gap, n.open, table)
			continue
		}
		if !n.open {
			n.startToken(i, gap)
		}
		token, normal := &n.tokens[len(n.tokens)-1], n.normal
		n.open = false
		for ; i < len(raw); i++ {
			if class = table.class[raw[i]]; class <= maybeSign {
				break
			}
			normal = append(normal, class)
		}
		n.normal, token.Raw.End, token.Normal.End = normal, i, len(normal)
		gap = false
		if class == nonASCII {
			// The next character may be an accent on the last letter or continue the word, so normalize that letter
			// again together with it.
			token.Raw.End--
			token.Normal.End--
			n.normal = normal[:len(normal)-1]
			i, gap = n.normalizeNonASCII(raw, i-1, false, true, table)
		}
	}
	if n.hangul {
		n.splitEndings(raw)
	}
}
