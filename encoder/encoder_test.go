package encoder

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/bert/kernels"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

func openTest(t testing.TB, dir string, o Options) *Encoder {
	t.Helper()
	e := must.Get(Open(dir, o))
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// openBy opens an encoder that computes in the given way, on one core.
func openBy(t testing.TB, dir string, compute computation) *Encoder {
	t.Helper()
	e := openTest(t, dir, Options{Workers: 1})
	must.Succeed(t, errors.Join(e.backend.Close(), compute.open(e, dir)))
	return e
}

// inGo computes in Go with a set of kernels.
func inGo(set *kernels.Set) computation {
	return computation{1, func(e *Encoder, dir string) error { return e.openInGo(dir, set, set.String() == "int8") }}
}

// exact opens an encoder of the tiny model in float32.
func exact(t *testing.T, settings Settings) *Encoder {
	t.Helper()
	return openTest(t, fixtures.TinyBERT(), Options{Precision: contrastive.PrecisionFloat32, Settings: &settings})
}

func encode(t testing.TB, e *Encoder, queries []text.Query) [][]float32 {
	t.Helper()
	dst := make([]float32, len(queries)*e.Dim())
	must.Succeed(t, e.Encode(context.Background(), dst, queries))
	rows := make([][]float32, len(queries))
	for i := range rows {
		rows[i] = dst[i*e.Dim() : (i+1)*e.Dim()]
	}
	return rows
}

// queriesOfAllMentions returns a query of each mention of n sentences.
func queriesOfAllMentions(n int, seed uint64) (queries []text.Query) {
	for _, q := range fixtures.RandomSentences(n, seed) {
		for _, mention := range q.Mentions {
			q.Mention = mention
			queries = append(queries, q)
		}
	}
	return queries
}

// TestEncoderContract: rows have unit length and are in the order of the queries. They do not depend on the rest of the
// batch, the size of batches or the number of workers. Queries of one sentence are computed together.
func TestEncoderContract(t *testing.T) {
	queries := queriesOfAllMentions(40, 3)
	for _, settings := range []Settings{
		{contrastive.PoolSpan, true, 64}, {contrastive.PoolEnt, true, 64}, {contrastive.PoolSpan, false, 64},
	} {
		e := exact(t, settings)
		small := openTest(t, fixtures.TinyBERT(), Options{Precision: contrastive.PrecisionFloat32, Settings: &settings, Workers: 1})
		all := encode(t, e, queries)
		for i, row := range all {
			if squares := cosine(row, row); math.Abs(squares-1) > 1e-5 {
				t.Fatalf("%+v, row %d: squared length %v", settings, i, squares)
			}
			if d := fixtures.MaxDifference(t, encode(t, e, queries[i:i+1]), all[i:i+1]); d > 1e-5 {
				t.Errorf("%+v: row %d differs by %g when encoded alone", settings, i, d)
			}
		}
		if d := fixtures.MaxDifference(t, encode(t, small, queries), all); d > 1e-5 {
			t.Errorf("%+v: other batches and workers change a number by %g", settings, d)
		}
	}
}

// checkPooled compares a row with the vector of an input's tokens.
func checkPooled(t *testing.T, e *Encoder, got []float32, in *tokenizer.Input, tokens tokenizer.TokenSpan) {
	t.Helper()
	want := must.Get(e.backend.Vectors([]*tokenizer.Input{in}, []bert.PooledSpan{{Row: 0, Tokens: tokens}}))
	if d := fixtures.MaxDifference(t, [][]float32{got}, [][]float32{want}); d > 1e-5 {
		t.Errorf("%+v: off by %g", e.settings, d)
	}
}

// TestPooling compares an encoder with vectors of the whole mention including its markers, and of [ENT] alone.
func TestPooling(t *testing.T) {
	queries := fixtures.RandomSentences(5, 9)
	for _, pooling := range []contrastive.Pooling{contrastive.PoolSpan, contrastive.PoolEnt} {
		e := exact(t, Settings{Pooling: pooling, MaxTokens: 64})
		for i, got := range encode(t, e, queries) {
			in := must.Get(e.tokenizer.Encode(&queries[i], 64, false))
			tokens := in.Query
			if start, _ := e.tokenizer.Markers(); in.IDs[tokens.Start] != start {
				t.Fatalf("query %d does not start with [ENT]", i)
			}
			if pooling == contrastive.PoolEnt {
				tokens.End = tokens.Start + 1
			}
			checkPooled(t, e, got, &in, tokens)
		}
	}
}

// TestOptions: an unsupported option is an error that names it.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		options Options
		want    string
	}{
		{Options{Device: "gpu"}, `encoder: device "gpu", want "cpu" or "cuda"`},
		{Options{Device: "cuda"}, "make build CUDA=1"},
		{Options{Precision: "float8"}, `encoder: precision "float8", want "auto", "float32", "bfloat16" or "int8"`},
		{Options{Settings: &Settings{Pooling: "max", MaxTokens: 64}}, `encoder: pooling is "max", want "span", "ent", "cls", "mean" or "text"`},
		{Options{Settings: &Settings{Pooling: contrastive.PoolEnt, MaxTokens: 3}}, "encoder: max_tokens is 3, want 8 or more"},
	} {
		if c.options.Device == "cuda" && c.options.Check() == nil {
			continue // this build and machine compute on a GPU
		}
		_, err := Open(fixtures.TinyBERT(), c.options)
		must.Fail(t, err, c.want)
	}
}

// TestFingerprint: it is equal for the same files, and differs if settings, weights or configuration differ.
func TestFingerprint(t *testing.T) {
	of := func(dir string, o Options) string { return openTest(t, dir, o).Fingerprint() }
	base := of(fixtures.TinyBERT(), Options{})
	must.Equal(t, of(fixtures.ChangedBERT(t, nil, nil), Options{Workers: 1}), base, "fingerprint of a copy")
	weights := must.Get(weightsHash(fixtures.TinyBERT()))
	must.Equal(t, of(fixtures.TinyBERT(), Options{WeightsSHA256: weights}), base,
		"with the hash of the weights the fingerprint")
	settings := SettingsOf(contrastive.DefaultConfig())
	settings.Pooling = contrastive.PoolEnt
	seen := map[string]string{base: "the base"}
	for name, fingerprint := range map[string]string{
		"other hash of weights, which are not read": of(fixtures.TinyBERT(), Options{WeightsSHA256: weights[1:]}),
		"other pooling": of(fixtures.TinyBERT(), Options{Settings: &settings}),
		"other eps":     of(fixtures.ChangedBERT(t, func(fields map[string]any) { fields["layer_norm_eps"] = 1e-5 }, nil), Options{}),
		"other weights": of(fixtures.ChangedBERT(t, nil, func(tensors map[string]*safetensors.Named) {
			tensors["embeddings.LayerNorm.bias"].Data[0]++
		}), Options{}),
	} {
		if other, taken := seen[fingerprint]; taken {
			t.Errorf("%s and %s have the same fingerprint", name, other)
		}
		seen[fingerprint] = name
	}
}

// TestSettings: they are read from the folder that SaveUntrained wrote, and an error describes the invalid setting.
func TestSettings(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "encoder")
	want := Settings{Pooling: contrastive.PoolEnt, MarkAll: false, MaxTokens: 32}
	must.Succeed(t, SaveUntrained(fixtures.TinyBERT(), dir, want))
	must.Equal(t, openTest(t, dir, Options{}).Settings(), want, "settings")
	must.Equal(t, openTest(t, fixtures.TinyBERT(), Options{}).Settings(), Settings{contrastive.PoolSpan, true, 64},
		"settings of a model with 64 positions and no file")
	path := filepath.Join(dir, settingsFile)
	for content, want := range map[string]string{
		`{"pooling":"max"}`:  `pooling is "max", want "span", "ent", "cls", "mean" or "text"`,
		`{"max_tokens":"8"}`: "want a whole number in max_tokens, got string",
	} {
		must.Succeed(t, os.WriteFile(path, []byte(content), 0o644))
		if _, err := Open(dir, Options{}); err == nil || !strings.Contains(err.Error(), path+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", content, err, want)
		}
	}
}

// TestPrecisions compares the precisions with float32, because an index may be queried in another precision than its
// own.
func TestPrecisions(t *testing.T) {
	queries := fixtures.RandomSentences(40, 6)
	for precision, least := range map[contrastive.Precision]float64{contrastive.PrecisionBFloat16: .999, contrastive.PrecisionInt8: .99} {
		if err := (Options{Precision: precision}).Check(); err != nil {
			t.Log(err)
			continue
		}
		for _, dir := range []string{fixtures.TinyBERT(), fixtures.RandomBERT(t, fixtures.BERTShapes[9], "gelu", 1)} {
			exact := openTest(t, dir, Options{Precision: contrastive.PrecisionFloat32})
			rough := openTest(t, dir, Options{Precision: precision})
			must.Equal(t, exact.Fingerprint(), rough.Fingerprint(), "another fingerprint", precision)
			want, got := encode(t, exact, queries), encode(t, rough, queries)
			for i := range want {
				if c := cosine(want[i], got[i]); c < least {
					t.Errorf("row %d: cosine %v of %s to float32", i, c, precision)
				}
			}
		}
	}
}

// TestCanceled: Encode returns the error of a canceled context.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := openTest(t, fixtures.TinyBERT(), Options{})
	queries := fixtures.RandomSentences(3, 1)
	must.FailWith(t, e.Encode(ctx, make([]float32, 3*e.Dim()), queries), context.Canceled)
	must.Fail(t, e.Encode(t.Context(), make([]float32, 5), queries), "dst has room for 5 numbers, want 96")
}

func cosine(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// TestPoolingOfMentionAlone: the vector is that of the normal form of the mention without its sentence, at [CLS] or
// over all of its tokens.
func TestPoolingOfMentionAlone(t *testing.T) {
	const s = "A patient with Breast-Cancer and fever."
	doc := &text.Document{Text: s}
	query := text.Query{Document: doc, Mention: text.Mention{Span: text.Span{Start: 15, End: 28}}, Sentence: text.Span{End: len(s)}}
	sign := text.NameExemplar("%").Query // has no normal form
	for _, pooling := range []contrastive.Pooling{contrastive.PoolCLS, contrastive.PoolMean} {
		e := exact(t, Settings{Pooling: pooling, MarkAll: true, MaxTokens: 64})
		got := encode(t, e, []text.Query{query, text.NameExemplar("breast cancer").Query, sign})
		if d := fixtures.MaxDifference(t, got[:1], got[1:2]); d > 1e-6 {
			t.Errorf("%s: the mention differs from its normal form alone by %g", pooling, d)
		}
		name := text.NameExemplar("breast cancer").Query
		in := must.Get(e.tokenizer.EncodeUnmarked(&name, 64))
		tokens := in.Query
		if pooling == contrastive.PoolCLS {
			tokens = tokenizer.TokenSpan{End: 1}
		}
		checkPooled(t, e, got[0], &in, tokens)
	}
}
