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

func TestInputIsMadeOnce(t *testing.T) {
	quiet := func(string, ...any) {}
	dir := t.TempDir()
	s := &Settings{Work: dir}
	counter := filepath.Join(dir, "made")
	script := func(result string) func(string) []string {
		return func(out string) []string {
			return []string{"/bin/sh", "-c", `echo x >> "$1"; mkdir "$0"; ` + result, out, counter}
		}
	}
	in := s.NewInput("set", "", nil, script("true"))
	for range 2 {
		if err := in.Ensure(t.Context(), quiet); err != nil {
			t.Fatal(err)
		}
	}
	if made, err := os.ReadFile(counter); err != nil || string(made) != "x\n" {
		t.Errorf("it was made %q (%v), want once", made, err)
	}
	bad := s.NewInput("set", "", nil, script("false"))
	if bad.Path == in.Path {
		t.Errorf("two commands have one path, %s", in.Path)
	}
	if err := bad.Ensure(t.Context(), quiet); err == nil {
		t.Error("a command that failed made an input")
	}
	if _, err := os.Stat(bad.Path); err == nil {
		t.Errorf("%s exists, but its command failed", bad.Path)
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
	s, err := parse("-work", "work")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.Redact().Replace("x work/runs/a data/dict/b home/.cache/c d"), "x runs/a $CTXNORM_DATA/dict/b ~/.cache/c d"; got != want {
		t.Errorf("shown as %q, want %q", got, want)
	}
}
