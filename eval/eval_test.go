package eval

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
)

func TestIDs(t *testing.T) {
	ids := NewIDs(map[ctxnorm.ConceptID][]ctxnorm.ConceptID{
		"C535306":      {"C535306", "236792", "600721"},
		"MESH:D003924": {"OMIM:125853"},
		"X:1":          nil,
		"Y:1":          nil,
	})
	for _, tc := range []struct {
		id, want ctxnorm.ConceptID
	}{
		{"C535306", "C535306"},
		{"MESH:C535306", "C535306"}, // a namespace that the set does not have
		{"OMIM:600721", "C535306"},
		{"D003924", "MESH:D003924"}, // none where the set has one
		{"125853", "MESH:D003924"},
		{"X:1", "X:1"},
		{"1", ""}, // two concepts share it
		{"D999999", ""},
	} {
		got, ok := ids.Concept(tc.id)
		if got != tc.want || ok != (tc.want != "") {
			t.Errorf("Concept(%q) = %q, %v, want %q", tc.id, got, ok, tc.want)
		}
	}
}

func TestPolicies(t *testing.T) {
	inSet := &Item{Gold: []ctxnorm.ConceptID{"A", "B"}}
	outside := &Item{}
	paper, all := Policies[0], Policies[1]
	for _, tc := range []struct {
		what   string
		policy Policy
		item   *Item
		answer []ctxnorm.ConceptID
		k      int
		counts bool
		right  bool
	}{
		{"any gold concept", paper, inSet, []ctxnorm.ConceptID{"B", "C"}, 1, true, true},
		{"second of one", paper, inSet, []ctxnorm.ConceptID{"C", "B"}, 1, true, false},
		{"second of two", paper, inSet, []ctxnorm.ConceptID{"C", "B"}, 2, true, true},
		{"no answer", paper, inSet, nil, 5, true, false},
		{"outside, left out", paper, outside, []ctxnorm.ConceptID{"C"}, 1, false, false},
		{"outside, answered", all, outside, []ctxnorm.ConceptID{"C"}, 1, true, false},
		{"outside, NIL", all, outside, nil, 1, true, true},
	} {
		if got := tc.policy.Counts(tc.item); got != tc.counts {
			t.Errorf("%s: counts = %v, want %v", tc.what, got, tc.counts)
		}
		if got := tc.policy.Right(tc.item, tc.answer, tc.k); got != tc.right {
			t.Errorf("%s: right = %v, want %v", tc.what, got, tc.right)
		}
	}
	if _, err := PolicyByName("strictest"); err == nil || !strings.Contains(err.Error(), "strictest") {
		t.Errorf("PolicyByName of an unknown name: %v", err)
	}
}

func TestShareInterval(t *testing.T) {
	var documents []tally
	for i := range 100 { // half of the documents all right, half all wrong
		documents = append(documents, tally{hits: 8 * (i % 2), total: 8})
	}
	s := share("Acc@1", documents, 1)
	if s.Numerator != 400 || s.Denominator != 800 || s.Value != .5 {
		t.Errorf("share = %+v, want 400/800", s)
	}
	// Documents are what varies: sqrt(.25/100) = .05, so .5 -+ 1.96*.05. Over
	// mentions it would be .5 -+ .035.
	if s.Low < .37 || s.Low > .43 || s.High < .57 || s.High > .63 {
		t.Errorf("interval %.3f to %.3f, want about .402 to .598", s.Low, s.High)
	}
	if again := share("Acc@1", documents, 1); again != s {
		t.Errorf("a second time %v, want %v", again, s)
	}
	if none := share("Acc@1", nil, 1); none != (Share{Name: "Acc@1"}) {
		t.Errorf("of no documents %+v", none)
	}
}

// ladder answers a query with the concepts in its text, in their order.
type ladder struct{}

func (ladder) Name() string { return "ladder" }

func (ladder) Link(_ context.Context, queries []ctxnorm.Query, k int) ([][]ctxnorm.Candidate, error) {
	results := make([][]ctxnorm.Candidate, len(queries))
	for i := range queries {
		for _, id := range strings.Fields(queries[i].Surface()) {
			results[i] = append(results[i], ctxnorm.Candidate{Concept: ctxnorm.ConceptID(id), Score: float64(-len(results[i]))})
		}
	}
	return results, nil
}

func TestRunAndReport(t *testing.T) {
	gold := filepath.Join(t.TempDir(), "gold.jsonl")
	rows := []string{
		`{"id":"1","text":"A B","mentions":[{"start":0,"end":3,"text":"A B","ids":["MESH:A"],"type":"Disease"}]}`,
		`{"id":"2","text":"B A","mentions":[{"start":0,"end":3,"text":"B A","ids":["A"],"type":"Disease"}]}`,
		`{"id":"3","text":"C C D","mentions":[{"start":0,"end":5,"text":"C C D","ids":["Z"],"type":"Disease"},{"start":0,"end":1,"text":"C","ids":["A"],"type":"Chemical"}]}`,
		`{"id":"1","text":"A B","mentions":[{"start":0,"end":3,"text":"A B","ids":["A"],"type":"Disease"}]}`,
	}
	if err := os.WriteFile(gold, []byte(strings.Join(rows, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	ids := NewIDs(map[ctxnorm.ConceptID][]ctxnorm.ConceptID{"A": nil, "B": nil})
	g, err := ReadGold([]string{gold}, []string{"Disease"}, ids)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Items) != 3 { // the chemical and the repeated document are not there
		t.Fatalf("%d items, want 3", len(g.Items))
	}
	for _, tc := range []struct {
		policy                 string
		acc1, acc5, mentionsIn int
	}{
		{"paper", 1, 2, 2}, // 1: A first; 2: A second; 3: Z is outside
		{"all", 1, 2, 3},   // 3 is answered, so wrong
	} {
		policy, err := PolicyByName(tc.policy)
		if err != nil {
			t.Fatal(err)
		}
		answers, err := Run(t.Context(), ladder{}, g.Items, policy, ids, nil)
		if err != nil {
			t.Fatal(err)
		}
		report := NewReport(g, answers, policy, 1)
		var got []string
		for _, s := range report.Shares {
			got = append(got, fmt.Sprintf("%s %d/%d", s.Name, s.Numerator, s.Denominator))
		}
		want := []string{
			fmt.Sprintf("Acc@1 %d/%d", tc.acc1, tc.mentionsIn),
			fmt.Sprintf("Acc@5 %d/%d", tc.acc5, tc.mentionsIn),
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.policy, diff)
		}
		var text strings.Builder
		if err := WriteText(&text, []*Report{report}); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("%d/%d", tc.acc1, tc.mentionsIn); !strings.Contains(text.String(), want) {
			t.Errorf("%s: table without %s:\n%s", tc.policy, want, text.String())
		}
	}
}
