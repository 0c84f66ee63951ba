//go:build torch

package bne

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/text"
)

// small returns an encoder with random weights on vectors of a few words.
func small(t testing.TB) *Model {
	t.Helper()
	v := wordVectors(t, 6, []string{"renal", "failure", "heart", "attack"})
	m := must.Get(randomModel(architecture{CharacterDim: 3, Hidden: 4, Dropout: .5, Tanh: true, Characters: "acefhiklnrtu"}, v, 1))
	t.Cleanup(m.Drop)
	return m
}

var queries = []string{"Renal Failure", "heart attack", "attack", "renal-failure", "an unknown name of many words", "++", "Ωµ"}

// vectorsOf returns the vectors of the queries by the network of the model, one name at a time.
func vectorsOf(t *testing.T, m *Model) (vectors []float32) {
	t.Helper()
	err := tensor.Compute(tensor.CPU, false, func(s *tensor.Scope) {
		network := m.Network(s, m.Trained.Tensor())
		for _, q := range queries {
			vectors = append(vectors, s.Floats(s.NormalizeRows(network.Encode(s, []Input{m.Read(q)})))...)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return vectors
}

// TestWriteAndOpen: an encoder that was written has the vectors of the network, in any batch, at unit length, and names
// with the same normal form have the same vector.
func TestWriteAndOpen(t *testing.T) {
	m := small(t)
	dir := filepath.Join(t.TempDir(), "encoder")
	must.Succeed(t, m.Write(dir))
	if err := m.Write(dir); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("writing to a folder again: %v", err)
	}
	e := must.Get(Open(dir, "", 2))
	var all []text.Query
	for _, q := range queries {
		all = append(all, text.NameExemplar(q).Query)
	}
	got := make([]float32, len(all)*e.Dim())
	must.Succeed(t, e.Encode(t.Context(), got, all))
	want := vectorsOf(t, m)
	for i, x := range want {
		if !(math.Abs(float64(got[i]-x)) < 1e-6) {
			t.Fatalf("number %d is %v, want %v", i, got[i], x)
		}
	}
	if row := func(i int) []float32 { return got[i*e.Dim() : (i+1)*e.Dim()] }; !slices.Equal(row(0), row(3)) || slices.Equal(row(0), row(1)) {
		t.Errorf("renal failure is %v and %v, heart attack %v", row(0), row(3), row(1))
	}
	if again, err := fingerprint(dir); err != nil || again != e.Fingerprint() {
		t.Errorf("fingerprint is %s, then %s, %v", e.Fingerprint(), again, err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if is, err := IsFolder(dir); !is || err != nil {
		t.Errorf("%s is of a name encoder: %v, %v", dir, is, err)
	}
	if is, err := IsFolder(t.TempDir()); is || err != nil {
		t.Errorf("an empty folder is of a name encoder: %v, %v", is, err)
	}
}

// TestDamagedFolder: files that do not belong together cause an error that names the file.
func TestDamagedFolder(t *testing.T) {
	for want, change := range map[string]func(data string) string{
		"format is 9, want 2":         func(s string) string { return strings.Replace(s, `"format": 2`, `"format": 9`, 1) },
		"hidden is 0, want 1 to 4096": func(s string) string { return strings.Replace(s, `"hidden": 4`, `"hidden": 0`, 1) },
		`tensor "character_lstm.weight_ih_l0" has shape [16 3], want [20 3]`: func(s string) string {
			return strings.Replace(s, `"hidden": 4`, `"hidden": 5`, 1)
		},
		"want each character once": func(s string) string { return strings.Replace(s, `"characters": "a`, `"characters": "aa`, 1) },
	} {
		dir := filepath.Join(t.TempDir(), "encoder")
		must.Succeed(t, small(t).Write(dir))
		path := filepath.Join(dir, formFile)
		data := must.Get(os.ReadFile(path))
		changed := change(string(data))
		if changed == string(data) {
			t.Fatalf("%s: nothing is changed in %s", want, data)
		}
		must.Succeed(t, os.WriteFile(path, []byte(changed), 0o644))
		if _, err := Open(dir, "", 0); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("error is %v, want %q of a file in %s", err, want, dir)
		}
	}
}

// TestDropout: the dropped inputs depend only on a name's seed, about a share of Dropout is dropped, and the rest is
// scaled.
func TestDropout(t *testing.T) {
	m := small(t)
	names := []Input{m.Read("renal failure"), m.Read("heart"), m.Read("renal failure")}
	const width = 700
	with := func(dropout float64, seeds ...uint64) []Input {
		for i, seed := range seeds {
			names[i].Dropout, names[i].Seed = dropout, seed
		}
		return names
	}
	words := dropped(with(.25, 1, 2, 1), width)
	if len(words) != 5*width {
		t.Fatalf("%d factors, want %d", len(words), 5*width)
	}
	if !slices.Equal(words[:2*width], words[3*width:]) {
		t.Error("names of one seed differ")
	}
	left := 0
	for _, x := range words {
		if x == 0 {
			left++
		} else if x != float32(1/.75) {
			t.Fatalf("a factor is %v, want 0 or 4/3", x)
		}
	}
	// The names with seed 1 have equal factors, so 2,100 of the 3,500 are independent. The share is within 4 standard
	// deviations of a quarter.
	if share := float64(left) / float64(len(words)); math.Abs(share-.25) > 4*math.Sqrt(.25*.75/2100) {
		t.Errorf("%.3f are left out, want .25", share)
	}
	err := tensor.Compute(tensor.CPU, false, func(s *tensor.Scope) {
		network := m.Network(s, m.Trained.Tensor())
		rows := s.Floats(network.Encode(s, with(.5, 1, 2, 3)))
		whole := s.Floats(network.Encode(s, with(0, 1, 2, 3)))
		dim := m.Dim()
		if slices.Equal(rows[:dim], rows[2*dim:]) || !slices.Equal(whole[:dim], whole[2*dim:]) {
			t.Error("names of other seeds are equal, or differ where nothing is left out")
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
