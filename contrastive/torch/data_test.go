//go:build torch

package torch

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
	"ctxnorm/contrastive"
	"ctxnorm/tokenizer"
)

func TestWordings(t *testing.T) {
	w := newWordings([]ctxnorm.Exemplar{
		ctxnorm.NameExemplar("Breast Cancer", "A"), ctxnorm.NameExemplar("breast tumor", "A", "B"), ctxnorm.NameExemplar("fever", "C"),
	})
	for _, tc := range []struct {
		concept ctxnorm.ConceptID
		normal  string
		number  uint64
		want    string
	}{
		{"A", "breast cancer", 0, "breast tumor"},
		{"A", "breast cancer", 7, "breast tumor"}, // the only other
		{"A", "mastitis", 0, "Breast Cancer"},
		{"A", "mastitis", 3, "breast tumor"},
		{"B", "fever", 1, "breast tumor"},
		{"C", "fever", 0, ""},
		{"D", "fever", 0, ""},
	} {
		got, ok := w.other(tc.concept, tc.normal, tc.number)
		if got != tc.want || ok != (tc.want != "") {
			t.Errorf("another name of %s than %q: %q, %v, want %q", tc.concept, tc.normal, got, ok, tc.want)
		}
	}
}

// TestDrawRewords: of each pair the second context has another name of its
// concept, and what is remembered of it for other steps has not.
func TestDrawRewords(t *testing.T) {
	var contexts, names []ctxnorm.Exemplar
	texts := map[string]ctxnorm.ConceptID{"cough of breast cancer": "A", "fever and breast cancer": "A", "cough with renal failure": "B", "a renal failure": "B"}
	for _, text := range slices.Sorted(maps.Keys(texts)) {
		start := len(text) - 13 // of both names
		m := ctxnorm.Mention{Span: ctxnorm.Span{Start: start, End: len(text)}, Name: text[start:], Concepts: []ctxnorm.ConceptID{texts[text]}}
		if texts[text] == "B" {
			m.Start = strings.Index(text, "renal")
			m.Name = "renal failure"
		}
		doc := &ctxnorm.Document{ID: text, Text: text, Mentions: []ctxnorm.Mention{m}}
		contexts = append(contexts, ctxnorm.Exemplar{Query: ctxnorm.Query{Document: doc, Mention: m, Sentence: ctxnorm.Span{End: len(text)}}})
	}
	names = append(names, ctxnorm.NameExemplar("breast cancer", "A"), ctxnorm.NameExemplar("breast tumor", "A"), ctxnorm.NameExemplar("renal failure", "B"))
	config := contrastive.DefaultConfig()
	config.NameShare, config.Pairs, config.RewordMention = 0, 2, 1
	tok, err := tokenizer.Open(tinyDir)
	if err != nil {
		t.Fatal(err)
	}
	defer tok.Close()
	collected, err := newCollection(contexts, config)
	if err != nil {
		t.Fatal(err)
	}
	d := &drawer{config: config, settings: settingsOf(config), tokenizer: tok, contexts: collected, wordings: newWordings(names)}
	for range 2 { // the second time from what is remembered
		b, err := d.draw(0)
		if err != nil {
			t.Fatal(err)
		}
		for i, draw := range collected.sampler.Batch(0) {
			query := contexts[draw.Item].Query
			if i%2 == 1 && draw.Concept == "A" { // B has no other name
				query = query.Reword("breast tumor")
			}
			want, err := d.encode(&query)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.IDs, b.inputs[b.slots[i].row].IDs); diff != "" {
				t.Errorf("row %d (-want +got):\n%s", i, diff)
			}
		}
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
