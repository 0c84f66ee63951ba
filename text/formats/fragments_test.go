package formats

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// fragmented returns a mention of the fragments of a text that are these words, in order.
func fragmented(content string, words ...string) text.Mention {
	var m text.Mention
	at := 0
	for _, word := range words {
		start := at + strings.Index(content[at:], word)
		at = start + len(word)
		m.Fragments = append(m.Fragments, text.Span{Start: start, End: at})
	}
	m.Span = text.Span{Start: m.Fragments[0].Start, End: at}
	if len(words) == 1 {
		m.Fragments = nil
	}
	return m
}

// TestFragments finds discontinuous mentions.
func TestFragments(t *testing.T) {
	const content = "Naïve breast and\novarian cancer, left or right lung."
	for _, c := range []struct {
		name    string
		ranges  [][2]int // code points
		stated  string   // empty for none
		want    text.Mention
		problem string
	}{
		{"two", [][2]int{{6, 12}, {25, 31}}, "breast cancer", fragmented(content, "breast", "cancer"), ""},
		{"three", [][2]int{{6, 12}, {25, 31}, {47, 51}}, "breast cancer lung", fragmented(content, "breast", "cancer", "lung"), ""},
		{"no text", [][2]int{{33, 37}, {47, 51}}, "", fragmented(content, "left", "lung"), ""},
		{"not in order", [][2]int{{47, 51}, {33, 37}}, "lung left", fragmented(content, "left", "lung"), ""},
		{"the text between them, too", [][2]int{{33, 37}, {47, 51}}, "left or right lung", fragmented(content, "left or right lung"), ""},
		{"side by side", [][2]int{{41, 46}, {47, 51}}, "right lung", fragmented(content, "right lung"), ""},
		{"on two lines", [][2]int{{13, 16}, {17, 24}}, "and ovarian", fragmented(content, "and\novarian"), ""},
		{"on two lines, and more", [][2]int{{6, 12}, {13, 16}, {17, 24}, {47, 51}}, "breast and ovarian lung", fragmented(content, "breast and\novarian", "lung"), ""},
		{"normalized", [][2]int{{6, 12}, {25, 31}}, "Breast Cancer", fragmented(content, "breast", "cancer"), ""},
		{"an ellipsis", [][2]int{{6, 12}, {25, 31}, {47, 51}}, "breast [...] cancer ... lung", fragmented(content, "breast", "cancer", "lung"), ""},
		{"an ellipsis between other words", [][2]int{{6, 12}, {25, 31}}, "breast [...] lung", text.Mention{},
			`mention at 6-31: the mention says "breast [...] lung", the text "breast cancer"`},
		{"an ellipsis in one fragment", [][2]int{{6, 16}}, "breast ... and", text.Mention{},
			`mention at 6-16: the mention says "breast ... and", the text "breast and"`},
		{"overlapping", [][2]int{{6, 16}, {13, 24}}, "", text.Mention{}, "mention at 6-24: want fragments that do not overlap"},
		{"another text", [][2]int{{6, 12}, {25, 31}}, "lung cancer", text.Mention{}, `mention at 6-31: the mention says "lung cancer", the text "breast cancer"`},
		{"empty", [][2]int{{6, 6}, {25, 31}}, "", text.Mention{}, "mention at 6-6: want a range within the 52 characters of the text"},
	} {
		where := place{ranges: c.ranges}
		if c.stated != "" {
			where.text = &c.stated
		}
		m, _, reason := new(file).spans(content).find(where)
		if reason != c.problem || reason == "" && !cmp.Equal(c.want, m) {
			t.Errorf("%s: %+v, %s; want %+v, %s", c.name, m, reason, c.want, c.problem)
		}
	}
}

// TestWriteFragments writes discontinuous mentions anew and fills them in, and reads both. PubTator has no fragments.
func TestWriteFragments(t *testing.T) {
	const content = "Naïve breast and\novarian 😀 cancer, left or right lung."
	record := NewRecord(&text.Document{ID: "1", Text: content, Mentions: []text.Mention{
		fragmented(content, "breast", "😀 cancer"), fragmented(content, "breast and\novarian", "cancer"), fragmented(content, "left", "lung"),
	}})
	doc := linkTo(record, func(i int) kb.ConceptID { return kb.ConceptID(fmt.Sprintf("D%d", i)) })
	for i := range doc.Mentions {
		doc.Mentions[i].Fragments = record.Mentions[i].Fragments
	}
	for _, format := range []Format{JSONL, BioC, BioCJSON, BRAT} {
		t.Run(string(format), func(t *testing.T) {
			read := reread(t, format, []*linkedTo{doc})
			again := linkTo(read[0], func(i int) kb.ConceptID { return kb.ConceptID(fmt.Sprintf("E%d", i)) })
			for i := range again.Mentions {
				again.Mentions[i].Fragments = read[0].Mentions[i].Fragments
			}
			for _, r := range []*Record{read[0], reread(t, format, []*linkedTo{again})[0]} {
				for i, m := range r.Mentions {
					if want := record.Mentions[i]; m.Span != want.Span || !slices.Equal(m.Fragments, want.Fragments) {
						t.Errorf("mention %+v, want %+v", m, want)
					}
				}
			}
		})
	}
	if read := reread(t, PubTator, []*linkedTo{doc}); len(read[0].Mentions) != 3 || read[0].Mentions[2].Of(read[0].Text) != "left or right lung" {
		t.Errorf("PubTator: %+v, want the mentions with what is between their fragments", read[0].Mentions)
	}
}

// TestOnceCRLF finds mentions whose offsets count CR LF as one character, if their texts say so.
func TestOnceCRLF(t *testing.T) {
	const content = "Dé 1\r\n\r\nriver\r\nfever 😀.\r\nNo flood.\r\n" // of one character each: 0 to 3, then 4, 5, 6 to 10, 11, 12 to 16
	for _, c := range []struct {
		ranges       [][2]int
		stated, want string
	}{
		{[][2]int{{6, 11}}, "river", "river"},
		{[][2]int{{6, 17}}, "river fever", "river\r\nfever"},
		{[][2]int{{6, 11}, {12, 17}}, "river fever", "river\r\nfever"},
		{[][2]int{{6, 11}, {21, 26}}, "river flood", ""}, // the text says "No fl"
		{[][2]int{{6, 11}, {24, 29}}, "river flood", "river flood"},
		{[][2]int{{8, 13}}, "river", "river"}, // as they are
		{[][2]int{{7, 12}}, "river", ""},
	} {
		m, _, reason := new(file).spans(content).find(place{c.ranges, &c.stated})
		if reason == "" && m.Of(content) != c.want || (reason == "") != (c.want != "") {
			t.Errorf("%v %q: mention %q, %s; want %q", c.ranges, c.stated, m.Of(content), reason, c.want)
		}
	}
}
