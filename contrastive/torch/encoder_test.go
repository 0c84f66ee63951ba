//go:build torch

package torch

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sugarme/gotch"

	"ctxnorm"
	"ctxnorm/contrastive"
	"ctxnorm/contrastive/torch/safetensors"
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

// TestOneSentence: queries of one sentence are computed together, and have the
// vectors that they have alone.
func TestOneSentence(t *testing.T) {
	var queries []ctxnorm.Query
	for _, q := range sentences(30, 7) {
		for _, mention := range q.Mentions {
			q.Mention = mention
			queries = append(queries, q)
		}
	}
	for _, all := range []bool{true, false} {
		settings := Settings{Pooling: contrastive.PoolSpan, MarkAll: all, MaxTokens: 64}
		e := openTest(t, tinyDir, Options{Precision: contrastive.PrecisionFloat32, Settings: &settings})
		inputs, err := tokenize(t.Context(), e.tokenizer, 1, len(queries), settings, func(i int) *ctxnorm.Query { return &queries[i] })
		if err != nil {
			t.Fatal(err)
		}
		rows, asking := distinct(inputs)
		if all && len(rows) != 30 || !all && len(rows) != len(queries) {
			t.Errorf("all mentions marked %v: %d sentences of 30 with %d mentions are computed", all, len(rows), len(queries))
		}
		for row, positions := range asking {
			for _, i := range positions {
				if !slices.Equal(inputs[i].IDs, rows[row].IDs) {
					t.Errorf("query %d is taken for another sentence", i)
				}
			}
		}
		together := encode(t, e, queries)
		for i := range queries {
			if d := largest(t, encode(t, e, queries[i:i+1]), together[i:i+1]); d > 1e-5 {
				t.Errorf("all mentions marked %v: row %d differs by %g when encoded alone", all, i, d)
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

func mustDevice(t testing.TB, name string) gotch.Device {
	t.Helper()
	device, err := parseDevice(name)
	if err != nil {
		t.Fatal(err)
	}
	return device
}

// TestOptions: what cannot be had is refused by name.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		options Options
		want    string
	}{
		{Options{Device: "gpu"}, `encoder: device "gpu", want "cpu" or "cuda"`},
		{Options{Precision: "float8"}, `encoder: precision "float8", want "auto", "float32" or "bfloat16"`},
		{Options{Settings: &Settings{Pooling: "cls", MaxTokens: 64}}, `encoder: pooling is "cls", want "span" or "ent"`},
		{Options{Settings: &Settings{Pooling: contrastive.PoolEnt, MaxTokens: 3}}, "encoder: max_tokens is 3, want 8 or more"},
	} {
		if _, err := Open(tinyDir, c.options); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
	if gotch.CUDA.IsAvailable() {
		return
	}
	if _, err := Open(tinyDir, Options{Device: CUDA}); err == nil || !strings.Contains(err.Error(), "make build CUDA=1") {
		t.Errorf("error %v, want one that says how to get CUDA", err)
	}
}

// TestFingerprint: equal for the same files, whatever the precision, and another
// when settings, weights or configuration are.
func TestFingerprint(t *testing.T) {
	of := func(dir string, o Options) string { return openTest(t, dir, o).Fingerprint() }
	base := of(tinyDir, Options{})
	if again := of(changed(t, nil, nil), Options{Precision: contrastive.PrecisionBFloat16}); again != base {
		t.Errorf("a copy has fingerprint %s, want %s", again, base)
	}
	settings := DefaultSettings()
	settings.Pooling = contrastive.PoolEnt
	seen := map[string]string{base: "the base"}
	for name, fingerprint := range map[string]string{
		"other pooling": of(tinyDir, Options{Settings: &settings}),
		"other eps":     of(changed(t, func(fields map[string]any) { fields["layer_norm_eps"] = 1e-5 }, nil), Options{}),
		"other weights": of(changed(t, nil, func(tensors []safetensors.Named) []safetensors.Named {
			tensors[0].Data[0]++
			return tensors
		}), Options{}),
	} {
		if other, taken := seen[fingerprint]; taken {
			t.Errorf("%s and %s have one fingerprint", name, other)
		}
		seen[fingerprint] = name
	}
}

// TestSettings: they are read from the folder that Prepare wrote, and damage is
// named.
func TestSettings(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "encoder")
	want := Settings{Pooling: contrastive.PoolEnt, MarkAll: false, MaxTokens: 32}
	if err := Prepare(tinyDir, dir, want); err != nil {
		t.Fatal(err)
	}
	if got := openTest(t, dir, Options{}).Settings(); got != want {
		t.Errorf("settings %+v, want %+v", got, want)
	}
	if got := openTest(t, tinyDir, Options{}).Settings(); got != (Settings{contrastive.PoolSpan, true, 64}) {
		t.Errorf("settings %+v of a model with 64 positions and no file, want the defaults with 64 tokens", got)
	}
	path := filepath.Join(dir, SettingsFile)
	for content, want := range map[string]string{
		`{"pooling":"max"}`:  `pooling is "max", want "span" or "ent"`,
		`{"max_tokens":"8"}`: "cannot unmarshal string",
	} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir, Options{}); err == nil || !strings.Contains(err.Error(), path+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", content, err, want)
		}
	}
}

// TestBFloat16 compares the precisions: the same direction to two digits.
func TestBFloat16(t *testing.T) {
	queries := sentences(20, 4)
	exact := encode(t, openTest(t, tinyDir, Options{Precision: contrastive.PrecisionFloat32}), queries)
	rough := encode(t, openTest(t, tinyDir, Options{Precision: contrastive.PrecisionBFloat16}), queries)
	for i := range exact {
		if c := cosine(exact[i], rough[i]); c < 0.999 {
			t.Errorf("row %d: cosine %v of bfloat16 to float32", i, c)
		}
	}
}

// TestCancelled: a cancelled context gives its error.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := openTest(t, tinyDir, Options{})
	queries := sentences(3, 1)
	if err := e.Encode(ctx, make([]float32, 3*e.Dim()), queries); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if err := e.Encode(t.Context(), make([]float32, 5), queries); err == nil || !strings.Contains(err.Error(), "room for 5 numbers, want 96") {
		t.Errorf("error %v, want one of too little room", err)
	}
}
