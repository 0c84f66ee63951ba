package link

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// benchModel builds a model with 30,000 names and 30,000 contexts.
func benchModel(b *testing.B, encoder *linktest.BagOfWords) string {
	b.Helper()
	r := rand.New(rand.NewPCG(1, 13))
	word := func(kinds int) string { return fmt.Sprintf("word%dosis", r.IntN(kinds)) }
	var all []kb.Concept
	var contexts []text.Exemplar
	for i := range 10_000 {
		c := kb.Concept{ID: kb.ConceptID(fmt.Sprint("C", i))}
		if i > 0 {
			c.Parents = []kb.ConceptID{kb.ConceptID(fmt.Sprint("C", r.IntN(i)))}
		}
		for range 3 {
			name := word(5000) + " " + word(500) + " " + word(50)
			c.Synonyms = append(c.Synonyms, name)
			doc := &text.Document{ID: fmt.Sprint(i), Text: name + " was found in " + word(5000) + " and in " + word(5000)}
			m := text.Mention{Span: text.Span{Start: 0, End: len(name)}, Name: name, Concepts: []kb.ConceptID{c.ID}}
			doc.Mentions = []text.Mention{m}
			contexts = append(contexts, text.Exemplar{Query: Queries(doc)[0]})
			contexts[len(contexts)-1].Mention = m
		}
		all = append(all, c)
	}
	return modeltest.Build(b, encoder, func(o *model.BuildOptions) {
		o.Dictionary, o.Contexts = kb.NewDictionary(all), contexts
	})
}

// BenchmarkGenerate generates the candidates of 256 queries with their features.
func BenchmarkGenerate(b *testing.B) {
	encoder := linktest.GutEncoder()
	m := must(model.Open(benchModel(b, encoder), modeltest.Opener(encoder, nil)))
	defer m.Close()
	g := must(NewCandidateGenerator(m, AllComponents, nil))
	queries := make([]text.Query, 256)
	contexts := exemplarsOf(b, &m.Contexts)
	for i := range queries {
		queries[i] = contexts[i*len(contexts)/len(queries)].Query
	}
	for b.Loop() {
		must(g.Generate(b.Context(), queries))
	}
	b.ReportMetric(float64(b.N*len(queries))/b.Elapsed().Seconds(), "queries/s")
}
