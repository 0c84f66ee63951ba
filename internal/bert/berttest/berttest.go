// Package berttest has the models and queries of the tests of package bert and of the
// packages that use it.
package berttest

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/text"
)

// Testdata returns the path of a file in the folder testdata of package bert.
func Testdata(name string) string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "testdata", name)
}

// Tiny returns the folder of a BERT with 2 layers, 4 heads of 8 numbers, 64 positions
// and a vocabulary of 125 words. Do not write to it.
func Tiny() string { return Testdata("tiny") }

// miniLMVariable is the environment variable that names the folder of all-MiniLM-L6-v2,
// which is too large to check in.
const miniLMVariable = "CTXNORM_MINILM"

// MiniLM returns that folder. It skips the test if the variable is not set.
func MiniLM(t testing.TB) string {
	t.Helper()
	dir := os.Getenv(miniLMVariable)
	if dir == "" {
		t.Skipf("%s is not set: all-MiniLM-L6-v2 is not read", miniLMVariable)
	}
	return dir
}

// Changed copies the tiny model and changes the fields of its config.json and its
// weights, by name. Either function may be nil.
func Changed(t testing.TB, config func(fields map[string]any), weights func(map[string]*safetensors.Named)) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(Tiny())); err != nil {
		t.Fatal(err)
	}
	if config != nil {
		path := filepath.Join(dir, "config.json")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		fields := map[string]any{}
		if err := json.Unmarshal(data, &fields); err != nil {
			t.Fatal(err)
		}
		config(fields)
		if data, err = json.Marshal(fields); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if weights != nil {
		tensors := Weights(t, dir)
		byName := map[string]*safetensors.Named{}
		for i := range tensors {
			byName[tensors[i].Name] = &tensors[i]
		}
		weights(byName)
		if err := safetensors.Write(filepath.Join(dir, "model.safetensors"), tensors); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Shape holds the sizes of a BERT.
type Shape struct{ Hidden, Heads, Inner, Layers, Positions int }

// Random returns the folder of a model with random weights and the tokenizer of the tiny model, whose
// vocabulary it has. Its states are of the size that trained models have.
func Random(t testing.TB, s Shape, activation string, seed uint64) string {
	t.Helper()
	dir := Changed(t, func(fields map[string]any) {
		fields["hidden_size"], fields["num_attention_heads"], fields["intermediate_size"] = s.Hidden, s.Heads, s.Inner
		fields["num_hidden_layers"], fields["max_position_embeddings"] = s.Layers, s.Positions
		fields["hidden_act"] = activation
	}, nil)
	var vocabulary int64
	for _, w := range Weights(t, dir) {
		if w.Name == "embeddings.word_embeddings.weight" {
			vocabulary = w.Shape[0]
		}
	}
	r := rand.New(rand.NewPCG(seed, 2))
	var tensors []safetensors.Named
	add := func(name string, mean, deviation float64, shape ...int) {
		named := safetensors.Named{Name: name, Data: []float32{}}
		n := 1
		for _, size := range shape {
			named.Shape = append(named.Shape, int64(size))
			n *= size
		}
		for range n {
			named.Data = append(named.Data, float32(mean+deviation*r.NormFloat64()))
		}
		tensors = append(tensors, named)
	}
	dense := func(name string, in, out int) {
		add(name+".weight", 0, 1.5/math.Sqrt(float64(in)), out, in)
		add(name+".bias", 0, .1, out)
	}
	norm := func(name string) {
		add(name+".weight", 1, .1, s.Hidden)
		add(name+".bias", 0, .1, s.Hidden)
	}
	add("embeddings.word_embeddings.weight", 0, 1, int(vocabulary), s.Hidden)
	add("embeddings.position_embeddings.weight", 0, .3, s.Positions, s.Hidden)
	add("embeddings.token_type_embeddings.weight", 0, .3, 2, s.Hidden)
	norm("embeddings.LayerNorm")
	for i := range s.Layers {
		layer := fmt.Sprintf("encoder.layer.%d.", i)
		for _, projection := range []string{"query", "key", "value"} {
			dense(layer+"attention.self."+projection, s.Hidden, s.Hidden)
		}
		dense(layer+"attention.output.dense", s.Hidden, s.Hidden)
		norm(layer + "attention.output.LayerNorm")
		dense(layer+"intermediate.dense", s.Hidden, s.Inner)
		dense(layer+"output.dense", s.Inner, s.Hidden)
		norm(layer + "output.LayerNorm")
	}
	if err := safetensors.Write(filepath.Join(dir, "model.safetensors"), tensors); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Shapes are sizes of models: those of usual models made small, and those whose widths no loop divides.
var Shapes = []Shape{
	{32, 4, 37, 2, 64}, {64, 2, 256, 3, 64}, {48, 3, 96, 1, 64}, {312, 12, 400, 2, 64}, {24, 3, 40, 2, 64},
	{5, 1, 3, 2, 64}, {128, 2, 512, 2, 64}, {96, 6, 100, 2, 64}, {80, 1, 33, 2, 64}, {384, 12, 1536, 1, 64},
}

// RandomShape returns sizes of a small model with 512 positions.
func RandomShape(r *rand.Rand) Shape {
	heads := 1 + r.IntN(4)
	return Shape{Hidden: heads * (8 + r.IntN(25)), Heads: heads, Inner: 1 + r.IntN(200), Layers: 1 + r.IntN(3), Positions: 512}
}

// Length returns a random number from 1 to most, of which the logarithm is evenly distributed.
func Length(r *rand.Rand, most int) int { return int(math.Pow(float64(most+1), r.Float64())) }

// Weights reads the model.safetensors of a folder, sorted by name.
func Weights(t testing.TB, dir string) []safetensors.Named {
	t.Helper()
	f, err := safetensors.Open(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []safetensors.Named
	for _, name := range f.Names() {
		n := 1
		for _, size := range f.Shape(name) {
			n *= int(size)
		}
		values := make([]float32, n)
		if err := f.Float32(values, name); err != nil {
			t.Fatal(err)
		}
		all = append(all, safetensors.Named{Name: name, Shape: f.Shape(name), Data: values})
	}
	return all
}

// Sentences returns n queries of 3 to 40 words with one to three mentions each, chosen
// at random by the seed.
func Sentences(n int, seed uint64) []text.Query {
	r := rand.New(rand.NewPCG(seed, 1))
	words := strings.Fields("the patient with breast cancer had renal failure and fever after therapy of chronic asthma")
	queries := make([]text.Query, n)
	for i := range queries {
		doc := &text.Document{ID: fmt.Sprint(i)}
		count := 3 + r.IntN(38)
		for w := range count {
			word := words[r.IntN(len(words))]
			if w == 1 || r.IntN(20) == 0 && len(doc.Mentions) < 3 {
				span := text.Span{Start: len(doc.Text), End: len(doc.Text) + len(word)}
				doc.Mentions = append(doc.Mentions, text.Mention{Span: span})
			}
			doc.Text += word + " "
		}
		queries[i] = text.Query{
			Document: doc, Mention: doc.Mentions[r.IntN(len(doc.Mentions))],
			Sentence: text.Span{End: len(doc.Text)},
		}
	}
	return queries
}

// MaxDifference returns the greatest difference between numbers of two matrices, which
// must have the same shape.
func MaxDifference(t testing.TB, got, want [][]float32) float64 {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %d rows, want %d", len(got), len(want))
	}
	worst := 0.0
	for i := range got {
		if len(got[i]) != len(want[i]) {
			t.Fatalf("row %d has %d numbers, want %d", i, len(got[i]), len(want[i]))
		}
		for j := range got[i] {
			d := math.Abs(float64(got[i][j]) - float64(want[i][j]))
			if !(d <= worst) {
				worst = d
			}
		}
	}
	return worst
}
