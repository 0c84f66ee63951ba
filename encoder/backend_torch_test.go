//go:build torch

package encoder

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/bert/kernels"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// TestGoAgainstLibtorch compares the vectors of both in float32: of 100 random networks with texts of 3 to 511 tokens,
// of a tiny one, and of MiniLM.
func TestGoAgainstLibtorch(t *testing.T) {
	activations := []string{"gelu", "gelu_pytorch_tanh", "relu"}
	compare := func(name, dir string, settings Settings, queries []text.Query) {
		by := func(compute computation) [][]float32 {
			e := openBy(t, dir, compute)
			e.settings = settings
			return encode(t, e, queries)
		}
		got, want := by(inGo(kernels.Best())), by(byLibtorch(tensor.Float32, tensor.CPU, 1))
		for i := range got {
			if c := cosine(got[i], want[i]); !(c >= .99999) {
				t.Errorf("%s, %d bytes: cosine %v, want .99999 or more", name, len(queries[i].Text), c)
			}
		}
	}
	words := strings.Fields("the patient with breast cancer had renal failure and fever after therapy")
	for k := range 100 {
		r := rand.New(rand.NewPCG(7, uint64(k)))
		shape, activation := fixtures.RandomBERTShape(r), activations[k%len(activations)]
		var queries []text.Query
		for range 4 {
			var body strings.Builder
			for range fixtures.RandomLength(r, 509) { // plus [CLS] and [SEP]
				body.WriteString(words[r.IntN(len(words))] + " ")
			}
			queries = append(queries, text.NameExemplar(body.String()).Query)
		}
		compare(fmt.Sprintf("%+v, %s", shape, activation), fixtures.RandomBERT(t, shape, activation, uint64(k)),
			Settings{Pooling: contrastive.PoolText, MaxTokens: 512}, queries)
	}
	settings := Settings{Pooling: contrastive.PoolSpan, MarkAll: true, MaxTokens: 64}
	compare("tiny", fixtures.TinyBERT(), settings, fixtures.RandomSentences(50, 1))
	compare("MiniLM", fixtures.MiniLM(t), settings, fixtures.RandomSentences(100, 2))
}

// TestSaveUntrainedAsModel: [SaveUntrained] writes the same weights as a model of libtorch, the kind used in training.
func TestSaveUntrainedAsModel(t *testing.T) {
	settings := SettingsOf(contrastive.DefaultConfig())
	ours, trained := t.TempDir()+"/a", t.TempDir()+"/b"
	must.Succeed(t, SaveUntrained(fixtures.TinyBERT(), ours, settings))
	tok := must.Get(tokenizer.Open(fixtures.TinyBERT()))
	defer tok.Close()
	m := must.Get(bert.LoadModel(fixtures.TinyBERT(), tok, false, untrainedSeed))
	defer m.Drop()
	settings.MaxTokens = 64
	must.Succeed(t, WriteFolder(trained, settings, tok, m.Write))
	got, want := openTest(t, ours, Options{}).Fingerprint(), openTest(t, trained, Options{}).Fingerprint()
	if got != want {
		t.Errorf("fingerprint %s, want %s", got, want)
	}
}

// TestLibtorchBFloat16 compares libtorch's vectors in bfloat16, as on a GPU, with those in float32: for sentences with
// one query and with several, pooled over one token and over more.
func TestLibtorchBFloat16(t *testing.T) {
	queries := queriesOfAllMentions(150, 11)
	for _, pooling := range []contrastive.Pooling{contrastive.PoolSpan, contrastive.PoolEnt} {
		settings := Settings{Pooling: pooling, MarkAll: true, MaxTokens: 64}
		options := Options{Precision: contrastive.PrecisionFloat32, Settings: &settings}
		exact := encode(t, openTest(t, fixtures.TinyBERT(), options), queries)
		e := openBy(t, fixtures.TinyBERT(), byLibtorch(tensor.BFloat16, tensor.CPU, 2))
		e.settings = settings
		for i, v := range encode(t, e, queries) {
			if c := cosine(exact[i], v); c < .999 {
				t.Errorf("%s, row %d: cosine %v to float32", pooling, i, c)
			}
		}
	}
}

// BenchmarkLibtorch is [BenchmarkSentences] with libtorch in float32.
func BenchmarkLibtorch(b *testing.B) {
	benchmarkSentences(b, openBy(b, fixtures.MiniLM(b), byLibtorch(tensor.Float32, tensor.CPU, 1)), sentenceCount)
}

// BenchmarkCosineToLibtorch reports the mean and the minimum cosine of vectors by each arithmetic to those of libtorch
// in float32: for 10,000 sentences of abstracts and for the names of half of MEDIC.
func BenchmarkCosineToLibtorch(b *testing.B) {
	dir := fixtures.MiniLM(b)
	exact := openBy(b, dir, byLibtorch(tensor.Float32, tensor.CPU, 1))
	exact.settings = Settings{Pooling: contrastive.PoolText, MaxTokens: 64}
	var names []text.Query
	half := fixtures.HalfOfMEDIC(b)
	for i := range half.Len() {
		for _, name := range half.At(i).Names() {
			names = append(names, text.NameExemplar(name).Query)
		}
	}
	for name, queries := range map[string][]text.Query{
		"sentences": realSentences(b, exact.tokenizer, 10_000), "names": names,
	} {
		want := encode(b, exact, queries)
		for _, precision := range []contrastive.Precision{contrastive.PrecisionFloat32, contrastive.PrecisionBFloat16,
			contrastive.PrecisionInt8} {
			b.Run(name+"/"+string(precision), func(b *testing.B) {
				if err := (Options{Precision: precision}).Check(); err != nil {
					b.Skip(err)
				}
				e := openTest(b, dir, Options{Precision: precision})
				e.settings = exact.settings
				for b.Loop() {
					reportCosines(b, encode(b, e, queries), want)
				}
			})
		}
	}
}

// reportCosines reports the mean and the minimum cosine of vectors to the wanted ones.
func reportCosines(b *testing.B, got, want [][]float32) {
	mean, least := 0.0, 1.0
	for i := range got {
		c := cosine(got[i], want[i])
		mean, least = mean+c/float64(len(got)), min(least, c)
	}
	b.ReportMetric(mean, "mean")
	b.ReportMetric(least, "least")
}
