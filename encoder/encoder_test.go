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
	"github.com/ctxnorm/ctxnorm/internal/bert/berttest"
	"github.com/ctxnorm/ctxnorm/internal/bert/safetensors"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

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

func encode(t testing.TB, e *Encoder, queries []text.Query) [][]float32 {
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

// TestEncoderContract: rows have unit length and the order of the queries, and do not
// depend on the rest of the batch, the size of batches or the number of workers.
func TestEncoderContract(t *testing.T) {
	queries := berttest.Sentences(60, 3)
	for _, pooling := range []contrastive.Pooling{contrastive.PoolSpan, contrastive.PoolEnt} {
		settings := Settings{Pooling: pooling, MarkAll: true, MaxTokens: 64}
		e := openTest(t, berttest.Tiny(), Options{Precision: contrastive.PrecisionFloat32, Settings: &settings})
		small := openTest(t, berttest.Tiny(), Options{Precision: contrastive.PrecisionFloat32, Settings: &settings, Workers: 1})
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
		if d := berttest.MaxDifference(t, encode(t, small, queries), all); d > 1e-5 {
			t.Errorf("%s: other batches and workers change a number by %g", pooling, d)
		}
		for i := range queries {
			if d := berttest.MaxDifference(t, encode(t, e, queries[i:i+1]), all[i:i+1]); d > 1e-5 {
				t.Errorf("%s: row %d differs by %g when encoded alone", pooling, i, d)
			}
		}
	}
}

// TestOneSentence: queries of one sentence are computed together, and have the
// vectors that they have alone.
func TestQueriesOfOneSentence(t *testing.T) {
	var queries []text.Query
	for _, q := range berttest.Sentences(30, 7) {
		for _, mention := range q.Mentions {
			q.Mention = mention
			queries = append(queries, q)
		}
	}
	for _, all := range []bool{true, false} {
		settings := Settings{Pooling: contrastive.PoolSpan, MarkAll: all, MaxTokens: 64}
		e := openTest(t, berttest.Tiny(), Options{Precision: contrastive.PrecisionFloat32, Settings: &settings})
		together := encode(t, e, queries)
		for i := range queries {
			if d := berttest.MaxDifference(t, encode(t, e, queries[i:i+1]), together[i:i+1]); d > 1e-5 {
				t.Errorf("all mentions marked %v: row %d differs by %g when encoded alone", all, i, d)
			}
		}
	}
}

// TestPooling compares an encoder with vectors of the whole mention with its markers,
// and of [ENT] alone.
func TestPooling(t *testing.T) {
	queries := berttest.Sentences(5, 9)
	for _, pooling := range []contrastive.Pooling{contrastive.PoolSpan, contrastive.PoolEnt} {
		settings := Settings{Pooling: pooling, MaxTokens: 64}
		e := openTest(t, berttest.Tiny(), Options{Precision: contrastive.PrecisionFloat32, Settings: &settings})
		got := encode(t, e, queries)
		for i := range queries {
			in, err := e.tokenizer.Encode(&queries[i], tokenizer.Options{MaxTokens: 64})
			if err != nil {
				t.Fatal(err)
			}
			start, _ := e.tokenizer.Markers()
			if in.IDs[in.Query.Start] != start {
				t.Fatalf("query %d does not start with [ENT]", i)
			}
			tokens := in.Query
			if pooling == contrastive.PoolEnt {
				tokens = tokenizer.TokenSpan{Start: tokens.Start, End: tokens.Start + 1}
			}
			want, err := e.backend.Vectors([]*tokenizer.Input{&in}, []bert.PooledSpan{{Row: 0, Tokens: tokens}})
			if err != nil {
				t.Fatal(err)
			}
			if d := berttest.MaxDifference(t, got[i:i+1], [][]float32{want}); d > 1e-5 {
				t.Errorf("%s, row %d: off by %g", pooling, i, d)
			}
		}
	}
}

// TestOptions: an option that cannot be had is an error that names it.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		options Options
		want    string
	}{
		{Options{Device: "gpu"}, `encoder: device "gpu", want "cpu" or "cuda"`},
		{Options{Precision: "float8"}, `encoder: precision "float8", want "auto", "float32", "bfloat16" or "int8"`},
		{Options{Settings: &Settings{Pooling: "max", MaxTokens: 64}}, `encoder: pooling is "max", want "span", "ent", "cls", "mean" or "text"`},
		{Options{Settings: &Settings{Pooling: contrastive.PoolEnt, MaxTokens: 3}}, "encoder: max_tokens is 3, want 8 or more"},
	} {
		if _, err := Open(berttest.Tiny(), c.options); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

// TestFingerprint: it is equal for the same files, and differs if
// settings, weights or configuration differ.
func TestFingerprint(t *testing.T) {
	of := func(dir string, o Options) string { return openTest(t, dir, o).Fingerprint() }
	base := of(berttest.Tiny(), Options{})
	if again := of(berttest.Changed(t, nil, nil), Options{Workers: 1}); again != base {
		t.Errorf("a copy has fingerprint %s, want %s", again, base)
	}
	weights, err := weightsHash(berttest.Tiny())
	if err != nil {
		t.Fatal(err)
	}
	if known := of(berttest.Tiny(), Options{WeightsSHA256: weights}); known != base {
		t.Errorf("with the hash of the weights the fingerprint is %s, want %s", known, base)
	}
	settings := SettingsOf(contrastive.DefaultConfig())
	settings.Pooling = contrastive.PoolEnt
	seen := map[string]string{base: "the base"}
	for name, fingerprint := range map[string]string{
		"other hash of weights, which are not read": of(berttest.Tiny(), Options{WeightsSHA256: weights[1:]}),
		"other pooling": of(berttest.Tiny(), Options{Settings: &settings}),
		"other eps":     of(berttest.Changed(t, func(fields map[string]any) { fields["layer_norm_eps"] = 1e-5 }, nil), Options{}),
		"other weights": of(berttest.Changed(t, nil, func(tensors map[string]*safetensors.Named) {
			tensors["embeddings.LayerNorm.bias"].Data[0]++
		}), Options{}),
	} {
		if other, taken := seen[fingerprint]; taken {
			t.Errorf("%s and %s have the same fingerprint", name, other)
		}
		seen[fingerprint] = name
	}
}

// TestSettings: they are read from the folder that Prepare wrote, and an error names
// what is wrong with them.
func TestSettings(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "encoder")
	want := Settings{Pooling: contrastive.PoolEnt, MarkAll: false, MaxTokens: 32}
	if err := SaveUntrained(berttest.Tiny(), dir, want); err != nil {
		t.Fatal(err)
	}
	if got := openTest(t, dir, Options{}).Settings(); got != want {
		t.Errorf("settings %+v, want %+v", got, want)
	}
	if got := openTest(t, berttest.Tiny(), Options{}).Settings(); got != (Settings{contrastive.PoolSpan, true, 64}) {
		t.Errorf("settings %+v of a model with 64 positions and no file, want the defaults with 64 tokens", got)
	}
	path := filepath.Join(dir, settingsFile)
	for content, want := range map[string]string{
		`{"pooling":"max"}`:  `pooling is "max", want "span", "ent", "cls", "mean" or "text"`,
		`{"max_tokens":"8"}`: "want a whole number in max_tokens, got string",
	} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir, Options{}); err == nil || !strings.Contains(err.Error(), path+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", content, err, want)
		}
	}
}

// TestBFloat16 compares the precisions: the cosine is .999 or more.
func TestBFloat16(t *testing.T) {
	if (Options{Precision: contrastive.PrecisionBFloat16}).Check() != nil {
		t.Skip("the processor does not multiply bfloat16")
	}
	queries := berttest.Sentences(20, 4)
	exact := encode(t, openTest(t, berttest.Tiny(), Options{Precision: contrastive.PrecisionFloat32}), queries)
	rough := encode(t, openTest(t, berttest.Tiny(), Options{Precision: contrastive.PrecisionBFloat16}), queries)
	for i := range exact {
		if c := cosine(exact[i], rough[i]); c < 0.999 {
			t.Errorf("row %d: cosine %v of bfloat16 to float32", i, c)
		}
	}
}

// TestInt8: the cosine to float32 is .99 or more, and an index in float32 can be asked in int8.
func TestInt8(t *testing.T) {
	if err := (Options{Precision: contrastive.PrecisionInt8}).Check(); err != nil {
		t.Skip(err)
	}
	queries := berttest.Sentences(40, 6)
	for _, dir := range []string{berttest.Tiny(), berttest.Random(t, berttest.Shapes[9], "gelu", 1)} {
		exact := openTest(t, dir, Options{Precision: contrastive.PrecisionFloat32})
		rough := openTest(t, dir, Options{Precision: contrastive.PrecisionInt8})
		if exact.Fingerprint() != rough.Fingerprint() {
			t.Error("another fingerprint in int8")
		}
		want, got := encode(t, exact, queries), encode(t, rough, queries)
		for i := range want {
			if c := cosine(want[i], got[i]); c < .99 {
				t.Errorf("row %d: cosine %v of int8 to float32", i, c)
			}
		}
	}
}

// TestCanceled: Encode returns the error of a canceled context.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := openTest(t, berttest.Tiny(), Options{})
	queries := berttest.Sentences(3, 1)
	if err := e.Encode(ctx, make([]float32, 3*e.Dim()), queries); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if err := e.Encode(t.Context(), make([]float32, 5), queries); err == nil || !strings.Contains(err.Error(), "dst has room for 5 numbers, want 96") {
		t.Errorf("error %v, want one about dst", err)
	}
}

func cosine(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// TestPoolingOfMentionAlone: the vector is that of the normal form of the mention without its sentence,
// at [CLS] or over all of its tokens.
func TestPoolingOfMentionAlone(t *testing.T) {
	const s = "A patient with Breast-Cancer and fever."
	doc := &text.Document{Text: s}
	query := text.Query{Document: doc, Mention: text.Mention{Span: text.Span{Start: 15, End: 28}}, Sentence: text.Span{End: len(s)}}
	sign := text.NameExemplar("%").Query // has no normal form
	for _, pooling := range []contrastive.Pooling{contrastive.PoolCLS, contrastive.PoolMean} {
		settings := Settings{Pooling: pooling, MarkAll: true, MaxTokens: 64}
		e := openTest(t, berttest.Tiny(), Options{Precision: contrastive.PrecisionFloat32, Settings: &settings})
		got := encode(t, e, []text.Query{query, text.NameExemplar("breast cancer").Query, sign})
		if d := berttest.MaxDifference(t, got[:1], got[1:2]); d > 1e-6 {
			t.Errorf("%s: the mention differs from its normal form alone by %g", pooling, d)
		}
		name := text.NameExemplar("breast cancer").Query
		in, err := e.tokenizer.EncodeUnmarked(&name, tokenizer.Options{MaxTokens: 64})
		if err != nil {
			t.Fatal(err)
		}
		tokens := in.Query
		if pooling == contrastive.PoolCLS {
			tokens = tokenizer.TokenSpan{End: 1}
		}
		want, err := e.backend.Vectors([]*tokenizer.Input{&in}, []bert.PooledSpan{{Row: 0, Tokens: tokens}})
		if err != nil {
			t.Fatal(err)
		}
		if d := berttest.MaxDifference(t, got[:1], [][]float32{want}); d > 1e-5 {
			t.Errorf("%s: off by %g", pooling, d)
		}
	}
}

func BenchmarkEncodeFloat32(b *testing.B) { benchmarkEncode(b, contrastive.PrecisionFloat32) }

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
