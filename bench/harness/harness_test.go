package harness

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestProcess(t *testing.T) {
	fresh := filepath.Join(t.TempDir(), "old")
	if err := os.MkdirAll(filepath.Join(fresh, "inside"), 0o755); err != nil {
		t.Fatal(err)
	}
	script := `[ ! -e "$0" ] && echo "{\"threads\": $((GOMAXPROCS+OMP_NUM_THREADS))}" && sleep .05`
	p := Process{Args: []string{"/bin/sh", "-c", script, fresh}, Threads: 3, Fresh: fresh, Read: FirstLine}
	l, err := p.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if l["threads"] != 6. || l["wall_seconds"].(float64) < .05 || l["process_cpu_seconds"].(float64) < 0 || l["peak_mb"].(float64) <= 0 {
		t.Errorf("the line is %v, want 3 and 3 threads and .05 s or more", l)
	}
	p = Process{Args: []string{"/bin/sh", "-c", "echo more >&2; echo why >&2; echo sh: hint: ask >&2; exit 3"}, Threads: 1}
	if _, err = p.Run(t.Context()); err == nil || !strings.HasSuffix(err.Error(), "exit status 3: why") {
		t.Errorf("the error is %v, want the last line of standard error that is no hint", err)
	}
	p = Process{Args: slices.Concat([]string{"tool"}, slices.Repeat([]string{"f"}, 30)), Threads: 2}
	if got, want := p.String(), "GOMAXPROCS=2 OMP_NUM_THREADS=2 tool"+strings.Repeat(" f", 23)+" … (7 more)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestInputs makes an input and what it needs once, and nothing of a command that fails or lacks a flag.
func TestInputs(t *testing.T) {
	dir := t.TempDir()
	script := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\necho x >>"+dir+"/$1.made; "+text+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		return path
	}
	in := &Inputs{Settings: &Settings{Work: dir}, Max: 2, Defined: []Definition{
		{Name: "good", Suffix: ".txt", Make: script("good.sh", `echo "$2" >"$3"`) + " good{n} {n} {out}", Kept: true},
		{Name: "xml", Make: script("xml.sh", `mkdir "$2"; cat "$3"`) + " xml {out} {good@max}", Files: "2"},
		{Name: "bad", Make: script("bad.sh", `mkdir "$2"; echo why >&2; false`) + " bad {out}"},
		{Name: "poor", Make: "make {-dict}"},
	}}
	in.Settings.values = map[string]string{"dict": ""}
	c, err := in.Command("tool {xml} -n={n} {good@1-n}", "", 3)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := c.Ensure(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"good1", "good2", "good3", "xml"} {
		if made, err := os.ReadFile(filepath.Join(dir, name+".made")); err != nil || string(made) != "x\n" {
			t.Errorf("%s was made %q (%v), want once", name, made, err)
		}
	}
	if got := strings.Join(c.Args, " "); len(c.Args) != 7 || !strings.HasPrefix(c.Args[1], filepath.Join(dir, "runs", "xml-")) || c.Args[3] != "-n=3" ||
		!strings.Contains(got, "pubmed00n0001.xml.gz ") || !strings.HasSuffix(got, ".txt") {
		t.Errorf("the command is %s", got)
	}
	bad, err := in.Command("tool {bad}", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := bad.Ensure(t.Context()); err == nil || !strings.HasSuffix(err.Error(), "exit status 1: why") {
		t.Errorf("a command that fails makes an input: %v", err)
	}
	if _, err := os.Stat(bad.Args[1]); err == nil {
		t.Errorf("%s exists, but its command failed", bad.Args[1])
	}
	for line, want := range map[string]string{
		"tool {poor}": lacking["dict"], "tool {-nothing}": "there is no flag -nothing", "tool {nothing}": "there is no input nothing", "tool {good@x}": "invalid syntax",
	} {
		if _, err := in.Command(line, "", 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", line, err, want)
		}
	}
}

func TestMemoryMB(t *testing.T) {
	resident, err := MemoryMB(os.Getpid(), "VmRSS")
	if _, unknown := MemoryMB(os.Getpid(), "VmNone"); err != nil || resident <= 0 || unknown == nil {
		t.Errorf("%g MiB, %v, and of a field that there is not: %v", resident, err, unknown)
	}
}

func TestSpreadOf(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float64
		want   Spread
	}{
		{"one", []float64{7}, Spread{7, 7, 7}},
		{"odd: 1 2 5 8 9", []float64{9, 1, 5, 2, 8}, Spread{5, 1, 9}},
		{"even: 1 2 4 9, (2+4)/2", []float64{4, 9, 1, 2}, Spread{3, 1, 9}},
		{"ties: 2 2 2 6, (2+2)/2", []float64{2, 6, 2, 2}, Spread{2, 2, 6}},
	} {
		values := slices.Clone(c.values)
		if diff := cmp.Diff(c.want, SpreadOf(values)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if diff := cmp.Diff(c.values, values); diff != "" {
			t.Errorf("%s: the values were changed (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestFormat(t *testing.T) {
	for want, x := range map[string]float64{"0 s": 0, "0.1235 s": .12345, "1.23 s": 1.234, "12.3 s": 12.34, "1235 s": 1234.6} {
		if got := Format(x, "s"); got != want {
			t.Errorf("%g is %q, want %q", x, got, want)
		}
	}
	want := "| a | b | c |\n| --- | --- | ---: |\n| x | y | 1 |\n"
	if got := Table([]string{"a", "b", "c"}, 2, [][]string{{"x", "y", "1"}}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestSettings(t *testing.T) {
	t.Setenv("HOME", "home")
	t.Setenv("CTXNORM_DATA", "data")
	type options struct {
		Settings
		Docs  int `flag:"docs" default:"400" quick:"4" usage:"documents"`
		Files int `flag:"files" default:"8" quick:"2" usage:"files"`
	}
	parse := func(args ...string) (*options, error) {
		o := &options{}
		return o, o.Parse(o, "test", "d.tsv", args)
	}
	for want, args := range map[string][]string{
		"1 thread, text of CTXNORM_DATA, dictionary d.tsv; docs 400, files 5": {"-files", "5"},
		"2 threads, text of CTXNORM_DATA, dictionary n.tsv; docs 4, files 5":  {"-files", "5", "-quick", "-threads", "2", "-dict", "n.tsv"},
	} {
		if s, err := parse(args...); err != nil || s.String() != want {
			t.Errorf("%v: %s (%v), want %s", args, s, err, want)
		}
	}
	for want, args := range map[string][]string{
		"-docs is 0":               {"-docs", "0"},
		"-only: error parsing":     {"-only", "("},
		"-pubmed: no file matches": {"-pubmed", "/does/not/exist/*"},
		"-threads is -1":           {"-threads", "-1"},
		`"more" is not a flag`:     {"more"},
		"flag provided but not de": {"-nothing"},
	} {
		if _, err := parse(args...); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: error %v, want %s…", args, err, want)
		}
	}
	var needs struct {
		Dict string `flag:"dict" required:"tag link"`
	}
	if _, err := ParseFlags(&needs, "link", nil); err == nil || err.Error() != "-dict is not given" {
		t.Errorf("error %v, want one that a flag is missing", err)
	}
	if more, err := ParseFlags(&needs, "show", []string{"a"}); err != nil || len(more) != 1 {
		t.Errorf("%q, %v, want one argument", more, err)
	}
	s, err := parse("-work", "work")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.Redact().Replace("x work/runs/a data/dict/b home/.cache/c d"), "x runs/a $CTXNORM_DATA/dict/b ~/.cache/c d"; got != want {
		t.Errorf("shown as %q, want %q", got, want)
	}
}
