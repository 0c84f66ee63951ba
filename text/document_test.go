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
	got := q.WithSurface("eczema") // four letters longer; "and AD" overlaps it

	mention := at(16, "eczema")
	mention.Name = "AD"
	want := text.Query{
		Document: &text.Document{ID: "7", Text: "No gout. MS and eczema, or AD. End.", Mentions: []text.Mention{
			at(3, "gout"), at(9, "MS"), mention, at(27, "AD"),
		}},
		Mention: mention, Sentence: text.Span{Start: 9, End: 30},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.Surface() != "eczema" || q.Surface() != "AD" {
		t.Errorf("surfaces are %q and %q, want eczema and AD", got.Surface(), q.Surface())
	}
	for _, m := range got.Mentions {
		if m.Name != "AD" && m.Of(got.Text) != m.Name {
			t.Errorf("got mention %q, want %q", m.Of(got.Text), m.Name)
		}
	}
}
