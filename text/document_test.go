package text_test

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text"
)

// TestQueryDiscontinuous replaces the text of a discontinuous mention.
func TestQueryDiscontinuous(t *testing.T) {
	m := text.Mention{Span: text.Span{Start: 2, End: 15}, Fragments: []text.Span{{Start: 2, End: 6}, {Start: 11, End: 15}}}
	doc := &text.Document{Text: "a left xor lung.", Mentions: []text.Mention{m}}
	q := text.Query{Document: doc, Mention: m, Sentence: text.Span{Start: 0, End: len(doc.Text)}}
	must.Equal(t, q.Surface(), "left lung", "surface")
	if got := q.WithSurface(q.Surface()); got.Text != "a left lung." || got.Surface() != "left lung" || got.Mention.Fragments != nil {
		t.Errorf("%q with the mention %+v", got.Text, got.Mention)
	}
}

func TestQueryWithSurface(t *testing.T) {
	const original = "No gout. MS and AD, or AD. End."
	at := func(start int, surface string) text.Mention {
		return text.Mention{Span: text.Span{Start: start, End: start + len(surface)}, Name: surface}
	}
	doc := &text.Document{ID: "7", Text: original, Mentions: []text.Mention{
		at(3, "gout"), at(9, "MS"), at(12, "and AD"), at(16, "AD"), at(23, "AD"),
	}}
	q := text.Query{Document: doc, Mention: at(16, "AD"), Sentence: text.Span{Start: 9, End: 26}}
	got := q.WithSurface("eczema") // four letters longer; "and AD" overlaps it, gout is in another sentence

	mention := at(7, "eczema")
	mention.Name = "AD"
	want := text.Query{
		Document: &text.Document{ID: "7", Text: "MS and eczema, or AD.", Mentions: []text.Mention{
			at(0, "MS"), mention, at(18, "AD"),
		}},
		Mention: mention, Sentence: text.Span{Start: 0, End: 21}, Original: &q,
	}
	must.Equal(t, got, want)
	if got.Surface() != "eczema" || q.Surface() != "AD" {
		t.Errorf("surfaces are %q and %q, want eczema and AD", got.Surface(), q.Surface())
	}
	must.Equal(t, got.WithSurface("itch").Original.Surface(), "AD", "the original mention of one replaced twice")
	for _, m := range got.Mentions {
		if m.Name != "AD" && m.Of(got.Text) != m.Name {
			t.Errorf("got mention %q, want %q", m.Of(got.Text), m.Name)
		}
	}
}

func TestCompareSpans(t *testing.T) {
	sorted := []text.Span{{Start: 1, End: 2}, {Start: 1, End: 5}, {Start: 2, End: 3}}
	for i, a := range sorted {
		for j, b := range sorted {
			must.Equal(t, a.Compare(b), max(-1, min(1, i-j)), a, "Compare", b)
		}
	}
}
