package sentence

import (
	_ "embed"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text"
)

// TestIsCitation lists superscripts with the text before them.
func TestIsCitation(t *testing.T) {
	for _, test := range []struct {
		before, superscript string
		want                bool
	}{
		{"fever", "3", true}, {"fever", "3,4", true}, {"fever.", "[1]", true}, {"fever", "a, b", true}, {"kg,", "2", true}, {"pain", "a", true}, {"age", "a", false},
		{"m", "2", false}, {"m", "2,3", true}, {"min", "-1", false}, {"Ser", "473", false}, {"Ser", "4,7", true},
		{"10", "5", false}, {"NAD", "+", false}, {"CD4", "a", false}, {"", "13", false}, {"fever", "", false}, {"fever", "z", false},
	} {
		must.Equal(t, IsCitation(test.before, test.superscript), test.want, test.superscript, "after", test.before)
	}
}

//go:embed testdata/sentences.txt
var marked string

// TestSplit divides the texts of testdata/sentences.txt.
func TestSplit(t *testing.T) {
	for line := range strings.Lines(strings.NewReplacer(`\n`, "\v", `\r`, "\r", `\t`, "\t").Replace(marked)) {
		line, differs := strings.CutPrefix(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\v", "\n"), "!")
		if line == "" || line[0] == '#' {
			continue
		}
		var want, got []string
		for part := range strings.SplitSeq(line, "|") {
			want = append(want, strings.TrimSpace(part))
		}
		text := strings.ReplaceAll(line, "|", "")
		for _, s := range Split(text) {
			got = append(got, s.Of(text))
		}
		if slices.Equal(got, want) == differs {
			t.Errorf("%q is split into %q, want %q", text, got, want)
		}
	}
	for _, blank := range []string{"", " \t\n "} {
		if got := Split(blank); len(got) > 0 {
			t.Errorf("%q is split into %v", blank, got)
		}
	}
}

func TestLongSentences(t *testing.T) {
	spaced := strings.Repeat("word ", 1000) // 5,000 bytes, white space at 4, 9, 14 …
	unspaced := strings.Repeat("症", 1000)   // 3,000 bytes, no white space
	for _, c := range []struct {
		name, text string
		want       []text.Span
	}{
		// The last white space of the first 2,000 bytes is byte 1,999.
		{"white space", spaced, []text.Span{{Start: 0, End: 1999}, {Start: 2000, End: 3999}, {Start: 4000, End: 4999}}},
		// 666 runes of 3 bytes are 1,998.
		{"runes", unspaced, []text.Span{{Start: 0, End: 1998}, {Start: 1998, End: 3000}}},
		{"not UTF-8", strings.Repeat("\x80", 2001), []text.Span{{Start: 0, End: 2000}, {Start: 2000, End: 2001}}},
	} {
		must.Equal(t, Split(c.text), c.want, c.name)
	}
}

func TestAround(t *testing.T) {
	const body = "  It fell. It rose.\n\nIt ended.  "
	//            0 2       10 11      19 21      30
	for _, c := range []struct {
		name string
		m    text.Span
		want string
	}{
		{"inside", text.Span{Start: 5, End: 9}, "It fell."},
		{"whole sentence", text.Span{Start: 11, End: 19}, "It rose."},
		{"across one boundary", text.Span{Start: 5, End: 13}, "It fell. It rose."},
		{"across two", text.Span{Start: 5, End: 25}, "It fell. It rose.\n\nIt ended."},
		{"with the white space after it", text.Span{Start: 24, End: 31}, "It ended. "},
		{"white space", text.Span{Start: 19, End: 21}, "\n\n"},
		{"empty", text.Span{Start: 12, End: 12}, "It rose."},
		{"outside", text.Span{Start: -4, End: 4000}, body},
		{"reversed", text.Span{Start: 14, End: 3}, "It rose."},
	} {
		must.Equal(t, Around(body, c.m).Of(body), c.want, c.name, "Around", c.m)
	}
	must.Equal(t, Around("", text.Span{Start: 3, End: 5}), text.Span{}, "Around of an empty text")
}

// checkSentences checks the guarantees of Split for any text.
func checkSentences(t *testing.T, text string) {
	t.Helper()
	spans := Split(text)
	last := 0
	for _, s := range spans {
		if s.Start < last || s.End <= s.Start || s.End > len(text) {
			t.Fatalf("Sentences(%q): span %v after one that ends at %d", text, s, last)
		}
		if between := text[last:s.Start]; strings.TrimSpace(between) != "" {
			t.Fatalf("Sentences(%q): %q is in no sentence", text, between)
		}
		if s.Of(text) != strings.TrimSpace(s.Of(text)) || s.Len() > maxBytes {
			t.Fatalf("Sentences(%q): %q is not trimmed or too long", text, s.Of(text))
		}
		if utf8.ValidString(text) && !utf8.ValidString(s.Of(text)) {
			t.Fatalf("Sentences(%q): %v cuts a character", text, s)
		}
		if got := Around(text, s); got != s {
			t.Fatalf("Around(%q, %v) = %v", text, s, got)
		}
		last = s.End
	}
	if rest := text[last:]; strings.TrimSpace(rest) != "" {
		t.Fatalf("Sentences(%q): %q is in no sentence", text, rest)
	}
}

// atoms are the parts of random texts: the characters and words that the rules check.
var atoms = []string{" ", " ", " ", "\n", "\r\n", "\n\n", ".", ".", "!", "?", "(", ")", "[", "]", "\"", "”", ",", ";",
	"a", "B", "fell", "The", "Smith", "e.g", "al", "Fig", "mRNA", "p53", "7", "3.5", "。", "」", "症", "α", "É", "́", "\u00ad", "\u0085",
	"\u2028", "‼", "．", "\u00a0",
	"1.", "2.", "1)", " 2) B", "• ", "a.", ".[3] B", ".4 The", "\xff", "\xe3\x80"}

func TestRandom(t *testing.T) {
	for seed := range uint64(3000) {
		random := rand.New(rand.NewPCG(seed, 1))
		var text strings.Builder
		for range random.IntN(60) {
			text.WriteString(atoms[random.IntN(len(atoms))])
		}
		checkSentences(t, text.String())
	}
}

func FuzzSentences(f *testing.F) {
	for line := range strings.Lines(marked) {
		f.Add(line)
	}
	f.Add(strings.Repeat("word ", 500))
	f.Fuzz(func(t *testing.T, text string) { checkSentences(t, text) })
}
