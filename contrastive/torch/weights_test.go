//go:build torch

package torch

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm/contrastive/torch/safetensors"
	"ctxnorm/tokenizer"
)

// changed copies the tiny model with its configuration and weights changed.
func changed(t testing.TB, config func(map[string]any), weights func([]safetensors.Named) []safetensors.Named) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(tinyDir)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, configFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]any{}
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	if config != nil {
		config(fields)
	}
	if data, err = json.Marshal(fields); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if weights == nil {
		return dir
	}
	m := load(t, tinyDir, false)
	tensors, err := m.tensors()
	if err != nil {
		t.Fatal(err)
	}
	if err := safetensors.Write(filepath.Join(dir, safetensorsFile), weights(tensors), nil); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestOpenErrors(t *testing.T) {
	set := func(field string, value any) func(map[string]any) {
		return func(fields map[string]any) { fields[field] = value }
	}
	edit := func(name string, f func(*safetensors.Named)) func([]safetensors.Named) []safetensors.Named {
		return func(tensors []safetensors.Named) []safetensors.Named {
			i := slices.IndexFunc(tensors, func(n safetensors.Named) bool { return n.Name == name })
			f(&tensors[i])
			return tensors
		}
	}
	const query = "encoder.layer.1.attention.self.query.weight"
	for _, c := range []struct {
		name    string
		config  func(map[string]any)
		weights func([]safetensors.Named) []safetensors.Named
		want    string
	}{
		{"other model", set("model_type", "roberta"), nil, `config.json: model_type is "roberta", want "bert"`},
		{"activation", set("hidden_act", "silu"), nil, `config.json: hidden_act is "silu", want "gelu"`},
		{"positions", set("position_embedding_type", "relative_key"), nil, `config.json: position_embedding_type is "relative_key", want "absolute"`},
		{"heads", set("num_attention_heads", 5), nil, "config.json: num_attention_heads is 5, want a divisor of hidden_size 32"},
		{"decoder", set("is_decoder", true), nil, "config.json: is_decoder is true, want false"},
		{"text for a number", set("hidden_size", "many"), nil, "config.json: json: cannot unmarshal string"},
		{"more layers", set("num_hidden_layers", 3), nil,
			`model.safetensors: tensor "encoder.layer.2.attention.self.query.weight" is missing, want shape [32 32]`},
		{"missing tensor", nil, edit(query, func(n *safetensors.Named) { n.Name = "other" }),
			`model.safetensors: tensor "` + query + `" is missing, want shape [32 32]`},
		{"wrong shape", nil, edit(query, func(n *safetensors.Named) { n.Shape = []int64{16, 64} }),
			`model.safetensors: tensor "` + query + `" has shape [16 64], want [32 32]`},
	} {
		dir := changed(t, c.config, c.weights)
		_, err := Open(dir, Options{})
		if err == nil || !strings.Contains(err.Error(), filepath.Join(dir, c.want)) {
			t.Errorf("%s: error %v, want %q with its folder", c.name, err, c.want)
		}
	}
}

// TestOtherTokenizer: the tokenizer of another model is refused.
func TestOtherTokenizer(t *testing.T) {
	dir := changed(t, nil, nil)
	vocabulary := filepath.Join(dir, "vocab.txt")
	data, err := os.ReadFile(vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(vocabulary, append(data, "surplus\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Options{}); err == nil || !strings.Contains(err.Error(), dir+": the tokenizer has 128 ids and config.json gives 125 rows") {
		t.Errorf("error %v, want one that counts ids and rows", err)
	}
}

func TestNoWeights(t *testing.T) {
	dir := changed(t, nil, nil)
	if err := os.Remove(filepath.Join(dir, safetensorsFile)); err != nil {
		t.Fatal(err)
	}
	want := dir + " holds no weights: neither model.safetensors nor pytorch_model.bin is there"
	if _, err := Open(dir, Options{}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
	pickle := filepath.Join(dir, pickleFile)
	if err := os.WriteFile(pickle, []byte("not a pickle"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Options{}); err == nil || !strings.Contains(err.Error(), pickle) {
		t.Errorf("error %v, want one naming %s", err, pickle)
	}
}

// TestNaN: weights that are damaged without a sign of it give no vector.
func TestNaN(t *testing.T) {
	dir := changed(t, nil, func(tensors []safetensors.Named) []safetensors.Named {
		tensors[len(tensors)-4].Data[0] = float32(math.NaN())
		return tensors
	})
	e := openTest(t, dir, Options{})
	queries := sentences(1, 1)
	err := e.Encode(t.Context(), make([]float32, e.Dim()), queries)
	if err == nil || !strings.Contains(err.Error(), "weights are damaged") {
		t.Errorf("error %v, want one of damaged weights", err)
	}
}

// TestRowsOfMarkers: ids that the tokenizer has and the table lacks get rows
// near the mean; rows that are there are used as they are.
func TestRowsOfMarkers(t *testing.T) {
	const width = 32
	tok, err := tokenizer.Open(tinyDir)
	if err != nil {
		t.Fatal(err)
	}
	defer tok.Close()
	markers, err := markerIDs(tok)
	if err != nil {
		t.Fatal(err)
	}
	old := load(t, tinyDir, false)
	rows := int(old.config.VocabSize)
	if tok.Size() != rows+2 {
		t.Fatalf("%d ids and %d rows, want two rows too few", tok.Size(), rows)
	}
	tableOf := func(m *model) []float32 {
		values, err := m.trained.memory()
		if err != nil {
			t.Fatal(err)
		}
		return values[:int(m.config.VocabSize)*width]
	}
	grown, err := loadModel(tinyDir, tok.Size(), markers, false, 5)
	if err != nil {
		t.Fatal(err)
	}
	defer grown.drop()
	table := tableOf(grown)
	if len(table) != (rows+2)*width || !slices.Equal(table[:rows*width], tableOf(old)) {
		t.Error("the rows that were there are not the same")
	}
	mean := make([]float64, width)
	for i, v := range tableOf(old) {
		mean[i%width] += float64(v) / float64(rows)
	}
	for k, id := range markers {
		for j := range width {
			// the tiny model's table has spread 0.3, the noise a tenth of that
			if d := math.Abs(float64(table[int(id)*width+j]) - mean[j]); d > 5*0.03 {
				t.Errorf("row of marker %d is %v from the mean at %d", k, d, j)
			}
		}
	}
	if slices.Equal(table[rows*width:(rows+1)*width], table[(rows+1)*width:]) {
		t.Error("the markers have equal rows")
	}

	spare, err := loadModel(tinyDir, rows-10, [2]int32{int32(rows - 9), int32(rows - 8)}, false, 5)
	if err != nil {
		t.Fatal(err)
	}
	defer spare.drop()
	if diff := cmp.Diff(tableOf(old), tableOf(spare)); diff != "" {
		t.Errorf("a table with spare rows changed:\n%s", diff)
	}
}

// TestWriteModel: what is written is what was read, whether the tables are
// apart or not, with the pooler.
func TestWriteModel(t *testing.T) {
	want := weightsOf(t, tinyDir)
	for _, freeze := range []bool{false, true} {
		m := load(t, tinyDir, freeze)
		dir := t.TempDir()
		if err := m.write(dir); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(want, weightsOf(t, dir)) {
			t.Errorf("frozen tables %v: weights differ from those read", freeze)
		}
		config, err := readConfig(dir)
		if err != nil {
			t.Fatal(err)
		}
		if config.VocabSize != m.config.VocabSize {
			t.Errorf("vocab_size %d, want %d", config.VocabSize, m.config.VocabSize)
		}
	}
}

// TestPickle: the file that Python wrote in either format gives the weights of
// the safetensors file.
func TestPickle(t *testing.T) {
	want, got := load(t, tinyDir, false), load(t, "testdata/tiny_pickle", false)
	a, err := want.trained.memory()
	if err != nil {
		t.Fatal(err)
	}
	b, err := got.trained.memory()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a, b) {
		t.Error("weights of pytorch_model.bin and model.safetensors differ")
	}
}
