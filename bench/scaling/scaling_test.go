package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

var update = flag.Bool("update", false, "rewrite testdata/report.md")

func TestSettings(t *testing.T) {
	s, err := parseSettings([]string{"-quick", "-model", "m", "-dict", "names.tsv", "-steps", "5"})
	if err != nil {
		t.Fatal(err)
	}
	if s.Steps != 5 || s.Records != 500 || !slices.Equal(s.widths, []int{1, 3}) || s.Fraction != .02 {
		t.Errorf("%d steps, %d records, dictionaries %v, fraction %g: want 5, which were given, and a quick run's 500, 1 and 3, .02",
			s.Steps, s.Records, s.widths, s.Fraction)
	}
	for want, args := range map[string][]string{
		"-times is 3,1, want":    {"-times", "3,1"},
		"-names is 2, want two":  {"-names", "2"},
		"-times is 1,x, want":    {"-times", "1,x"},
		"there is no base model": {"-model", ""},
	} {
		if _, err := parseSettings(append([]string{"-dict", "d", "-model", "m"}, args...)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: error %v, want %s…", args, err, want)
		}
	}
}

// TestUsersFiles checks that a shard has as many files as the largest size allows.
func TestUsersFiles(t *testing.T) {
	for _, c := range []struct {
		files, each int
	}{{10, 1}, {29, 2}, {30, 3}} {
		files := map[string]string{}
		for i := range c.files {
			files[fmt.Sprintf("%03d.xml", i)] = ""
		}
		dir := write(t, files)
		s, err := parseSettings([]string{"-model", "m", "-dict", "d", "-pubmed", filepath.Join(dir, "*.xml")})
		if err != nil {
			t.Fatal(err)
		}
		if s.Files != c.each {
			t.Errorf("of %d files %d per shard, want %d", c.files, s.Files, c.each)
		}
		if all := s.newTexts().first(s.largest()); len(all) != s.largest()*c.each {
			t.Errorf("the largest size has %d files, want %d", len(all), s.largest()*c.each)
		}
	}
	in := texts{shards: splitRoundRobin([]string{"a", "b", "c", "d", "e", "f"}, 3)}
	if diff := cmp.Diff([]string{"a", "d", "b", "e"}, in.first(2)); diff != "" {
		t.Errorf("files of two shards (-want +got):\n%s", diff)
	}
}

// TestEveryJob checks that names are distinct, and that every job has two sizes or more,
// given or read.
func TestEveryJob(t *testing.T) {
	s, err := parseSettings([]string{"-model", "m", "-dict", "d"})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*job{}
	for _, j := range s.jobs() {
		if found[j.Name] != nil {
			t.Errorf("two jobs are called %s", j.Name)
		}
		found[j.Name] = j
		isAxis := false
		for _, axis := range axes {
			isAxis = isAxis || axis.name == j.By
		}
		if len(j.runs) < 2 || !isAxis || j.Same == "" {
			t.Errorf("%s: %d sizes by %q, the same is %q", j.Name, len(j.runs), j.By, j.Same)
		}
		for _, p := range j.runs {
			if (p.n > 0) == (p.size != "") {
				t.Errorf("%s: size %g and its field %q, want one of them", j.Name, p.n, p.size)
			}
		}
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
		"manifest.json":     `{"format": 2, "settings": {"dictionary": {"names": 7}}, "inputs": [{"bytes": 10}], "totals": {"records": 3}}`,
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
	want := harness.Line{"format": 2., "settings.dictionary.names": 7., "totals.records": 3., "sentences.parquet": 5., "bytes": 5 + size(corpus, "manifest.json")}
	if diff := cmp.Diff(want, l); err != nil || diff != "" {
		t.Errorf("corpus: %v (-want +got):\n%s", err, diff)
	}
	l, err = readFolder(model, corpus)
	want["dictionary.names"], want["index.contexts"] = 8., 9.
	want["bytes"] = size(model, "manifest.json") + size(model, "training/curve.jsonl")
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

// measuredJob returns a job with these sizes, wall seconds and megabytes.
func measuredJob(name, by string, sizes, seconds, mb []float64) *job {
	j := &job{Name: name, By: by, Same: "the rest"}
	for i, n := range sizes {
		j.Points = append(j.Points, sizeResult{N: n, Command: "ctxnorm " + name,
			Lines: []harness.Line{{wallField: seconds[i], "process_cpu_seconds": 2 * seconds[i], memoryField: mb[i]}}})
	}
	return j
}

// with adds a figure to the lines of a job.
func (j *job) with(f figure, values ...float64) *job {
	for i, value := range values {
		j.Points[i].Lines[0][f.Field] = value
	}
	j.Extra = append(j.Extra, f)
	return j
}

// testReport has lines and curves that are easy to compute by hand.
func testReport() *report {
	records := []float64{10_000, 30_000, 100_000}
	build := measuredJob("build-corpus", "records", records, []float64{2, 4, 11}, []float64{210, 230, 300}). // 1 + n/10,000; 200 + n/1,000
															with(figure{Name: "sentences kept", Field: "sampled", Limited: true}, 10_000, 30_000, 100_000).
															with(figure{Name: "records.parquet", Field: "records_bytes", Unit: "bytes"}, 6e4, 18e4, 6e5)
	merge := measuredJob("corpus merge", "records", records, []float64{1, 3, 10}, []float64{100, 100, 100})
	tag := measuredJob("tag", "sentences", []float64{1, 1000, 10_000}, []float64{.501, 1.5, 10.5}, []float64{100, 100, 100}) // .5 + n/1,000
	names := []float64{40_000, 400_000}
	start := measuredJob("build-corpus, start", "names", names, []float64{1, 10}, []float64{200, 1100})     // n/40,000; 100 + n/400
	steep := measuredJob("train --encoder none", "names", names, []float64{1, 20}, []float64{1024, 10_240}) // exponent log 20/log 10
	broken := &job{Name: "index", By: "records", Failed: "exit status 2: no model"}
	r := &report{Date: "2001-02-03", Machine: harness.Machine{CPU: "a CPU", Cores: 2, MemoryGB: 16, System: "Linux", Go: "go"},
		Settings: "2 threads", Jobs: []*job{build, merge, broken, tag, start, steep}}
	r.fit()
	return r
}

func TestReport(t *testing.T) {
	path := filepath.Join("testdata", "report.md")
	got := testReport().markdown("")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("report (-want +got), which -update rewrites:\n%s", diff)
	}
}

// TestProjections checks figures of the report by hand.
func TestProjections(t *testing.T) {
	got := testReport().markdown("")
	for _, want := range []string{
		// 1 + 36,000,000/10,000 s = 3,601 s
		"| 1.00 s | 0.1000 s | 1.00 | 60 min |",
		// 300 MB were measured; with the exponent log(300/230)/log(100/30) = .2207 they come to 300·360^.2207 = 1,100.
		"| 1.00 | at most 1.1 GiB |",
		// 6 bytes per record
		"| 0 bytes | 6.0 kB | 1.00 | 216 MB |",
		// 10,000,000/40,000 = 250 s
		"| 0.0250 s | 1.00 | 4.2 min |",
		// 20·(10,000,000/400,000)^(log 20/log 10) = 20·25^1.301 s, about 1,318 s, beside the line's
		// b = Σ(n/y)/Σ(n²/y²) = (40,000 + 20,000)/(1.6e9 + .4e9) = 3e-5: 300 s.
		"| **1.30** | 5 min (22 min) |",
		// 100 + 10,000,000/400 MB; 16,384 MB are full at (16,384 - 100)·400 names.
		"| 1.00 | 25 GiB; full at 6.5 M |", // 100 MiB + 2.5 MiB · 10,000 = 25,100 MiB = 24.5 GiB
		// 400,000·16,384/10,240 names, since memory is proportional to names
		"| 250 GiB; full at 640 k |",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in the report:\n%s", want, got)
		}
	}
}

func TestSave(t *testing.T) {
	r := testReport()
	path, err := r.save(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, extension := range []string{".json", ".md"} {
		if data, err := os.ReadFile(path + extension); err != nil || !bytes.Contains(data, []byte("build-corpus")) {
			t.Errorf("%s: %d bytes (%v)", extension, len(data), err)
		}
	}
}

func TestFormats(t *testing.T) {
	for want, got := range map[string]string{
		"36,000,000": count(36e6), "1,000": count(999.6), "1.5 GiB": memory(1536),
		"20 ms": duration(.02), "99 s": duration(99), "2 min": duration(120), "44 min": duration(2640), "12 h": duration(43_200), "4 days": duration(4 * 86_400),
		"6.9 MB": figure{Unit: "bytes"}.format(6.88e6), "0 s": figure{Unit: "s"}.format(1e-9), "12,345": figure{}.format(12_345),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestMeasure checks that runs go size by size, that what they need is made once, and
// that a failure does not show the user's folders.
func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	shell := func(script string) *process {
		return &process{Process: harness.Process{Args: []string{"/bin/sh", "-c", "cd " + dir + " && " + script}, Threads: 1, Read: harness.FirstLine}}
	}
	need := shell(`echo made >> log; echo '{}'`)
	sized := func(n string) *process {
		p := shell("echo " + n + ` >> log; echo '{"n": ` + n + `}'`)
		p.size, p.needs = "n", []*process{need}
		return p
	}
	redact := strings.NewReplacer(dir, "DIR")
	j := &job{Name: "j", runs: []*process{sized("1"), sized("3")}}
	if j.measure(t.Context(), 2, redact); j.Failed != "" {
		t.Fatal(j.Failed)
	}
	if log, err := os.ReadFile(filepath.Join(dir, "log")); err != nil || string(log) != "made\n1\n3\n1\n3\n" {
		t.Errorf("the runs were %q (%v)", log, err)
	}
	points, _ := j.points("n")
	if diff := cmp.Diff([]point{{1, 1}, {3, 3}}, points); diff != "" {
		t.Errorf("points (-want +got):\n%s", diff)
	}
	if want := "GOMAXPROCS=1 OMP_NUM_THREADS=1 /bin/sh -c cd DIR && "; !strings.HasPrefix(j.Points[0].Command, want) {
		t.Errorf("the command is %q, want %q…", j.Points[0].Command, want)
	}
	unsized, needy, odd := shell("echo '{}'"), shell("true"), shell("true")
	unsized.size, needy.needs = "n", []*process{shell("exit 4")}
	odd.Read = func([]byte) (harness.Line, error) { return nil, errors.New("odd") }
	for want, p := range map[string]*process{
		"/bin/sh -c cd DIR && echo no >&2; exit 1: exit status 1: no": shell("echo no >&2; exit 1"),
		"exit status 4": needy, "there is no field n": unsized, ": odd": odd,
	} {
		j := &job{runs: []*process{p}}
		if j.measure(t.Context(), 1, redact); !strings.Contains(j.Failed, want) {
			t.Errorf("failed %q, want %q", j.Failed, want)
		}
	}
}

// TestRepeatScript checks that a command's lines are repeated up to a number, and that
// a command that fails or prints nothing is an error.
func TestRepeatScript(t *testing.T) {
	out := filepath.Join(t.TempDir(), "lines")
	repeat := func(n string, command ...string) error {
		args := append([]string{"/bin/sh", "-c", repeatScript, out, n}, command...)
		_, err := (&harness.Process{Args: args, Threads: 1, Fresh: out}).Run(t.Context())
		return err
	}
	for n, want := range map[string]string{"1": "a\n", "3": "a\nb\na\n"} {
		if err := repeat(n, "echo", "a\nb"); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(out); err != nil || string(got) != want {
			t.Errorf("%s lines: %q (%v), want %q", n, got, err, want)
		}
	}
	for _, command := range []string{"true", "false"} {
		if err := repeat("1", command); err == nil {
			t.Errorf("%s made lines", command)
		}
	}
}
