//go:build torch

package torch

import (
	"testing"

	"ctxnorm/contrastive"
	"ctxnorm/contrastive/torch/berttest"
)

func BenchmarkEncodeFloat32(b *testing.B)  { benchmarkEncode(b, contrastive.PrecisionFloat32) }
func BenchmarkEncodeBFloat16(b *testing.B) { benchmarkEncode(b, contrastive.PrecisionBFloat16) }

// benchmarkEncode encodes sentences of 28 tokens on average on all cores.
func benchmarkEncode(b *testing.B, precision contrastive.Precision) {
	e := openTest(b, berttest.MiniLM(b), Options{Precision: precision})
	queries := berttest.Sentences(256, 5)
	dst := make([]float32, len(queries)*e.Dim())
	for b.Loop() {
		if err := e.Encode(b.Context(), dst, queries); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(queries)*b.N)/b.Elapsed().Seconds(), "sentences/s")
}
