//go:build torch

package torch

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
	"ctxnorm/contrastive"
	"ctxnorm/tokenizer"
)

func TestMaskMention(t *testing.T) {
	span := func(start, end int) tokenizer.TokenSpan { return tokenizer.TokenSpan{Start: start, End: end} }
	// [CLS] a [E] b [/E] [E] c d e [/E] f [E] g [/E] [SEP], with c d e queried
	in := tokenizer.Input{
		IDs:           []int32{2, 10, 90, 11, 91, 90, 12, 13, 14, 91, 15, 90, 16, 91, 3},
		Query:         span(5, 10),
		Others:        []tokenizer.TokenSpan{span(2, 5), span(11, 14)},
		OtherMentions: []int{0, 2},
	}
	before := slices.Clone(in.IDs)
	want := tokenizer.Input{
		IDs:           []int32{2, 10, 90, 11, 91, 90, 4, 91, 15, 90, 16, 91, 3},
		Query:         span(5, 8),
		Others:        []tokenizer.TokenSpan{span(2, 5), span(9, 12)},
		OtherMentions: []int{0, 2},
	}
	if diff := cmp.Diff(want, maskMention(in, 4)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !slices.Equal(before, in.IDs) {
		t.Error("the input, which is kept for other steps, was changed")
	}
}

// TestDraw: two mentions of one sentence are two slots of one row, a marked
// mention that was not drawn is a slot if its concept is known, and one whose
// concept is not known is none.
func TestDraw(t *testing.T) {
	const text = "breast cancer with renal failure and fever"
	at := func(start, end int, concepts ...ctxnorm.ConceptID) ctxnorm.Mention {
		return ctxnorm.Mention{Span: ctxnorm.Span{Start: start, End: end}, Concepts: concepts}
	}
	doc := &ctxnorm.Document{ID: "1", Text: text, Mentions: []ctxnorm.Mention{
		at(0, 13, "A"), at(19, 32, "B", "C"), at(37, 42),
	}}
	second := &ctxnorm.Document{ID: "2", Text: "fever of a breast tumor", Mentions: []ctxnorm.Mention{at(0, 5, "B"), at(11, 23, "A")}}
	exemplar := func(d *ctxnorm.Document, i int) ctxnorm.Exemplar {
		return ctxnorm.Exemplar{Query: ctxnorm.Query{Document: d, Mention: d.Mentions[i], Sentence: ctxnorm.Span{End: len(d.Text)}}}
	}
	config := contrastive.DefaultConfig()
	config.NameShare, config.Pairs = 0, 2
	tok, err := tokenizer.Open(tinyDir)
	if err != nil {
		t.Fatal(err)
	}
	defer tok.Close()
	for _, markAll := range []bool{true, false} {
		config.MarkAll = markAll
		exemplars := []ctxnorm.Exemplar{exemplar(doc, 0), exemplar(second, 1), exemplar(second, 0), exemplar(doc, 1)}
		contexts, err := newCollection(exemplars, config)
		if err != nil {
			t.Fatal(err)
		}
		d := &drawer{config: config, settings: settingsOf(config), tokenizer: tok, contexts: contexts}
		b, err := d.draw(0)
		if err != nil {
			t.Fatal(err)
		}
		// Concepts A and B have two exemplars each, and both are drawn. With all
		// mentions marked they are four slots of two sentences; with one marked,
		// each makes its own.
		wantRows := 4
		if markAll {
			wantRows = 2
		}
		if len(b.inputs) != wantRows || len(b.slots) != 4 {
			t.Fatalf("mark all %v: %d rows and %d slots, want %d and 4", markAll, len(b.inputs), len(b.slots), wantRows)
		}
		count := map[ctxnorm.ConceptID]int{}
		for i, slot := range b.slots {
			count[b.labels[i].Concept]++
			ids := b.inputs[slot.row].IDs
			if ids[slot.span.Start] != int32(tok.Size())-2 || ids[slot.span.End-1] != int32(tok.Size())-1 {
				t.Errorf("slot %d does not begin and end with the markers", i)
			}
		}
		if diff := cmp.Diff(map[ctxnorm.ConceptID]int{"A": 2, "B": 2}, count); diff != "" {
			t.Errorf("mark all %v (-want +got):\n%s", markAll, diff)
		}
	}

	// Three sentences of which only the first mention is drawn: the second is a
	// slot of its own, and the unknown third is none.
	var exemplars []ctxnorm.Exemplar
	for i, id := range []ctxnorm.ConceptID{"A", "A", "B", "B"} {
		d := &ctxnorm.Document{ID: string(rune('a' + i)), Text: "cough " + text, Mentions: []ctxnorm.Mention{
			at(6, 19, id), at(25, 38, "X", "Y"), at(43, 48),
		}}
		exemplars = append(exemplars, exemplar(d, 0))
		d.Text = string(rune('a'+i)) + "ough " + text
	}
	config.MarkAll = true
	contexts, err := newCollection(exemplars, config)
	if err != nil {
		t.Fatal(err)
	}
	d := &drawer{config: config, settings: settingsOf(config), tokenizer: tok, contexts: contexts}
	b, err := d.draw(0)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.inputs) != 4 || len(b.slots) != 8 {
		t.Fatalf("%d rows and %d slots, want 4 and 8", len(b.inputs), len(b.slots))
	}
	want := contrastive.Label{Concepts: []ctxnorm.ConceptID{"X", "Y"}}
	for i := 4; i < 8; i++ {
		if diff := cmp.Diff(want, b.labels[i]); diff != "" {
			t.Errorf("slot %d (-want +got):\n%s", i, diff)
		}
	}
}

// TestPackFor: every input in one batch, the longest first, and no batch much
// larger than its worker's share.
func TestPackFor(t *testing.T) {
	for _, n := range []int{0, 1, 5, 40, 700} {
		for _, workers := range []int{1, 2, 7} {
			inputs := make([]tokenizer.Input, n)
			tokens := 0
			for i := range inputs {
				inputs[i].IDs = make([]int32, 5+i*37%60)
				tokens += len(inputs[i].IDs)
			}
			batches := packFor(inputs, workers, mustDevice(t, CPU))
			var seen []int
			for _, batch := range batches {
				width := len(inputs[batch[0]].IDs)
				for _, i := range batch {
					if len(inputs[i].IDs) > width {
						t.Errorf("%d inputs, %d workers: an input is longer than the first of its batch", n, workers)
					}
					width = len(inputs[i].IDs)
				}
				if padded := shapeRows(len(batch)) * shapeWidth(len(inputs[batch[0]].IDs)); padded > maxBatchTokens && len(batch) > 1 {
					t.Errorf("%d inputs, %d workers: a batch of %d tokens", n, workers, padded)
				}
				seen = append(seen, batch...)
			}
			slices.Sort(seen)
			for i := range n {
				if i >= len(seen) || seen[i] != i {
					t.Fatalf("%d inputs, %d workers: packed are %v", n, workers, seen)
				}
			}
			if tokens > minBatchTokens*workers && len(batches) < min(workers, n) {
				t.Errorf("%d inputs of %d tokens: %d batches for %d workers", n, tokens, len(batches), workers)
			}
		}
	}
}
