//go:build torch

package encoder

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/bert/berttest"
	"github.com/ctxnorm/ctxnorm/internal/bert/kernels"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// openBy opens an encoder that computes in the given way.
func openBy(t testing.TB, dir string, compute computation) *Encoder {
	t.Helper()
	e := openTest(t, dir, Options{Workers: 1})
	if err := e.backend.Close(); err != nil {
		t.Fatal(err)
	}
	if err := compute.open(e, dir); err != nil {
		t.Fatal(err)
	}
	return e
}

// TestGoAgainstLibtorch compares the vectors of both in float32: of random networks of several shapes and
// activations, and of MiniLM.
func TestGoAgainstLibtorch(t *testing.T) {
	activations := []string{"gelu", "gelu_pytorch_tanh", "relu"}
	compare := func(name, dir string, queries []text.Query) {
		got := encode(t, openBy(t, dir, inGo(kernels.Best(), 1)), queries)
		want := encode(t, openBy(t, dir, byLibtorch(tensor.Float32, tensor.CPU, 1)), queries)
		worst := 1.0
		for i := range got {
			worst = min(worst, cosine(got[i], want[i]))
		}
		t.Logf("%s: worst cosine %.8f", name, worst)
		if worst < .99999 {
			t.Errorf("%s: cosine %v, want .99999 or more", name, worst)
		}
	}
	for i, shape := range berttest.Shapes {
		activation := activations[i%len(activations)]
		dir := berttest.Random(t, shape, activation, uint64(i))
		compare(fmt.Sprintf("%+v, %s", shape, activation), dir, berttest.Sentences(30, uint64(i)))
	}
	compare("tiny", berttest.Tiny(), berttest.Sentences(50, 1))
	compare("MiniLM", berttest.MiniLM(t), berttest.Sentences(100, 2))
}

// TestSaveUntrainedAsModel: the weights that [SaveUntrained] writes are those that a model of libtorch, as
// training has it, writes.
func TestSaveUntrainedAsModel(t *testing.T) {
	settings := SettingsOf(contrastive.DefaultConfig())
	ours, trained := t.TempDir()+"/a", t.TempDir()+"/b"
	if err := SaveUntrained(berttest.Tiny(), ours, settings); err != nil {
		t.Fatal(err)
	}
	tok, err := tokenizer.Open(berttest.Tiny())
	if err != nil {
		t.Fatal(err)
	}
	defer tok.Close()
	m, err := bert.LoadModel(berttest.Tiny(), tok, false, untrainedSeed)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Drop()
	settings.MaxTokens = 64
	if err := WriteFolder(trained, settings, tok, m.Write); err != nil {
		t.Fatal(err)
	}
	got, want := openTest(t, ours, Options{}).Fingerprint(), openTest(t, trained, Options{}).Fingerprint()
	if got != want {
		t.Errorf("fingerprint %s, want %s", got, want)
	}
}

// TestCUDA: without it the error says how to get it.
func TestCUDA(t *testing.T) {
	if _, err := tensor.ParseDevice("cuda"); err == nil {
		t.Skip("this build uses a GPU")
	}
	_, err := Open(berttest.Tiny(), Options{Device: "cuda"})
	if err == nil || !strings.Contains(err.Error(), "make build CUDA=1") {
		t.Errorf("error %v, want one that says how to get CUDA", err)
	}
}

// TestBFloat16WithoutPadding compares vectors in bfloat16 of a model whose heads have 16
// numbers, which is computed without padding where the processor allows it, with those
// in float32: of sentences with one query and with several, pooled over one token and
// over more, by one worker and by three. It also compares each sentence alone with all
// together.
func TestBFloat16WithoutPadding(t *testing.T) {
	if !tensor.HasBFloat16(tensor.CPU) {
		t.Skip("the processor does not multiply bfloat16")
	}
	dir := berttest.Changed(t, func(fields map[string]any) { fields["num_attention_heads"] = 2 }, nil)
	var queries []text.Query
	for _, q := range berttest.Sentences(150, 11) {
		for _, mention := range q.Mentions {
			q.Mention = mention
			queries = append(queries, q)
		}
	}
	for _, pooling := range []contrastive.Pooling{contrastive.PoolSpan, contrastive.PoolEnt} {
		settings := Settings{Pooling: pooling, MarkAll: true, MaxTokens: 64}
		exact := encode(t, openTest(t, dir, Options{Precision: contrastive.PrecisionFloat32, Settings: &settings}), queries)
		for _, workers := range []int{1, 3} {
			e := openTest(t, dir, Options{Settings: &settings, Workers: workers})
			compute := byLibtorch(tensor.BFloat16, tensor.CPU, workers)
			if err := compute.open(e, dir); err != nil {
				t.Fatal(err)
			}
			all := encode(t, e, queries)
			for i := range exact {
				if c := cosine(exact[i], all[i]); c < .999 {
					t.Errorf("%s, %d workers, row %d: cosine %v to float32", pooling, workers, i, c)
				}
			}
			for i := 0; i < len(queries); i += 20 {
				if alone := encode(t, e, queries[i:i+1]); berttest.MaxDifference(t, alone, all[i:i+1]) > 1e-5 {
					t.Errorf("%s, %d workers, row %d: its vector differs when encoded alone", pooling, workers, i)
				}
			}
		}
	}
}

// BenchmarkLibtorch is [BenchmarkSentences] by libtorch.
func BenchmarkLibtorch(b *testing.B) {
	for name, dtype := range map[string]tensor.DType{"float32": tensor.Float32, "bfloat16": tensor.BFloat16} {
		b.Run(name, func(b *testing.B) {
			benchmarkSentences(b, openBy(b, berttest.MiniLM(b), byLibtorch(dtype, tensor.CPU, 1)), sentenceCount)
		})
	}
}
