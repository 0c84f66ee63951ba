package normalize

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/text"
)

// checkTextWords compares the words of a text, and of the text with a span replaced, with
// those of [ContentWords].
func checkTextWords(t *testing.T, body string, span text.Span, by string) {
	t.Helper()
	words := NewTextWords(body)
	for _, c := range []struct {
		text string
		got  EditedWords
	}{
		{body, words.Words()},
		{body[:span.Start] + by + body[span.End:], words.Replace(span, by)},
	} {
		want := ContentWords(c.text)
		if diff := cmp.Diff(want, slices.AppendSeq([]string{}, slices.Values(c.got.Without(nil)))); diff != "" && len(want) > 0 {
			t.Fatalf("%q, %v replaced by %q (-want +got):\n%s", body, span, by, diff)
		}
		for _, word := range append(ContentWords(body), ContentWords(by)...) {
			if _, want := slices.BinarySearch(want, word); c.got.Has(word) != want {
				t.Fatalf("%q, %v replaced by %q: Has(%q) = %v, want %v", body, span, by, word, !want, want)
			}
		}
		own := ContentWords(by)
		without := slices.DeleteFunc(slices.Clone(want), func(word string) bool { return slices.Contains(own, word) })
		if got := c.got.Without(own); !slices.Equal(without, got) {
			t.Fatalf("%q, %v replaced by %q, without those: %q, want %q", body, span, by, got, without)
		}
	}
}

// textWordPieces are words that rules of CanonicalTokens read with their neighbors, and
// plain words, between which a passage may end.
var textWordPieces = strings.Fields(`non hyper anti micro type stage I V x ii viii 's s ' ’s of the and with from β TNFα 病 。 é e´ ´s
	asthma cancers breast severe chronic haemorrhage treatment observed patients Parkinson 's non- -s s' , . ( ) "`)

func TestTextWords(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		var b strings.Builder
		alphabet := textWordPieces[r.IntN(8)*2:]
		if r.IntN(8) == 0 {
			alphabet = []string{"of", "the", "with", "from"} // a text of function words has them as content
		}
		for range r.IntN(1200) {
			b.WriteString(alphabet[r.IntN(len(alphabet))])
			if r.IntN(20) > 0 {
				b.WriteByte(' ')
			}
		}
		body := b.String()
		var ends []int // of runes
		for i := range body {
			ends = append(ends, i)
		}
		ends = append(ends, len(body))
		i := r.IntN(len(ends))
		j := min(i+r.IntN(40), len(ends)-1)
		if r.IntN(10) == 0 {
			j = len(ends) - 1
		}
		if words := NewTextWords(body); len(words.ends) > 2 && r.IntN(2) == 0 { // at the end of a passage
			i = slices.Index(ends, words.ends[r.IntN(len(words.ends))])
			j = min(i+r.IntN(8), len(ends)-1)
		}
		var by []string
		for range r.IntN(4) {
			by = append(by, textWordPieces[r.IntN(len(textWordPieces))])
		}
		checkTextWords(t, body, text.Span{Start: ends[i], End: ends[j]}, strings.Join(by, " "))
	}
}

func TestTextWordsPassages(t *testing.T) {
	if n := len(NewTextWords(strings.Repeat("chronic asthma was observed. ", 1000)).passages); n < 20 {
		t.Errorf("a text of 29,000 bytes has %d passages, want one for about 1,000 bytes", n)
	}
}

func FuzzTextWords(f *testing.F) {
	f.Add(strings.Repeat("severe chronic asthma of type I, non ", 60), uint16(990), uint16(40), "hyper")
	f.Add(strings.Repeat("with the ", 300), uint16(1000), uint16(1), "'s")
	f.Fuzz(func(t *testing.T, body string, start, length uint16, by string) {
		span := text.Span{Start: min(int(start), len(body)), End: min(int(start)+int(length), len(body))}
		if !utf8.ValidString(body) || !utf8.ValidString(body[:span.Start]) || !utf8.ValidString(body[:span.End]) || !utf8.ValidString(by) {
			return
		}
		checkTextWords(t, body, span, by)
	})
}
