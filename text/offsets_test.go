package text

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// checkOffsets compares Offsets with a walk over the text.
func checkOffsets(t *testing.T, text string) {
	t.Helper()
	o := NewOffsets(text)
	count := 0
	for at := 0; at < len(text); count++ {
		_, size := utf8.DecodeRuneInString(text[at:])
		if got, ok := o.Byte(count); got != at || !ok {
			t.Fatalf("%q: Byte(%d) = %d, %t; want %d", text, count, got, ok, at)
		}
		for i := range size {
			if got := o.CodePoint(at + i); got != count {
				t.Fatalf("%q: CodePoint(%d) = %d, want %d", text, at+i, got, count)
			}
		}
		at += size
	}
	if o.Len() != count {
		t.Fatalf("%q: Len() = %d, want %d", text, o.Len(), count)
	}
	if got, ok := o.Byte(count); got != len(text) || !ok {
		t.Fatalf("%q: Byte(%d) = %d, %t at the end; want %d", text, count, got, ok, len(text))
	}
	if got := o.CodePoint(len(text) + 1); got != count {
		t.Fatalf("%q: CodePoint after the end = %d, want %d", text, got, count)
	}
	for _, outside := range []int{-1, count + 1} {
		if got, ok := o.Byte(outside); ok {
			t.Fatalf("%q: Byte(%d) = %d, want false", text, outside, got)
		}
	}
}

func TestOffsets(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, seed))
	letters := []string{"a", "b", "ï", "日", "😀", "\xff", "\xe6\x97", "\ufffd"}
	for range 300 {
		var b strings.Builder
		kinds := 1 + r.IntN(len(letters))
		for range r.IntN(300) {
			b.WriteString(letters[r.IntN(kinds)])
		}
		checkOffsets(t, b.String())
	}
}

func TestOffsetsOfSpans(t *testing.T) {
	o := NewOffsets("na\u00efve") // n a \u00ef v e: the third character has two bytes
	for _, tc := range []struct {
		points, bytes Span
		ok            bool
	}{
		{Span{1, 3}, Span{1, 4}, true},
		{Span{3, 5}, Span{4, 6}, true},
		{Span{2, 2}, Span{2, 2}, true},
		{Span{3, 2}, Span{4, 2}, false},
		{Span{4, 6}, Span{}, false},
		{Span{-1, 2}, Span{}, false},
	} {
		got, ok := o.Bytes(tc.points)
		if ok != tc.ok || ok && got != tc.bytes {
			t.Errorf("Bytes(%v) = %v, %t, want %v, %t", tc.points, got, ok, tc.bytes, tc.ok)
		}
		if points := o.CodePoints(tc.bytes); tc.ok && points != tc.points {
			t.Errorf("CodePoints(%v) = %v, want %v", tc.bytes, points, tc.points)
		}
	}
}

func FuzzOffsets(f *testing.F) {
	f.Add("")
	f.Add("ascii")
	f.Add(strings.Repeat("ïa", 70))
	f.Add("\xff\xfe日")
	f.Fuzz(func(t *testing.T, text string) { checkOffsets(t, text) })
}
