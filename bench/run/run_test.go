package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

// printing returns a side that prints the lines. %d in them is the round, from 1.
func printing(t *testing.T, name string, lines ...string) side {
	t.Helper()
	count := filepath.Join(t.TempDir(), "round")
	script := fmt.Sprintf(`n=$(( $(cat %[1]s 2>/dev/null || echo 0) + 1 )); echo $n > %[1]s; printf '%[2]s\n' `, count, strings.Join(lines, `\n`))
	script += strings.Repeat("$n ", strings.Count(strings.Join(lines, ""), "%d"))
	return shell(name, script)
}

func TestComparison(t *testing.T) {
	c := comparison{
		subject: printing(t, "ours", `{"rate": 1%d, "seconds": 2, "docs": 7, "mentions": 104}`), // 11, 12, 13
		peer:    printing(t, "them", `{"rate": 2, "seconds": %d, "docs": 7, "mentions": 100}`),
		counts:  append(exactly("docs"), count{field: "mentions", tolerance: .05}),
		rows: []row{
			{name: "rate", field: "rate", unit: "/s", target: target{times, 6}},
			{name: "time", field: "seconds", lowerIsBetter: true, target: target{times, 1.1}},
			{name: "bound", field: "rate", target: target{atMost, 12}},
		},
	}
	r := c.run(t.Context(), 3, strings.NewReplacer())
	if r.Failed != "" || len(r.Differences) > 0 {
		t.Fatalf("failed %q, differences %q", r.Failed, r.Differences)
	}
	yes, no := true, false
	want := []measured{
		// 11/2, 12/2, 13/2
		{Name: "rate", Field: "rate", Unit: "/s", Subject: spread(12, 11, 13), Peer: spread(2, 2, 2),
			Ratio: new(spread(6, 5.5, 6.5)), Target: "6 times", Met: &yes},
		// 1/2, 2/2, 3/2
		{Name: "time", Field: "seconds", Subject: spread(2, 2, 2), Peer: spread(2, 1, 3),
			Ratio: new(spread(1, .5, 1.5)), Target: "1.1 times", Met: &no},
		{Name: "bound", Field: "rate", Subject: spread(12, 11, 13), Peer: spread(2, 2, 2), Target: "at most 12", Met: &yes},
	}
	if diff := cmp.Diff(want, r.Rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	for _, l := range r.Subject.Lines {
		if peak, ok := l["peak_mb"].(float64); !ok || peak <= 0 {
			t.Errorf("peak memory of a shell is %v", l["peak_mb"])
		}
	}
}

func TestCountsDiffer(t *testing.T) {
	c := comparison{
		subject: printing(t, "ours", `{"docs": 7, "mentions": 106, "files": 1}`),
		peer:    printing(t, "them", `{"docs": 8, "mentions": 100}`),
		counts:  append(exactly("docs", "files"), count{field: "mentions", tolerance: .05}),
	}
	want := []string{
		"docs: 7 and the peer's 8, want them equal",
		"files: not counted by both sides",
		"mentions: 106 and the peer's 100, want them within 5 %",
	}
	r := c.run(t.Context(), 2, strings.NewReplacer()) // told once, not once a round
	if diff := cmp.Diff(want, r.Differences); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
	if code := (&report{Comparisons: []*result{r}}).exitCode(); code != exitMissed {
		t.Errorf("exit code %d, want %d", code, exitMissed)
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

// TestEveryComparison checks that names are distinct, that comparisons have rows and
// counts, and that a skipped one says what it needs.
func TestEveryComparison(t *testing.T) {
	s, err := parseSettings([]string{"-quick", "-model", "", "-dict", "names.tsv", "-steps", "5"})
	if err != nil {
		t.Fatal(err)
	}
	if s.Steps != 5 || s.Docs != 1500 {
		t.Errorf("%d steps and %d docs, want 5, which were given, and a quick run's 1500", s.Steps, s.Docs)
	}
	names := map[string]bool{}
	for _, c := range s.comparisons() {
		if names[c.name] {
			t.Errorf("two comparisons are called %s", c.name)
		}
		names[c.name] = true
		if len(c.rows) == 0 || len(c.counts) == 0 {
			t.Errorf("%s: %d rows, %d counts that must be equal", c.name, len(c.rows), len(c.counts))
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

func TestReport(t *testing.T) {
	no := false
	r := &report{
		Comparisons: []*result{{
			Name:    "xml/lxml",
			Subject: sideResult{Name: "ours", Lines: []harness.Line{{"peak_mb": 20.}, {"peak_mb": 30.}}}, // median 25
			Peer:    sideResult{Name: "lxml", Lines: []harness.Line{{"peak_mb": 1234.}}},
			Rows: []measured{{Name: "XML", Unit: "MB/s", Subject: harness.Spread{Median: 412.4}, Peer: harness.Spread{Median: 9.123},
				Ratio: new(spread(45.2, 44, 46.04)), CPURatio: .5, Target: "50 times", Met: &no}},
			Differences: []string{"records: 1 and the peer's 2, want them equal"},
		}},
		Skipped: []skipped{{"knn/flat", "there is no faiss"}},
	}
	var b strings.Builder
	r.print(&b)
	want := `measured  peer  ours      peer's     ratio  min–max    by CPU  memory   peer's memory  target
XML       lxml  412 MB/s  9.12 MB/s  45.2   44.0–46.0  0.5000  25.0 MB  1234 MB        50 times  missed
xml/lxml: not the same work: records: 1 and the peer's 2, want them equal
knn/flat: skipped: there is no faiss
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
	if !strings.Contains(r.markdown(""), "| XML | lxml | 412 MB/s | 9.12 MB/s | 45.2 | 44.0–46.0 | 0.5000 | 25.0 MB | 1234 MB | 50 times | missed |\n") {
		t.Errorf("its row is not in\n%s", r.markdown(""))
	}
}

// spread returns a median with its extremes.
func spread(median, least, most float64) harness.Spread {
	return harness.Spread{Median: median, Min: least, Max: most}
}

// TestRatios shows why rounds are compared one by one: the machine was half as fast in
// the last two, which would tell against the subject in a ratio of medians.
func TestRatios(t *testing.T) {
	subject := []float64{40, 40, 40, 20, 20} // median 40
	peer := []float64{10, 10, 5, 5, 5}       // median 5; 40/5 = 8
	want := spread(4, 4, 8)                  // 4 4 8 4 4
	if diff := cmp.Diff(want, ratios(subject, peer, false)); diff != "" {
		t.Errorf("rates (-want +got):\n%s", diff)
	}
	want = spread(.25, .125, .25) // the same as times
	if diff := cmp.Diff(want, ratios(subject, peer, true)); diff != "" {
		t.Errorf("times (-want +got):\n%s", diff)
	}
}

func shell(name, script string) side {
	return side{name, harness.Process{Args: []string{"/bin/sh", "-c", script}, Threads: 1, Read: harness.FirstLine}}
}
