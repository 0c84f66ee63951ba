//go:build torch

package torch

import (
	"testing"

	"github.com/sugarme/gotch"

	"ctxnorm"
	"ctxnorm/contrastive"
	"ctxnorm/tokenizer"
)

func BenchmarkEncodeFloat32(b *testing.B)  { benchmarkEncode(b, contrastive.PrecisionFloat32) }
func BenchmarkEncodeBFloat16(b *testing.B) { benchmarkEncode(b, contrastive.PrecisionBFloat16) }

// benchmarkEncode encodes sentences of 28 tokens on average on all cores.
func benchmarkEncode(b *testing.B, precision contrastive.Precision) {
	e := openTest(b, miniLM(b), Options{Precision: precision})
	queries := sentences(256, 5)
	dst := make([]float32, len(queries)*e.Dim())
	for b.Loop() {
		if err := e.Encode(b.Context(), dst, queries); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(queries)*b.N)/b.Elapsed().Seconds(), "sentences/s")
}

func BenchmarkTrainStepFloat32(b *testing.B)  { benchmarkTrainStep(b, gotch.Float) }
func BenchmarkTrainStepBFloat16(b *testing.B) { benchmarkTrainStep(b, gotch.BFloat16) }

// benchmarkTrainStep takes steps on 32 sentences of 28 tokens on average, on
// all cores.
func benchmarkTrainStep(b *testing.B, dtype gotch.DType) {
	const cores, rows = 2, 32
	tok, err := tokenizer.Open(miniLM(b))
	if err != nil {
		b.Fatal(err)
	}
	defer tok.Close()
	batch := batchOf(b, tok, rows)
	err = onThread(true, func() error {
		m, err := loadModel(miniLM(b), tok.Size(), [2]int32{int32(tok.Size()) - 2, int32(tok.Size()) - 1}, true, 1)
		if err != nil {
			return err
		}
		defer m.drop()
		l, err := newLearner(contrastive.DefaultConfig(), m, dtype, gotch.CPU, cores)
		if err != nil {
			return err
		}
		defer l.drop()
		for b.Loop() {
			if _, err := l.step(batch, 1e-5); err != nil {
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

// batchOf is a batch of so many sentences, two for each concept.
func batchOf(t testing.TB, tok *tokenizer.Tokenizer, rows int) *examples {
	t.Helper()
	queries := sentences(rows, 5)
	inputs, err := tokenize(t.Context(), tok, 1, rows, Settings{MaxTokens: 64}, func(i int) *ctxnorm.Query { return &queries[i] })
	if err != nil {
		t.Fatal(err)
	}
	batch := &examples{inputs: inputs}
	for i := range inputs {
		batch.slots = append(batch.slots, slot{i, inputs[i].Query})
		batch.labels = append(batch.labels, contrastive.LabelOf([]ctxnorm.ConceptID{concept(i / 2)}))
	}
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
