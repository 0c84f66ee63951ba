package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm/bench/measure"
)

// printing is a side that prints its lines; %d among them is the round, from 1.
func printing(t *testing.T, name string, lines ...string) side {
	t.Helper()
	count := filepath.Join(t.TempDir(), "round")
	script := fmt.Sprintf(`n=$(( $(cat %[1]s 2>/dev/null || echo 0) + 1 )); echo $n > %[1]s; printf '%[2]s\n' `, count, strings.Join(lines, `\n`))
	script += strings.Repeat("$n ", strings.Count(strings.Join(lines, ""), "%d"))
	return side{name: name, command: []string{"/bin/sh", "-c", script}, threads: 1}
}

func TestComparison(t *testing.T) {
	c := comparison{
		ours:  printing(t, "ours", `{"rate": 1%d, "seconds": 2, "docs": 7, "mentions": 104}`), // 11, 12, 13
		peer:  printing(t, "them", `{"rate": 2, "seconds": %d, "docs": 7, "mentions": 100}`),
		equal: []string{"docs"},
		near:  []nearness{{field: "mentions", share: .05}},
		rows: []row{
			{name: "rate", field: "rate", unit: "/s", target: target{ratio: 6}},
			{name: "time", field: "seconds", lowerIsBetter: true, target: target{ratio: 1.1}},
			{name: "bound", field: "rate", target: target{atMost: 12}},
		},
	}
	r := c.run(t.Context(), 3)
	if r.Failed != "" || len(r.Differences) > 0 {
		t.Fatalf("failed %q, differences %q", r.Failed, r.Differences)
	}
	yes, no := true, false
	want := []measured{
		// 11/2, 12/2, 13/2
		{Name: "rate", Field: "rate", Unit: "/s", Ours: spread(12, 11, 13), Peer: spread(2, 2, 2),
			Ratio: new(spread(6, 5.5, 6.5)), Target: "6 times", Met: &yes},
		// 1/2, 2/2, 3/2
		{Name: "time", Field: "seconds", Ours: spread(2, 2, 2), Peer: spread(2, 1, 3),
			Ratio: new(spread(1, .5, 1.5)), Target: "1.1 times", Met: &no},
		{Name: "bound", Field: "rate", Ours: spread(12, 11, 13), Peer: spread(2, 2, 2), Target: "at most 12", Met: &yes},
	}
	if diff := cmp.Diff(want, r.Rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	for _, l := range r.Ours.Lines {
		if peak, err := l.Number("peak_mb"); err != nil || peak <= 0 {
			t.Errorf("peak memory of a shell is %v (%v)", peak, err)
		}
	}
}

func TestCountsDiffer(t *testing.T) {
	c := comparison{
		ours:  printing(t, "ours", `{"docs": 7, "mentions": 106, "files": 1}`),
		peer:  printing(t, "them", `{"docs": 8, "mentions": 100}`),
		equal: []string{"docs", "files"},
		near:  []nearness{{field: "mentions", share: .05}},
	}
	want := []string{
		"docs: 7 and the peer's 8, want them equal",
		"files: not counted by both sides",
		"mentions: 106 and the peer's 100, want them within 5 %",
	}
	r := c.run(t.Context(), 2) // told once, not once a round
	if diff := cmp.Diff(want, r.Differences); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
	if code := (&report{Comparisons: []*result{r}}).exitCode(); code != exitMissed {
		t.Errorf("exit code %d, want %d", code, exitMissed)
	}
}

func TestComparisonFails(t *testing.T) {
	good := printing(t, "them", `{"n": 1}`)
	rows := []row{{name: "n", field: "n"}}
	for _, c := range []struct {
		name string
		ours side
		want string
	}{
		{"exit", side{name: "ours", command: []string{"/bin/sh", "-c", "echo more >&2; echo no such model >&2; exit 3"}}, `^ours: .*exit status 3: no such model$`},
		{"silent", side{name: "ours", command: []string{"/bin/true"}}, `^ours: /bin/true: it printed nothing$`},
		{"no JSON", side{name: "ours", command: []string{"/bin/echo", "hello"}}, `^ours: .*not lines of JSON`},
		{"no field", printing(t, "ours", `{"m": 1}`), `^n: ours: its line has no n$`},
		{"no number", printing(t, "ours", `{"n": "one"}`), `^n: ours: n of its line is one, want a number$`},
		{"nothing measured", printing(t, "ours", `{"n": 0}`), `^n: n is 0 and the peer's 1: too little work to measure$`},
		{"no program", side{name: "ours", command: []string{"/does/not/exist"}}, `^ours: /does/not/exist: .*no such file`},
	} {
		r := (&comparison{ours: c.ours, peer: good, rows: rows}).run(t.Context(), 1)
		if !regexp.MustCompile(c.want).MatchString(r.Failed) {
			t.Errorf("%s: failed %q, want %q", c.name, r.Failed, c.want)
		}
		if code := (&report{Comparisons: []*result{r}}).exitCode(); code != exitFailed {
			t.Errorf("%s: exit code %d, want %d", c.name, code, exitFailed)
		}
	}
}

func TestFirstReaching(t *testing.T) {
	lines, err := measure.ParseLines([]byte(`{"ef": 50, "recall": 0.9}
		{"ef": 100, "recall": 0.995}
		{"ef": 200, "recall": 0.999}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ floor, want float64 }{{.5, 50}, {.995, 100}, {.996, 200}, {1, 200}} {
		if got := firstReaching(lines, "recall", c.floor)["ef"]; got != c.want {
			t.Errorf("recall %g: ef %v, want %g", c.floor, got, c.want)
		}
	}
}

// TestEveryComparison builds the list: names are distinct, every row is of a field,
// and what is skipped says what is needed.
func TestEveryComparison(t *testing.T) {
	s, err := parseSettings([]string{"-quick", "-model", "", "-dict", "names.tsv", "-steps", "5"})
	if err != nil {
		t.Fatal(err)
	}
	if s.steps != 5 || s.docs != 1500 {
		t.Errorf("%d steps and %d docs, want 5, which were given, and a quick run's 1500", s.steps, s.docs)
	}
	names := map[string]bool{}
	for _, c := range s.comparisons() {
		if names[c.name] {
			t.Errorf("two comparisons are called %s", c.name)
		}
		names[c.name] = true
		if len(c.rows) == 0 || len(c.equal) == 0 {
			t.Errorf("%s: %d rows, %d counts that must be equal", c.name, len(c.rows), len(c.equal))
		}
		if len(c.needs) > 0 && c.missing(s, map[string]bool{}) == "" {
			t.Errorf("%s is not skipped where no module is installed", c.name)
		}
		if c.needsModel && !strings.Contains(c.missing(s, all(c.needs)), "base model") {
			t.Errorf("%s: without a model it says %q", c.name, c.missing(s, all(c.needs)))
		}
	}
}

func all(modules []string) map[string]bool {
	installed := map[string]bool{}
	for _, module := range modules {
		installed[module] = true
	}
	return installed
}
