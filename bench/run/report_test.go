package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm/bench/measure"
)

func TestReport(t *testing.T) {
	no := false
	r := &report{
		Comparisons: []*result{{
			Name: "xml/lxml",
			Ours: sideResult{Name: "ours", Lines: []measure.Line{{"peak_mb": 20.}, {"peak_mb": 30.}}}, // median 25
			Peer: sideResult{Name: "lxml", Lines: []measure.Line{{"peak_mb": 1234.}}},
			Rows: []measured{{Name: "XML", Unit: "MB/s", Ours: measure.Spread{Median: 412.4}, Peer: measure.Spread{Median: 9.123},
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
	if !strings.Contains(r.markdown(), "| XML | lxml | 412 MB/s | 9.12 MB/s | 45.2 | 44.0–46.0 | 0.5000 | 25.0 MB | 1234 MB | 50 times | missed |\n") {
		t.Errorf("its row is not in\n%s", r.markdown())
	}
}

func TestHide(t *testing.T) {
	command := []string{"ours", "--dict", "work/names"}
	r := &result{Ours: (&side{command: command}).about(), Peer: (&side{command: command}).about()}
	r.hide(strings.NewReplacer("work/", ""))
	for _, side := range []sideResult{r.Ours, r.Peer} {
		if got := side.Command[2]; got != "names" {
			t.Errorf("shown as %q, want names", got)
		}
	}
	if command[2] != "work/names" {
		t.Errorf("the next round would run %q", command)
	}
}
