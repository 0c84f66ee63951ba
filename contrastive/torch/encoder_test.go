//go:build torch

package torch

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ctxnorm"
	"ctxnorm/contrastive"
)

const tinyDir = "testdata/tiny"

func openTest(t testing.TB, dir string, o Options) *Encoder {
	t.Helper()
	e, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// sentences makes n queries of 3 to 40 words with one to three mentions each.
func sentences(n int, seed uint64) []ctxnorm.Query {
	r := rand.New(rand.NewPCG(seed, 1))
	words := strings.Fields("the patient with breast cancer had renal failure and fever after therapy of chronic asthma")
	queries := make([]ctxnorm.Query, n)
	for i := range queries {
		doc := &ctxnorm.Document{ID: fmt.Sprint(i)}
		count := 3 + r.IntN(38)
		for w := range count {
			word := words[r.IntN(len(words))]
			if w == 1 || r.IntN(20) == 0 && len(doc.Mentions) < 3 {
				span := ctxnorm.Span{Start: len(doc.Text), End: len(doc.Text) + len(word)}
				doc.Mentions = append(doc.Mentions, ctxnorm.Mention{Span: span})
			}
			doc.Text += word + " "
		}
		queries[i] = ctxnorm.Query{
			Document: doc, Mention: doc.Mentions[r.IntN(len(doc.Mentions))],
			Sentence: ctxnorm.Span{End: len(doc.Text)},
		}
	}
	return queries
}

func encode(t testing.TB, e *Encoder, queries []ctxnorm.Query) [][]float32 {
	t.Helper()
	dst := make([]float32, len(queries)*e.Dim())
	if err := e.Encode(context.Background(), dst, queries); err != nil {
		t.Fatal(err)
	}
	rows := make([][]float32, len(queries))
	for i := range rows {
		rows[i] = dst[i*e.Dim() : (i+1)*e.Dim()]
	}
	return rows
}

// TestEncoderContract: unit rows, in the order of the queries, that do not
// depend on the rest of the batch, the size of batches or the number of workers.
func TestEncoderContract(t *testing.T) {
	queries := sentences(60, 3)
	for _, pooling := range []contrastive.Pooling{contrastive.PoolSpan, contrastive.PoolEnt} {
		settings := Settings{Pooling: pooling, MarkAll: true, MaxTokens: 64}
		e := openTest(t, tinyDir, Options{Precision: contrastive.PrecisionFloat32, Settings: &settings})
		small := openTest(t, tinyDir, Options{Precision: contrastive.PrecisionFloat32, Settings: &settings, Workers: 1})
		all := encode(t, e, queries)
		for i, row := range all {
			squares := 0.0
			for _, v := range row {
				squares += float64(v) * float64(v)
			}
			if math.Abs(squares-1) > 1e-5 {
				t.Fatalf("%s, row %d: squared length %v", pooling, i, squares)
			}
		}
		if d := largest(t, encode(t, small, queries), all); d > 1e-5 {
			t.Errorf("%s: other batches and workers change a number by %g", pooling, d)
		}
		for i := range queries {
			if d := largest(t, encode(t, e, queries[i:i+1]), all[i:i+1]); d > 1e-5 {
				t.Errorf("%s: row %d differs by %g when encoded alone", pooling, i, d)
			}
		}
	}
}

// TestPooling takes vectors apart: the mean over the marked span with its
// markers, and the state at [ENT], from the hidden states themselves.
func TestPooling(t *testing.T) {
	queries := sentences(5, 9)
	for _, pooling := range []contrastive.Pooling{contrastive.PoolSpan, contrastive.PoolEnt} {
		settings := Settings{Pooling: pooling, MaxTokens: 64}
		e := openTest(t, tinyDir, Options{Precision: contrastive.PrecisionFloat32, Settings: &settings})
		got := encode(t, e, queries)
		inputs, err := tokenize(context.Background(), e.tokenizer, 1, len(queries), settings, func(i int) *ctxnorm.Query { return &queries[i] })
		if err != nil {
			t.Fatal(err)
		}
		for i := range inputs {
			in := &inputs[i]
			states := hiddenStates(t, e.model, [][]int32{in.IDs})[0]
			start, end := in.Query.Start, in.Query.End
			if pooling == contrastive.PoolEnt {
				end = start + 1
			}
			want := make([]float32, e.Dim())
			squares := 0.0
			for j := range want {
				for _, state := range states[start:end] {
					want[j] += state[j]
				}
				squares += float64(want[j]) * float64(want[j])
			}
			for j := range want {
				want[j] /= float32(math.Sqrt(squares)) // the mean and the sum have one direction
			}
			if d := largest(t, got[i:i+1], [][]float32{want}); d > 1e-5 {
				t.Errorf("%s, row %d: off by %g", pooling, i, d)
			}
		}
	}
}
