package model_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text"
)

// baseModel returns the folder of a model with a base encoder, and a function that opens its encoders.
func baseModel(t *testing.T) (string, *fixtures.BagOfWords, model.OpenEncoder) {
	t.Helper()
	encoder := fixtures.GutEncoder()
	base := &fixtures.BagOfWords{Name: "base", Vocabulary: strings.Fields("gluten gastric ulcer sea")}
	dir := modeltest.Build(t, encoder, func(o *model.BuildOptions) {
		o.BaseEncoder, o.BaseEncoderDir = base, fixtures.EncoderDir(t)
	})
	return dir, base, modeltest.Opener(encoder, base)
}

// The expected cosines are computed with the mean of the vectors of the three names: coeliac disease (no known word),
// gluten enteropathy and gastric ulcer.
func TestBaseVectors(t *testing.T) {
	dir, _, open := baseModel(t)
	m := must.Get(model.Open(dir, open))
	defer m.Close()
	queries := []text.Query{text.NameExemplar("gluten").Query, text.NameExemplar("gastric ulcer").Query, text.NameExemplar("sea").Query}
	vectors := must.Get(m.BaseVectors(t.Context(), queries))
	for i, want := range []float64{1. / 3, 1. / 3, 0} {
		if got := m.BaseMeanNameCosine(vectors[i]); math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: %g, want %g", queries[i].Text, got, want)
		}
	}
	again, err := m.Memoized().BaseVectors(t.Context(), queries)
	if diff := cmp.Diff(vectors, again); diff != "" || err != nil {
		t.Errorf("memoized: %v (-want +got):\n%s", err, diff)
	}
	plain := modeltest.Open(t, modeltest.Build(t, fixtures.GutEncoder(), nil), fixtures.GutEncoder())
	if got, err := plain.BaseVectors(t.Context(), queries); got != nil || err != nil {
		t.Errorf("without a base encoder: %v, %v, want none", got, err)
	}
	must.Equal(t, plain.BaseMeanNameCosine(vectors[0]), 0, "mean cosine without a base encoder")
}

// An encoder is opened with the SHA-256 of its weights from the manifest.
func TestOpenEncoderWithHash(t *testing.T) {
	encoder := fixtures.GutEncoder()
	encoderDir := fixtures.EncoderDir(t)
	must.Succeed(t, os.WriteFile(filepath.Join(encoderDir, "model.safetensors"), []byte("abc"), 0o666))
	dir := modeltest.Build(t, encoder, func(o *model.BuildOptions) { o.EncoderDir = encoderDir })
	var got string
	m := must.Get(model.Open(dir, func(_, weightsSHA256 string) (text.Encoder, error) {
		got = weightsSHA256
		return encoder, nil
	}))
	defer m.Close()
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" // of "abc": FIPS 180-2, B.1
	must.Equal(t, got, want, "opened")
}

// The manifest next to a model's encoder gives its origin. Any other folder has no origin.
func TestOriginOf(t *testing.T) {
	dir, _, _ := baseModel(t)
	trained := modeltest.Build(t, fixtures.GutEncoder(), func(o *model.BuildOptions) {
		o.BaseModel, o.Training = "MiniLM", json.RawMessage("3")
	})
	byStrings := modeltest.Build(t, nil, nil)
	withBase := &model.EncoderOrigin{Model: dir, BaseFolder: filepath.Join(dir, "base-encoder")}
	for encoder, want := range map[string]*model.EncoderOrigin{
		filepath.Join(dir, "encoder"):         withBase,
		filepath.Join(dir, "encoder") + "/":   withBase,
		filepath.Join(dir, "base-encoder"):    nil,
		filepath.Join(trained, "encoder"):     {Model: trained, Base: "MiniLM", Training: json.RawMessage("3")},
		filepath.Join(byStrings, "encoder"):   nil,
		filepath.Join(t.TempDir(), "encoder"): nil,
	} {
		got, err := model.OriginOf(encoder)
		must.Succeed(t, err, encoder)
		must.Equal(t, got, want, encoder)
	}
}

// OriginOf returns an error if the encoder, or its base encoder, is damaged.
func TestOriginOfDamaged(t *testing.T) {
	for _, folder := range []string{"encoder", "base-encoder"} {
		dir, _, _ := baseModel(t)
		names, err := os.ReadDir(filepath.Join(dir, folder))
		if err != nil || len(names) == 0 {
			t.Fatalf("%d files, %v", len(names), err)
		}
		for _, name := range names {
			path := filepath.Join(dir, folder, name.Name())
			content := must.Get(os.ReadFile(path))
			must.Succeed(t, os.WriteFile(path, append(content, '\n'), 0o666))
			var damaged *files.DamagedError
			if _, err := model.OriginOf(filepath.Join(dir, "encoder")); !errors.As(err, &damaged) {
				t.Errorf("%s: error %v, want that it is damaged", path, err)
			}
			must.Succeed(t, os.WriteFile(path, content, 0o666))
		}
	}
}

// A base encoder that is damaged or another one is rejected when it is first needed.
func TestDamagedBaseEncoder(t *testing.T) {
	for what, damage := range map[string]func(dir string, base *fixtures.BagOfWords) error{
		"another encoder": func(_ string, base *fixtures.BagOfWords) error { base.Name = "other"; return nil },
		"a changed file": func(dir string, _ *fixtures.BagOfWords) error {
			return os.WriteFile(filepath.Join(dir, "base-encoder", "bne.json"), []byte("[]"), 0o666)
		},
	} {
		dir, base, open := baseModel(t)
		must.Succeed(t, damage(dir, base))
		m := must.Get(model.Open(dir, open))
		_, err := m.BaseVectors(t.Context(), []text.Query{text.NameExemplar("sea").Query})
		if _, ok := errors.AsType[*files.DamagedError](err); !ok || !strings.Contains(err.Error(), "base-encoder") {
			t.Errorf("%s: %v, want a DamagedError of the base encoder", what, err)
		}
		must.Succeed(t, m.Close())
	}
}
