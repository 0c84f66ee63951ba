package model

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// label returns the labeled mentions of a document, marked with < and >. Composite ones have several concepts.
func label(t *testing.T, id, marked string, concepts ...[]kb.ConceptID) []text.Exemplar {
	t.Helper()
	doc := &text.Document{ID: id, Text: strings.NewReplacer("<", "", ">", "").Replace(marked)}
	var labeled []text.Exemplar
	removed := 0
	for i, r := range marked {
		switch r {
		case '<':
			doc.Mentions = append(doc.Mentions, text.Mention{Span: text.Span{Start: i - removed}, Concepts: []kb.ConceptID{"as in the file"}})
			removed++
		case '>':
			doc.Mentions[len(doc.Mentions)-1].End = i - removed
			removed++
		}
	}
	for i, ids := range concepts {
		m := doc.Mentions[i]
		m.Concepts, m.Composite = ids, len(ids) > 1
		start := strings.LastIndex(doc.Text[:m.Start], ". ") + 1
		end := len(doc.Text)
		if n := strings.Index(doc.Text[m.End:], ". "); n >= 0 {
			end = m.End + n + 1
		}
		labeled = append(labeled, text.Exemplar{Query: text.Query{Document: doc, Mention: m, Sentence: text.Span{Start: start, End: end}}})
	}
	return labeled
}

func TestLabeledContexts(t *testing.T) {
	labeled := label(t, "7", "We saw <sprue> and <GU>. A <gastric and coeliac disease> with <rickets>.",
		[]kb.ConceptID{"G1"}, []kb.ConceptID{"G2"}, []kb.ConceptID{"G1", "G2"}, []kb.ConceptID{"G9"})
	labeled[1].Query = labeled[1].WithSurface("gastric ulcer") // its short form is expanded
	var got []string
	for _, ex := range LabeledContexts(labeled, fixtures.GutDictionary()) {
		line := ex.ID + " " + ex.Mention.Name + ": " + ex.Text
		for _, m := range ex.Mentions {
			line += "; " + m.Of(ex.Text)
			for _, concept := range m.Concepts {
				line += " " + string(concept)
			}
		}
		if ex.Original != nil || ex.Bare || ex.Sentence != (text.Span{Start: 0, End: len(ex.Text)}) {
			t.Errorf("%s: is not a sentence of its own", ex.Surface())
		}
		got = append(got, line)
	}
	// The composite mention and the mention of an unknown concept are skipped.
	want := []string{
		"7 sprue: We saw sprue and GU.; sprue G1; GU G2",
		"7 gastric ulcer: We saw sprue and gastric ulcer.; sprue G1; gastric ulcer G2",
	}
	must.Equal(t, got, want)
}

func TestLabeledSynonyms(t *testing.T) {
	labeled := slices.Concat(
		label(t, "1", "<Sprue>, <sprue> and a <gastric and coeliac disease>.", []kb.ConceptID{"G1"}, []kb.ConceptID{"G1"}, []kb.ConceptID{"G1", "G2"}),
		label(t, "2", "<sprue> or <sprue>", []kb.ConceptID{"G1"}, []kb.ConceptID{"G2"}),
	)
	want := []mine.Synonym{
		{Concept: "G1", Text: "Sprue", Count: 2, Origin: text.Origin{Labeled: true}},
		{Concept: "G2", Text: "sprue", Count: 1, Origin: text.Origin{Labeled: true}},
	}
	must.Equal(t, LabeledSynonyms(labeled), want)
}

func TestWithoutLabels(t *testing.T) {
	labeled := slices.Concat(
		label(t, "2", "<sprue>, <ulcer> and <coeliac disease>", []kb.ConceptID{"G1"}, []kb.ConceptID{"G2"}, []kb.ConceptID{"G2"}),
		label(t, "7", "<sprue>", []kb.ConceptID{"G1"}),
	)
	encoder := fixtures.GutEncoder()
	m := open(t, buildGut(t, encoder, func(o *BuildOptions) { o.CorpusSynonyms = LabeledSynonyms(labeled) }), encoder)
	smaller := must.Get(m.WithoutLabels(labeled, func(document string) bool { return document == "2" }))
	var names, contexts []string
	for _, ex := range exemplars(t, &smaller.Names) {
		names = append(names, ex.Text)
	}
	for _, ex := range exemplars(t, &smaller.Contexts) {
		contexts = append(contexts, ex.ID)
	}
	// "sprue" stays, because document 7 has it; "ulcer" is a name in document 2 only.
	must.Equal(t, names, []string{"coeliac disease", "gastric ulcer", "gluten enteropathy", "sprue"}, "names")
	must.Equal(t, contexts, []string{"1", "3", "4"}, "contexts")
	if m.Names.Len() != 5 || m.Contexts.Len() != 4 || smaller.Vectors.Names.Vectors.Len() != 4 || smaller.Vectors.Sentences.Len() != 3 {
		t.Errorf("%d names and %d contexts before, %d vectors of names and %d of sentences after; want 5, 4, 4 and 3",
			m.Names.Len(), m.Contexts.Len(), smaller.Vectors.Names.Vectors.Len(), smaller.Vectors.Sentences.Len())
	}
	g1, _ := m.Dictionary.Index("G1")
	g2, _ := m.Dictionary.Index("G2")
	for _, test := range []struct {
		form          string
		before, after map[int32]int
	}{
		{"sprue", map[int32]int{int32(g1): 2}, map[int32]int{int32(g1): 1}},
		{"ulcer", map[int32]int{int32(g2): 1}, nil},
		{"coeliac disease", map[int32]int{int32(g2): 1}, nil}, // a name of G1 in the dictionary
		{"gastric ulcer", nil, nil},
	} {
		must.Equal(t, m.LabelsOf(test.form), test.before, test.form, "before")
		must.Equal(t, smaller.LabelsOf(test.form), test.after, test.form, "after")
	}
}
