//go:build torch

package train

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/bert/berttest"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

func BenchmarkTrainStepFloat32(b *testing.B)  { benchmarkTrainStep(b, tensor.Float32) }
func BenchmarkTrainStepBFloat16(b *testing.B) { benchmarkTrainStep(b, tensor.BFloat16) }

// benchmarkTrainStep takes steps on 32 sentences of 28 tokens on average, on
// all cores.
func benchmarkTrainStep(b *testing.B, dtype tensor.DType) {
	const cores, rows = 2, 32
	tok, err := tokenizer.Open(berttest.MiniLM(b))
	if err != nil {
		b.Fatal(err)
	}
	defer tok.Close()
	batch := batchOf(b, tok, rows)
	err = tensor.OnThread(true, func() (err error) {
		m, err := bert.LoadModel(berttest.MiniLM(b), tok, true, 1)
		if err != nil {
			return err
		}
		state, err := newTrainState(&contrastive.BioCoM{}, &bertNetwork{model: m, tokenizer: tok}, dtype, tensor.CPU, cores)
		if err != nil {
			return err
		}
		defer m.Drop()
		defer state.scope.Drop()
		for b.Loop() {
			if _, err := state.step(batch, 1e-5); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(rows*b.N)/b.Elapsed().Seconds(), "sentences/s")
}

// batchOf returns a batch of sentences, two for each concept.
func batchOf(t testing.TB, tok *tokenizer.Tokenizer, rows int) *trainBatch {
	t.Helper()
	queries := berttest.Sentences(rows, 5)
	var inputs sentenceTexts
	batch := &trainBatch{loss: contrastive.DefaultConfig().ContextLoss}
	for i := range queries {
		in, err := tok.Encode(&queries[i], tokenizer.Options{MaxTokens: 64})
		if err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, in)
		batch.spans = append(batch.spans, bert.PooledSpan{Row: i, Tokens: in.Query})
		batch.labels = append(batch.labels, contrastive.LabelOf([]kb.ConceptID{concept(i / 2)}))
	}
	batch.texts = inputs
	return batch
}

// BenchmarkAdamW takes steps on the weights of MiniLM without its tables.
func BenchmarkAdamW(b *testing.B) {
	const size = 10_646_784
	adam := newAdamW(size)
	values, grad := make([]float32, size), make([]float32, size)
	for i := range grad {
		grad[i] = float32(i%7) - 3
	}
	b.SetBytes(4 * size)
	for b.Loop() {
		adam.step(values, grad, 1, 1e-4, 0.01, size, 2)
	}
}
