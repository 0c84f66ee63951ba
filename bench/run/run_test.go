package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

// printing returns a side that prints a line. %d in it is the round, from 1.
func printing(t *testing.T, name, line string) side {
	t.Helper()
	count := filepath.Join(t.TempDir(), "round")
	script := fmt.Sprintf(`n=$(( $(cat %[1]s 2>/dev/null || echo 0) + 1 )); echo $n > %[1]s; printf '%[2]s' $n`, count, line)
	return shell(name, script)
}

func shell(name, script string) side {
	return side{Name: name, inputs: &harness.Command{},
		process: harness.Process{Args: []string{"/bin/sh", "-c", script}, Threads: 1, Read: harness.FirstLine}}
}

// TestComparison compares rates of 11, 12 and 13 with 2, and times of 2 with 1, 2 and 3. The ratios are those of each round.
func TestComparison(t *testing.T) {
	c := comparison{
		Ours:  printing(t, "ours", `{"rate": 1%d, "seconds": 2, "docs": 7, "mentions": 104}`),
		Peer:  printing(t, "them", `{"rate": 2, "seconds": %d, "docs": 7, "mentions": 100}`),
		Equal: []string{"docs"}, Near: []string{"mentions 0.05, as they may"},
		Rows: []row{
			{Name: "rate", Field: "rate", Unit: "/s", Target: "6 times"},
			{Name: "time", Field: "seconds", Unit: "s", Target: "1.1 times"},
			{Name: "bound", Field: "rate", Target: "at most 12"},
			{Name: "least", Field: "rate", Target: "at least 12.5"},
		},
	}
	c.run(t.Context(), 3)
	if c.failed != "" || len(c.differences) > 0 {
		t.Fatalf("failed %q, differences %q", c.failed, c.differences)
	}
	for i, want := range []struct {
		ratio  *harness.Spread
		missed bool
	}{{&harness.Spread{Median: 6, Min: 5.5, Max: 6.5}, false}, {&harness.Spread{Median: 1, Min: .5, Max: 1.5}, true}, {nil, false}, {nil, true}} {
		if got := c.Rows[i]; !cmp.Equal(got.ratio, want.ratio) || got.missed != want.missed {
			t.Errorf("%s: ratio %v, missed %t, want %v, %t", got.Name, got.ratio, got.missed, want.ratio, want.missed)
		}
	}
	text := comparisonTable([]*comparison{&c}, []string{"x: skipped: no y"})
	for _, want := range []string{"| rate | them | 12.0 /s | 2.00 /s | 6.00 | 5.50–6.50 |  | ", " | 1.1 times | missed |\n", "- x: skipped: no y\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if code := exitCode([]*comparison{&c}); code != exitMissed {
		t.Errorf("exit code %d, want %d", code, exitMissed)
	}
}

// TestFaults has work that differs, which is told once, and sides that fail or measure nothing.
func TestFaults(t *testing.T) {
	c := comparison{
		Ours:  printing(t, "ours", `{"docs": 7, "mentions": 106, "files": 1}`),
		Peer:  printing(t, "them", `{"docs": 8, "mentions": 100}`),
		Equal: []string{"docs", "files"}, Near: []string{"mentions 0.05, as they may"},
	}
	c.run(t.Context(), 2)
	want := []string{"docs: 7 and the peer's 8, want them within 0 %", "files: not counted by both sides", "mentions: 106 and the peer's 100, want them within 5 %"}
	if diff := cmp.Diff(want, c.differences); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
	fine := `echo '{"rate": 1}'`
	for want, scripts := range map[string][2]string{
		"them: ": {fine, "echo why >&2; exit 3"}, "exit status 3: why": {"echo why >&2; exit 3", fine}, "ours: /bin/sh": {"echo no JSON", fine},
		"rate: ours: field rate is <nil>": {"echo '{}'", fine}, "rate: the peer: field rate is x": {fine, `echo '{"rate": "x"}'`},
		"too little work": {`echo '{"rate": 0}'`, fine},
	} {
		c := comparison{Ours: shell("ours", scripts[0]), Peer: shell("them", scripts[1]), Rows: []row{{Name: "rate", Field: "rate"}}}
		if c.run(t.Context(), 1); !strings.Contains(c.failed, want) || exitCode([]*comparison{&c}) != exitFailed {
			t.Errorf("failed %q, want %q", c.failed, want)
		}
	}
}

func TestFirstReaching(t *testing.T) {
	out := []byte(`{"ef": 50, "recall": 0.9}
		{"ef": 100, "recall": 0.995}
		{"ef": 200, "recall": 0.999}`)
	for _, c := range []struct{ bound, want float64 }{{.5, 50}, {.995, 100}, {.996, 200}, {1, 200}} {
		if got, err := firstReaching(out, "recall", c.bound); err != nil || got["ef"] != c.want {
			t.Errorf("recall %g: ef %v (%v), want %g", c.bound, got["ef"], err, c.want)
		}
	}
}

// TestEveryComparison checks that names are distinct, that comparisons have rows and counts and commands without
// unknown names, and that one is skipped without its modules, and without a model that it needs.
func TestEveryComparison(t *testing.T) {
	defined, all, err := readComparisons(comparisonsFile)
	if err != nil || len(all) < 20 {
		t.Fatal(len(all), err)
	}
	names := map[string]bool{}
	for _, c := range all {
		if names[c.Name] || strings.Contains(c.Name, "$") || len(c.Rows) == 0 || len(c.Equal) == 0 {
			t.Errorf("%s: there twice, or with %d rows and %d counts that must be equal", c.Name, len(c.Rows), len(c.Equal))
		}
		names[c.Name] = true
		c.Cores = 0
		installed := map[string]bool{}
		for _, module := range c.Needs {
			installed[module] = true
		}
		for want, model := range map[string]string{"": "folder", lacking: ""} {
			s, err := parseSettings([]string{"-quick", "-data", "data", "-model", model})
			if err != nil {
				t.Fatal(err)
			}
			s.Model = model
			lacks := c.prepare(s, &harness.Inputs{Settings: &s.Settings, Defined: defined}, installed)
			if needs := strings.Contains(c.Ours.Run, "{-model}"); lacks != want && (needs || lacks != "") {
				t.Errorf("%s: with the model %q it lacks %q, want %q", c.Name, model, lacks, want)
			}
			if len(c.Needs) > 0 && !strings.Contains(c.prepare(s, nil, nil), c.Needs[0]) {
				t.Errorf("%s is not skipped where no module is installed", c.Name)
			}
		}
	}
}

const lacking = "there is no base model: -model, or CTXNORM_MINILM, names its folder"

// TestEveryJob checks that names are distinct, and that every job has two sizes or more, and commands without unknown
// names.
func TestEveryJob(t *testing.T) {
	s, err := parseScaleSettings([]string{"-model", "m", "-data", "d"})
	if err != nil {
		t.Fatal(err)
	}
	defined, jobs, err := readJobs(scalingFile)
	if err != nil {
		t.Fatal(err)
	}
	in, names := s.inputs(defined), map[string]bool{}
	for _, j := range jobs {
		sizes := s.sizesOf(j)
		isAxis := slices.ContainsFunc(axes, func(a axis) bool { return a.name == j.By })
		if len(sizes) < 2 || !isAxis || j.Same == "" || names[j.Name] {
			t.Errorf("%s: there twice, or with sizes %v by %q, the same is %q", j.Name, sizes, j.By, j.Same)
		}
		names[j.Name] = true
		line := j.Run + " " + j.Reads
		if j.Make != "" {
			line += " {" + j.Make + "@n}"
		}
		if c, err := in.Command(line, "", sizes[1]); err != nil || len(c.Args) < 1 {
			t.Errorf("%s: %v", j.Name, err)
		}
	}
	c, err := in.Command("{shards} {shard}", "", 2)
	if err != nil || len(c.Args) != 3*4 { // of 40 files two shards of ten, and one
		t.Errorf("the shards are %v, %v", c, err)
	}
}

// write makes files in a new folder and returns the folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestReadFolder(t *testing.T) {
	corpus := write(t, map[string]string{
		"manifest.json":     `{"format": 2, "settings": {"dictionary": {"names": 7}}, "inputs": [{"bytes": 10}], "totals": {"records": 3, "mentions": 9, "defined": 2}}`,
		"sentences.parquet": "12345",
	})
	model := write(t, map[string]string{
		"manifest.json":        `{"format": 2, "dictionary": {"names": 8, "hash": "h"}, "index": {"contexts": 9}}`,
		"training/curve.jsonl": `{"step": 1, "seconds": 2} {"step": 2, "seconds": 2.5} {"step": 3, "seconds": 3.5}`,
	})
	size := func(dir, file string) float64 {
		info, err := os.Stat(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		return float64(info.Size())
	}
	l, err := readFolder(corpus)
	want := harness.Line{"format": 2., "settings.dictionary.names": 7., "records": 3., "mentions": 9., "defined": 2., "names_found": 7., "sentences.parquet": 5., "manifest.json": size(corpus, "manifest.json"), "bytes": 5 + size(corpus, "manifest.json")}
	if diff := cmp.Diff(want, l); err != nil || diff != "" {
		t.Errorf("corpus: %v (-want +got):\n%s", err, diff)
	}
	l, err = readFolder(corpus, model)
	want["dictionary.names"], want["index.contexts"] = 8., 9.
	want["bytes"] = size(model, "manifest.json") + size(model, "training/curve.jsonl")
	want["manifest.json"], want["curve.jsonl"] = size(model, "manifest.json"), size(model, "training/curve.jsonl")
	want["step_ms"] = 750. // (3.5 - 2)/2 s
	if diff := cmp.Diff(want, l); err != nil || diff != "" {
		t.Errorf("model: %v (-want +got):\n%s", err, diff)
	}
	for name, dir := range map[string]string{"no manifest": t.TempDir(), "broken": write(t, map[string]string{"manifest.json": "{"})} {
		if l, err := readFolder(dir); err == nil {
			t.Errorf("%s: read as %v", name, l)
		}
	}
}

// TestReport projects 1 + n/10,000 s of records: 1 + 36,000,000/10,000 s = 3,601 s. 200 MB and 1 for each 1,000 of them come
// to 36,200.
func TestReport(t *testing.T) {
	j := &job{Name: "build-corpus", By: "records", Same: "the rest"}
	for _, p := range [][3]float64{{10_000, 2, 210}, {30_000, 4, 230}, {100_000, 11, 300}} {
		j.lines = append(j.lines, []harness.Line{{"n": p[0], "wall_seconds": p[1], "peak_mb": p[2]}})
	}
	got := scalingReport("today", "settings", []*job{j, {Name: "train", By: "records", failed: "no model"}})
	for _, want := range []string{
		"| build-corpus: time | 10,000: 2.00 s, 30,000: 4.00 s, 100,000: 11.0 s | 0 % | 1.00 s | 0.1000 s | 1.00 | 1h0m1s |",
		"| 1.00 | 35 GiB |", "- train failed: no model",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in the report:\n%s", want, got)
		}
	}
}

// TestRatios shows why rounds are compared one by one: the machine was half as fast in
// the last two, which would tell against the subject in a ratio of medians.
func TestRatios(t *testing.T) {
	subject := []float64{40, 40, 40, 20, 20}          // median 40
	peer := []float64{10, 10, 5, 5, 5}                // median 5; 40/5 = 8
	want := harness.Spread{Median: 4, Min: 4, Max: 8} // 4 4 8 4 4
	if diff := cmp.Diff(want, ratios(subject, peer, false)); diff != "" {
		t.Errorf("rates (-want +got):\n%s", diff)
	}
	want = harness.Spread{Median: .25, Min: .125, Max: .25} // the same as times
	if diff := cmp.Diff(want, ratios(subject, peer, true)); diff != "" {
		t.Errorf("times (-want +got):\n%s", diff)
	}
}
