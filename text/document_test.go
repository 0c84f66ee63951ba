package text_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/text"
)

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
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.Surface() != "eczema" || q.Surface() != "AD" {
		t.Errorf("surfaces are %q and %q, want eczema and AD", got.Surface(), q.Surface())
	}
	if again := got.WithSurface("itch"); again.Original.Surface() != "AD" {
		t.Errorf("the original mention of one replaced twice is %q, want AD", again.Original.Surface())
	}
	for _, m := range got.Mentions {
		if m.Name != "AD" && m.Of(got.Text) != m.Name {
			t.Errorf("got mention %q, want %q", m.Of(got.Text), m.Name)
		}
	}
}
