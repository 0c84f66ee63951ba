//go:build torch

package train

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/encoder"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// newLoader returns the loader of BioCoM's batches.
func newLoader(t testing.TB, c contrastive.Config, tok *tokenizer.Tokenizer, contexts, names []text.Exemplar) *dataLoader {
	t.Helper()
	task := must.Get(contrastive.NewBioCoM(c, contexts, names))
	return &dataLoader{task: task, network: &bertNetwork{tokenizer: tok, settings: encoder.SettingsOf(c)}}
}

// TestBatch: two mentions in one sentence are two spans of one row. A marked mention that was not sampled is a span
// only if its concept is known.
func TestBatch(t *testing.T) {
	const s = "breast cancer with renal failure and fever"
	at := func(start, end int, concepts ...kb.ConceptID) text.Mention {
		return text.Mention{Span: text.Span{Start: start, End: end}, Concepts: concepts}
	}
	doc := &text.Document{ID: "1", Text: s, Mentions: []text.Mention{
		at(0, 13, "A"), at(19, 32, "B", "C"), at(37, 42),
	}}
	second := &text.Document{ID: "2", Text: "fever of a breast tumor", Mentions: []text.Mention{at(0, 5, "B"), at(11, 23, "A")}}
	exemplar := func(d *text.Document, i int) text.Exemplar {
		return text.Exemplar{Query: text.Query{Document: d, Mention: d.Mentions[i], Sentence: text.Span{End: len(d.Text)}}}
	}
	config := contrastive.DefaultConfig()
	config.NameBatchRatio, config.ConceptsPerBatch = 0, 2
	tok := must.Get(tokenizer.Open(fixtures.TinyBERT()))
	defer tok.Close()
	for _, markAll := range []bool{true, false} {
		config.MarkAll = markAll
		exemplars := []text.Exemplar{exemplar(doc, 0), exemplar(second, 1), exemplar(second, 0), exemplar(doc, 1)}
		d := newLoader(t, config, tok, exemplars, nil)
		b := must.Get(d.batch(0))
		// Concepts A and B have two exemplars each, and all are sampled. With all mentions marked they are four spans
		// in two sentences; with one mention marked, each has a sentence of its own.
		wantRows := 4
		if markAll {
			wantRows = 2
		}
		if b.texts.count() != wantRows || len(b.spans) != 4 {
			t.Fatalf("mark all %v: %d rows and %d spans, want %d and 4", markAll, b.texts.count(), len(b.spans), wantRows)
		}
		count := map[kb.ConceptID]int{}
		for i, span := range b.spans {
			count[b.labels[i].Concept]++
			ids := b.texts.(sentenceTexts)[span.Row].IDs
			if ids[span.Tokens.Start] != int32(tok.Size())-2 || ids[span.Tokens.End-1] != int32(tok.Size())-1 {
				t.Errorf("span %d does not start and end with the markers", i)
			}
		}
		if diff := cmp.Diff(map[kb.ConceptID]int{"A": 2, "B": 2}, count); diff != "" {
			t.Errorf("mark all %v (-want +got):\n%s", markAll, diff)
		}
	}

	// Four sentences in which only the first mention is sampled: the second mention is a span of its own, but the
	// third, whose concept is unknown, is not.
	var exemplars []text.Exemplar
	for i, id := range []kb.ConceptID{"A", "A", "B", "B"} {
		d := &text.Document{ID: string(rune('a' + i)), Text: "cough " + s, Mentions: []text.Mention{
			at(6, 19, id), at(25, 38, "X", "Y"), at(43, 48),
		}}
		exemplars = append(exemplars, exemplar(d, 0))
		d.Text = string(rune('a'+i)) + "ough " + s
	}
	config.MarkAll = true
	d := newLoader(t, config, tok, exemplars, nil)
	b := must.Get(d.batch(0))
	if b.texts.count() != 4 || len(b.spans) != 8 {
		t.Fatalf("%d rows and %d spans, want 4 and 8", b.texts.count(), len(b.spans))
	}
	want := contrastive.Label{Concepts: []kb.ConceptID{"X", "Y"}}
	for i := 4; i < 8; i++ {
		if diff := cmp.Diff(want, b.labels[i]); diff != "" {
			t.Errorf("span %d (-want +got):\n%s", i, diff)
		}
	}
}
