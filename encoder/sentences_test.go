//go:build unix

package encoder

import (
	"syscall"
	"testing"
	"time"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/bert/kernels"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

const sentenceCount = 1000

// BenchmarkSentences encodes 1,000 real sentences of 20 to 60 tokens on one core in Go, with each instruction set.
func BenchmarkSentences(b *testing.B) {
	for _, set := range append(kernels.Supported(), kernels.BFloat16(), kernels.Int8()) {
		if set == nil {
			continue
		}
		b.Run(set.String(), func(b *testing.B) {
			count := sentenceCount
			if set == kernels.Portable {
				count = 30
			}
			benchmarkSentences(b, openBy(b, fixtures.MiniLM(b), inGo(set)), count)
		})
	}
}

// benchmarkSentences encodes sentences of abstracts, pooled over all of their tokens, and reports the number per second
// of processor time, so that other work on the machine matters little.
func benchmarkSentences(b *testing.B, e *Encoder, count int) {
	b.Helper()
	e.settings = Settings{Pooling: contrastive.PoolText, MaxTokens: 64}
	queries := realSentences(b, e.tokenizer, count)
	dst := make([]float32, len(queries)*e.Dim())
	start := processorTime(b)
	for b.Loop() {
		must.Succeed(b, e.Encode(b.Context(), dst, queries))
	}
	b.ReportMetric(float64(len(queries)*b.N)/(processorTime(b)-start).Seconds(), "sentences/s")
}

// processorTime returns the processor time that the process has used.
func processorTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	must.Succeed(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// realSentences returns the first sentences of abstracts that have 20 to 60 tokens.
func realSentences(b *testing.B, t *tokenizer.Tokenizer, count int) []text.Query {
	var queries []text.Query
	for _, abstract := range fixtures.Abstracts(b, count) {
		for _, span := range sentence.Split(abstract) {
			// plus [CLS] and [SEP]
			if tokens, _ := t.CountTokens(span.Of(abstract)); tokens >= 18 && tokens <= 58 && len(queries) < count {
				queries = append(queries, text.NameExemplar(span.Of(abstract)).Query)
			}
		}
	}
	if len(queries) < count {
		b.Fatalf("%d sentences, want %d", len(queries), count)
	}
	return queries
}
