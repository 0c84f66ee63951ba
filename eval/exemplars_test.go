package eval

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// goldOf returns gold with these mentions.
func goldOf(mentions ...GoldMention) *Gold { return &Gold{Mentions: mentions} }

// goldMention returns the mention s[start:end].
func goldMention(s string, start, end int, gold ...kb.ConceptID) GoldMention {
	doc := &text.Document{Text: s, Mentions: []text.Mention{{Span: text.Span{Start: start, End: end}}}}
	return GoldMention{Query: text.Query{Document: doc, Mention: doc.Mentions[0], Sentence: text.Span{End: len(s)}}, Gold: gold}
}

func surfacesOf(exemplars []text.Exemplar) (surfaces []string) {
	for i := range exemplars {
		surfaces = append(surfaces, exemplars[i].Surface())
	}
	return surfaces
}

// TestExemplars: short forms are expanded, and mentions with a concept outside the set are skipped.
func TestExemplars(t *testing.T) {
	const defined = "breast cancer (BC) and BC"
	outside := goldMention("renal failure", 0, 13, "C")
	outside.Outside = []kb.ConceptID{"X"}
	gold := goldOf(goldMention(defined, 23, 25, "A"), goldMention("fever", 0, 5), outside, goldMention("a BC", 2, 4, "B"))
	got := gold.Exemplars()
	must.Equal(t, surfacesOf(got), []string{"breast cancer", "BC"})
	must.Equal(t, got[0].Mention.Concepts, []kb.ConceptID{"A"}, "concepts")
	must.Equal(t, gold.Mentions[0].Query.Surface(), "BC", "the gold was changed")
}

// TestRefine: of six mentions, "Fever" and "BC", which stands for breast cancer, occur in training, and "cough" occurs
// twice.
func TestRefine(t *testing.T) {
	train := goldOf(goldMention("fever", 0, 5), goldMention("breast cancer", 0, 13))
	gold := goldOf(
		goldMention("Fever", 0, 5), goldMention("cough", 0, 5), goldMention("a Cough", 2, 7),
		goldMention("breast cancer (BC) and BC", 23, 25), goldMention("BC", 0, 2), goldMention("stroke", 0, 6))
	overlaps, duplicates := gold.Refine(train)
	if overlaps != 2 || duplicates != 1 {
		t.Errorf("%d overlaps and %d duplicates, want 2 and 1", overlaps, duplicates)
	}
	var left []string
	for i := range gold.Mentions {
		left = append(left, gold.Mentions[i].Query.Surface())
	}
	must.Equal(t, left, []string{"cough", "BC", "stroke"}, "left")
}
