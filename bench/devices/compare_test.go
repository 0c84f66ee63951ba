package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// same returns a run of two steps, two names and four mentions, one of them NIL.
func same() *run {
	return &run{
		losses:       []float64{.5, .25},
		vectors:      &matrix{2, 2, []float32{1, 0, .6, .8}},
		encodedNames: &matrix{2, 2, []float32{0, 0, .6, .8}}, // the first is of unknown tokens
		answers:      []answer{{"1 0-2", "A", .5}, {"1 4-6", "B", .75}, {"2 0-2", "", 0}, {"2 4-6", "C", 1}},
	}
}

// TestCompare changes one thing at a time and expects the differences that it makes, in the order of the checks.
func TestCompare(t *testing.T) {
	inf := math.Inf(1)
	for _, tc := range []struct {
		name   string
		change func(r *run)
		want   [6]float64
		failed string // positions of the checks that do not pass
	}{
		{"nothing", func(*run) {}, [6]float64{}, ""},
		// |.5 - .6| / .5, and |.75 - .85| / .75
		{"first loss", func(r *run) { r.losses[0] = .6 }, [6]float64{.2, .1 / .75}, "01"},
		{"last loss", func(r *run) { r.losses[1] = .26 }, [6]float64{0, .01 / .75}, ""},
		{"a step less", func(r *run) { r.losses = r.losses[:1] }, [6]float64{inf, inf}, "01"},
		{"NaN", func(r *run) { r.losses[1] = math.NaN() }, [6]float64{0, math.NaN()}, "1"},
		// (.6, .8) and (.8, .6): cosine .96; the mean is of two rows
		{"a name", func(r *run) { copy(r.encodedNames.data[2:], []float32{.8, .6}) }, [6]float64{2: .04}, "2"},
		{"a trained name", func(r *run) { copy(r.vectors.data[2:], []float32{.8, .6}) }, [6]float64{3: .02}, "3"},
		{"a name that is read", func(r *run) { r.encodedNames.data[0] = 1 }, [6]float64{2: 1}, "2"},
		{"not a number", func(r *run) { r.encodedNames.data[3] = float32(math.NaN()) }, [6]float64{2: math.NaN()}, "2"},
		{"a name more", func(r *run) { r.vectors = &matrix{3, 2, make([]float32, 6)} }, [6]float64{3: inf}, "3"},
		{"an answer", func(r *run) { r.answers[1].id = "A" }, [6]float64{4: .25}, "4"},
		{"a mention", func(r *run) { r.answers[1].mention = "1 4-7" }, [6]float64{4: .25}, "4"},
		{"a probability", func(r *run) { r.answers[0].probability = .4 }, [6]float64{5: .025}, "5"},
		{"a mention less", func(r *run) { r.answers = r.answers[:3] }, [6]float64{4: inf, 5: inf}, "45"},
	} {
		changed := same()
		tc.change(changed)
		failed := ""
		for i, c := range compare(same(), changed) {
			if math.Abs(c.got-tc.want[i]) > 1e-6 || math.IsNaN(c.got) != math.IsNaN(tc.want[i]) {
				t.Errorf("%s: %s is %g, want %g", tc.name, c.what, c.got, tc.want[i])
			}
			if !c.ok() {
				failed += fmt.Sprint(i)
			}
		}
		if failed != tc.failed {
			t.Errorf("%s: the checks %q fail, want %q", tc.name, failed, tc.failed)
		}
	}
}

func TestReadAnswers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "linked.jsonl")
	const linked = `{"id":"1","text":"ab","mentions":[{"start":0,"end":1,"candidates":[{"id":"A","probability":0.5},{"id":"B","probability":0.1}]},{"start":1,"end":2,"candidates":[]}]}
{"id":"2","text":"","mentions":[]}
`
	if err := os.WriteFile(path, []byte(linked), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := readAnswers(path)
	if want := "[{1 0-1 A 0.5} {1 1-2  0}]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("%v, %v, want %s", got, err, want)
	}
	for _, content := range []string{`{"id":"2","mentions":[]}`, `{"id":`} {
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := readAnswers(path); err == nil {
			t.Errorf("%s: %v, want an error", content, got)
		}
	}
}

func TestWriteNames(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "dictionary.tsv"), filepath.Join(t.TempDir(), "names.tsv")
	if err := os.WriteFile(from, []byte("id\tname\tsynonyms\n1\ta\tx|y\n2\tb\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := writeNames(from, to, 3); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(to)
	if want := "id\tname\nN:0\ta with a\nN:1\tb with a\nN:2\ta with b\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if err := writeNames(from, to, 5); err == nil || !strings.Contains(err.Error(), "4 pairs") {
		t.Errorf("five names of two: %v", err)
	}
}
