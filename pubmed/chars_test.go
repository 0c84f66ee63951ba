package pubmed

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// simpleLegalPrefix does the same as legalPrefix, one character at a time, with the ranges as written in the XML
// recommendation.
func simpleLegalPrefix(b []byte) (n int, illegal bool) {
	for n < len(b) {
		r, size := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && size == 1 {
			return n, utf8.FullRune(b[n:])
		}
		if !(r == 0x9 || r == 0xA || r == 0xD || r >= 0x20 && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 && r <= 0x10FFFF) {
			return n, true
		}
		n += size
	}
	return n, false
}

func TestLegalPrefix(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	fragments := []string{"a", "plain text of some length", " ", "\n", "\t", "\r", "é", "β", "漢", "𝛽", "\x7f", "\u0085", "\ufffd"}
	bad := []string{"\x00", "\x1f", "\x0b", "\xff", "\x80", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\ufffe", "\uffff", "\xe2\x82", "\xf0\x9f"}
	for range 20_000 {
		var s strings.Builder
		for range rng.IntN(12) {
			s.WriteString(fragments[rng.IntN(len(fragments))])
		}
		if rng.IntN(2) == 0 {
			s.WriteString(bad[rng.IntN(len(bad))])
			s.WriteString(strings.Repeat("x", rng.IntN(12)))
		}
		b := []byte(s.String())
		want, illegal := simpleLegalPrefix(b)
		if got, reason := legalPrefix(b); got != want || (reason != "") != illegal {
			t.Fatalf("legalPrefix(%q) = %d, %q; want %d, illegal %v", b, got, reason, want, illegal)
		}
	}
}
