package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// printing returns a side that prints a line. %d in it is the round, from 1.
func printing(t *testing.T, name, line string) side {
	t.Helper()
	count := filepath.Join(t.TempDir(), "round")
	script := fmt.Sprintf(`n=$(( $(cat %[1]s 2>/dev/null || echo 0) + 1 )); echo $n > %[1]s; printf '%[2]s' $n`, count, line)
	return shell(name, script)
}

func shell(name, script string) side {
	return side{Name: name, command: &command{}, process: harness.Process{Args: []string{"/bin/sh", "-c", script}, Threads: 1},
		read: func(printed []byte) harness.Line { return firstReaching(printed, 0) }}
}

// TestComparison compares rates of 11, 12 and 13 with 2, and times of 2 with 1, 2 and 3. The ratios are those of each
// round.
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
			{Name: "amount", Field: "seconds", Unit: "/s", Amount: "docs", Target: "1 times"},
		},
	}
	c.run(t.Context(), 3)
	must.Equal(t, len(c.differences), 0, "differences")
	for i, want := range []struct {
		ratio  *harness.Spread
		missed bool
	}{{&harness.Spread{Median: 6, Min: 5.5, Max: 6.5}, false}, {&harness.Spread{Median: 1, Min: .5, Max: 1.5}, true}, {nil, false}, {nil, true},
		{&harness.Spread{Median: 1, Min: .5, Max: 1.5}, false}} { // 7/2 beside 7/1, 7/2 and 7/3
		if got := c.Rows[i]; !cmp.Equal(got.ratio, want.ratio) || got.missed != want.missed {
			t.Errorf("%s: ratio %v, missed %t, want %v, %t", got.Name, got.ratio, got.missed, want.ratio, want.missed)
		}
	}
	text := comparisonTable([]*comparison{&c}, []string{"x: skipped: no y"})
	for _, want := range []string{"| rate | them | 12.0 /s | 2.00 /s | 6.00 | 5.50–6.50 |  | ", " | 1.1 times | missed |\n", "- x: skipped: no y\n"} {
		must.Contain(t, text, want)
	}
	must.Equal(t, verdict([]*comparison{&c}), error(missed), "exit code")
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
	must.Equal(t, c.differences, want, "differences")
	fine := `echo '{"rate": 1}'`
	for want, scripts := range map[string][2]string{
		"them: ": {fine, "echo why >&2; exit 3"}, "exit status 3: why": {"echo why >&2; exit 3", fine}, "ours: the output is not JSON": {"echo no JSON", fine},
		"rate: ours: field rate is <nil>": {"echo '{}'", fine}, "rate: them: field rate is x": {fine, `echo '{"rate": "x"}'`},
		"too little work": {`echo '{"rate": 0}'`, fine},
	} {
		c := comparison{Ours: shell("ours", scripts[0]), Peer: shell("them", scripts[1]), Rows: []row{{Name: "rate", Field: "rate"}}}
		c.failed = harness.Try(func() { c.run(t.Context(), 1) })
		must.Fail(t, c.failed, want)
		must.Equal(t, verdict([]*comparison{&c}), error(failed))
	}
}

func TestFirstReaching(t *testing.T) {
	out := []byte(`{"ef": 50, "recall": 0.9}
		{"ef": 100, "recall": 0.995}
		{"ef": 200, "recall": 0.999}`)
	for _, c := range []struct{ bound, want float64 }{{.5, 50}, {.995, 100}, {.996, 200}, {1, 200}} {
		must.Equal(t, firstReaching(out, c.bound)["ef"], any(c.want), "recall", c.bound)
	}
}

// TestEveryComparison checks that names are distinct, that comparisons have rows and counts and commands without
// unknown names, and that one is skipped without its modules, and without a model that it needs.
func TestEveryComparison(t *testing.T) {
	defined, all := readComparisons(comparisonsFile)
	if len(all) < 20 {
		t.Fatal(len(all))
	}
	names := map[string]bool{}
	for _, c := range all {
		if names[c.Name] || strings.Contains(c.Name, "$") || len(c.Rows) == 0 || len(c.Equal) == 0 && !strings.HasPrefix(c.Name, "growth/") {
			t.Errorf("%s: there twice, or with %d rows and %d counts that must be equal", c.Name, len(c.Rows), len(c.Equal))
		}
		names[c.Name] = true
		c.Cores = 0
		installed := map[string]bool{}
		for _, module := range c.Needs {
			installed[module] = true
		}
		for _, model := range []string{"folder", ""} {
			s := must.Get(parse([]string{"-quick", "-data", "data", "-model", model}))
			s.values["model"] = model
			err := harness.Try(func() { c.prepare(s, &inputs{s, defined}, installed) })
			if model == "" && strings.Contains(c.Ours.Run, "{-model}") {
				must.Fail(t, err, "-model is not given", c.Name)
			} else {
				must.Succeed(t, err, c.Name)
			}
			if len(c.Needs) > 0 {
				must.Fail(t, harness.Try(func() { c.prepare(s, nil, nil) }), c.Needs[0], c.Name)
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
		must.Succeed(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)))
	}
	return dir
}

func TestReadFolder(t *testing.T) {
	manifest := `{"format": 2, "settings": {"dictionary": {"names": 7}}, "inputs": [{"bytes": 10}], "totals": {"records": 3, "mentions": 9, "defined": 2}}`
	l := readFolder(write(t, map[string]string{"manifest.json": manifest, "parts/sentences.parquet": "12345"}))
	want := harness.Line{"format": 2., "settings.dictionary.names": 7., "records": 3., "mentions": 9., "defined": 2., "names_found": 7., "bytes": float64(5 + len(manifest))}
	must.Equal(t, l, want)
	for name, dir := range map[string]string{"no manifest": t.TempDir(), "broken": write(t, map[string]string{"manifest.json": "{"})} {
		must.Fail(t, harness.Try(func() { readFolder(dir) }), "", name)
	}
}

// TestRatios shows why rounds are compared one by one: the machine was half as fast in
// the last two, which would tell against the subject in a ratio of medians.
func TestRatios(t *testing.T) {
	subject := []float64{40, 40, 40, 20, 20}          // median 40
	peer := []float64{10, 10, 5, 5, 5}                // median 5; 40/5 = 8
	want := harness.Spread{Median: 4, Min: 4, Max: 8} // 4 4 8 4 4
	must.Equal(t, ratios(subject, peer, false), want, "rates")
	want = harness.Spread{Median: .25, Min: .125, Max: .25} // the same as times
	must.Equal(t, ratios(subject, peer, true), want, "times")
}

func parse(args []string) (*settings, error) {
	s := &settings{}
	return s, harness.Try(func() {
		harness.ParseFlags(s, "bench", args)
		s.complete()
	})
}

func TestSettings(t *testing.T) {
	t.Setenv("HOME", "home")
	t.Setenv("CTXNORM_DATA", "data")
	for want, args := range map[string]string{
		"Input: text of CTXNORM_DATA, dictionary medic_union.json.gz; threads 1, repeats 5, docs 40000, files 5,": "-files 5",
		"Input: text of CTXNORM_DATA, dictionary n.tsv; threads 2, repeats 2, docs 1500, files 5,":                "-files 5 -quick -threads 2 -dict n.tsv",
	} {
		if s, err := parse(strings.Fields(args)); err != nil || !strings.HasPrefix(s.String(), want) {
			t.Errorf("%v: %s (%v), want %s", args, s, err, want)
		}
	}
	for want, args := range map[string]string{
		"-docs is 0": "-docs 0", `invalid value "(" for flag -only`: "-only (", "-pubmed: no file matches": "-pubmed /does/not/exist/*",
		"-threads is -1": "-threads -1", `"more" is not a flag`: "more", "flag provided but not de": "-nothing",
	} {
		if _, err := parse(strings.Fields(args)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: error %v, want %s…", args, err, want)
		}
	}
	s := must.Get(parse([]string{"-work", "work"}))
	must.Equal(t, s.redact("x work/runs/a data/dict/b home/.cache/c d"), "x $WORK/runs/a $CTXNORM_DATA/dict/b ~/.cache/c d", "shown as")
}

// TestInputs makes an input and what it needs once, and nothing of a command that fails or lacks a flag.
func TestInputs(t *testing.T) {
	dir := t.TempDir()
	script := func(name, text string) string {
		path := filepath.Join(dir, name)
		must.Succeed(t, os.WriteFile(path, []byte("#!/bin/sh\necho x >>"+dir+"/$1.made; "+text+"\n"), 0o777))
		return path
	}
	in := &inputs{&settings{Work: dir, values: map[string]string{"dict": ""}}, []definition{
		{Name: "good", Suffix: ".txt", Make: script("good.sh", `echo "$2" >"$3"`) + " good 7 {out}", Kept: true},
		{Name: "xml", Make: script("xml.sh", `mkdir "$2"; cat "$3"`) + " xml {out} {good}", PubMed: true},
		{Name: "bad", Make: script("bad.sh", `mkdir "$2"; echo why >&2; false`) + " bad {out}"},
		{Name: "poor", Make: "make {-dict}"},
	}}
	c := in.command("tool {xml} -n={good} {good}", "")
	for range 2 {
		c.ensure(t.Context())
	}
	for _, name := range []string{"good", "xml"} {
		must.Equal(t, string(must.Get(os.ReadFile(filepath.Join(dir, name+".made")))), "x\n", name, "was made")
	}
	if got := strings.Join(c.args, " "); len(c.args) != 4 || !strings.HasPrefix(c.args[1], filepath.Join(dir, "runs", "xml-")) || c.args[2] != "-n="+c.args[3] ||
		!strings.HasSuffix(c.args[1], "/*.xml.gz") || !strings.HasSuffix(got, ".txt") {
		t.Errorf("the command is %s", got)
	}
	bad := in.command("tool {bad}", "")
	if err := harness.Try(func() { bad.ensure(t.Context()) }); err == nil || !strings.HasSuffix(err.Error(), "exit status 1: why") {
		t.Errorf("a command that fails makes an input: %v", err)
	}
	_, err := os.Stat(bad.args[1])
	must.Fail(t, err, "", bad.args[1], "exists, but its command failed")
	for line, want := range map[string]string{
		"tool {poor}": "-dict is not given", "tool {-nothing}": "there is no flag -nothing", "tool {nothing}": "there is no input nothing",
	} {
		must.Fail(t, harness.Try(func() { in.command(line, "") }), want, line)
	}
}
