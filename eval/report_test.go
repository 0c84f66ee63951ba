package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
	"ctxnorm/link"
)

var update = flag.Bool("update", false, "write the golden files of testdata anew")

// TestResult counts the table in helper_test.go by hand.
func TestResult(t *testing.T) {
	ids := smallIDs()
	gold := smallGold(t, ids)
	answers := smallAnswers(t, smallLinker(), gold.Items, ids)
	for _, tc := range []struct {
		policy   string
		ranks    string // of the items in turn; x where it does not count
		figures  []string
		failures []int // candidate missing, ranked low, NIL given, NIL wanted
	}{
		{"paper", "1 1 1 1 2 2 0 x 0 0", []string{
			"Acc@1 4/9", "Acc@5 6/9", "Acc@20 6/9",
			"MRR 5/9",      // 4 + 2/2
			"coverage 8/9", // all but anaemia
			"risk 4/8",     // 2 2 0 and 9's 0
		}, []int{2, 2, 1, 0}},
		{"biosyn", "1 1 2 1 2 2 0 0 0 0", []string{
			"Acc@1 3/10", "Acc@5 6/10", "Acc@20 6/10",
			"MRR 4.5/10", // 3 + 3/2
			"coverage 9/10", "risk 6/9",
		}, []int{3, 3, 1, 0}},
		{"strict", "1 1 2 1 2 2 0 0 0 0", []string{
			"Acc@1 3/10", "Acc@5 6/10", "Acc@20 6/10", "MRR 4.5/10", "coverage 9/10", "risk 6/9",
			// anaemia is left without an answer, and the mystery syndrome is not
			"NIL precision 0/1", "NIL recall 0/1", "NIL F1 0/2",
		}, []int{2, 3, 1, 1}},
		{"all", "1 1 1 1 2 2 0 0 0 0", []string{
			"Acc@1 4/10", "Acc@5 6/10", "Acc@20 6/10", "MRR 5/10", "coverage 9/10", "risk 5/9",
			"NIL precision 0/1", "NIL recall 0/1", "NIL F1 0/2",
		}, []int{2, 2, 1, 1}},
	} {
		policy := mustPolicy(t, tc.policy)
		ranks := ""
		for i := range answers {
			rank := "x"
			if policy.Counts(answers[i].Item) {
				rank = fmt.Sprint(policy.Rank(answers[i].Item, answers[i].Concepts))
			}
			ranks += " " + rank
		}
		if ranks != " "+tc.ranks {
			t.Errorf("%s: ranks%s, want %s", tc.policy, ranks, tc.ranks)
		}
		r := NewResult("by hand", answers, policy, nil, 1)
		var figures []string
		for _, f := range r.Figures {
			figures = append(figures, f.Name+" "+f.Fraction())
		}
		if diff := cmp.Diff(tc.figures, figures); diff != "" {
			t.Errorf("%s: figures (-want +got):\n%s", tc.policy, diff)
		}
		var failed []int
		for _, f := range r.Failures {
			failed = append(failed, f.Mentions)
		}
		if diff := cmp.Diff(tc.failures, failed); diff != "" {
			t.Errorf("%s: failures (-want +got):\n%s", tc.policy, diff)
		}
		if right, wrong := int(r.Figures[0].Numerator), sum(failed); right+wrong != r.Mentions {
			t.Errorf("%s: %d right and %d wrong, want %d together", tc.policy, right, wrong, r.Mentions)
		}
	}
}

func sum(values []int) int {
	total := 0
	for _, v := range values {
		total += v
	}
	return total
}

// TestSliceFigures: of the names 0, 1, 3 are right and AD comes second; of the
// other wordings only the composite is right.
func TestSliceFigures(t *testing.T) {
	ids := smallIDs()
	gold := smallGold(t, ids)
	kinds := Slices(NewKnown(smallDictionary(), ids))
	r := NewResult("by hand", smallAnswers(t, smallLinker(), gold.Items, ids), mustPolicy(t, "paper"), kinds, 1)
	got := make(map[string]string)
	for _, s := range r.Slices {
		got[s.Name] = s.Figures[0].Fraction() + " " + s.Figures[1].Fraction()
	}
	want := map[string]string{
		"seen wording": "3/5 5/5", "unseen wording": "1/4 1/4", "unseen concept": "0/2 0/2", "nameless concept": "0/1 0/1",
		"abbreviation": "0/2 2/2", "ambiguous": "0/2 2/2", "composite": "1/1 1/1", "outside": "0/0 0/0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func smallReport(t *testing.T) (r *Report, answers []Answer, known *Known, kinds []Slice) {
	t.Helper()
	ids := smallIDs()
	gold := smallGold(t, ids)
	dict := smallDictionary()
	known = NewKnown(dict, ids)
	kinds = Slices(known)
	answers = smallAnswers(t, smallLinker(), gold.Items, ids)
	exact := smallAnswers(t, link.NewExact(dict), gold.Items, ids)
	r = NewReport(gold, 1)
	r.Model, r.Dictionary = "my_model", dict.Hash()
	leak, err := FindLeak(gold.Items, known, documentsOf([]*ctxnorm.Document{{ID: "102", Text: "AD"}}, nil))
	if err != nil {
		t.Fatal(err)
	}
	r.Leak = leak
	for _, name := range []string{"paper", "strict"} {
		policy := mustPolicy(t, name)
		for _, one := range []struct {
			linker  string
			answers []Answer
		}{{"by hand", answers}, {"exact", exact}} {
			result := NewResult(one.linker, one.answers, policy, kinds, 1)
			result.Relations = Relations(one.answers, policy, known)
			r.Results = append(r.Results, result)
		}
		for _, kind := range append([]Slice{AllMentions()}, kinds...) {
			c, err := Compare(answers, exact, policy, kind, 1)
			if err != nil {
				t.Fatal(err)
			}
			c.A, c.B = "by hand", "exact"
			r.Comparisons = append(r.Comparisons, c)
		}
	}
	return r, answers, known, kinds
}

// TestGolden holds what is printed against the files of testdata.
func TestGolden(t *testing.T) {
	r, answers, known, kinds := smallReport(t)
	for _, tc := range []struct {
		file  string
		write func(io.Writer) error
	}{
		{"testdata/report.txt", func(w io.Writer) error { return WriteText(w, r) }},
		{"testdata/report.md", func(w io.Writer) error { return WriteMarkdown(w, r) }},
		{"testdata/errors.txt", func(w io.Writer) error { return WriteErrors(w, answers, mustPolicy(t, "strict"), known, kinds) }},
	} {
		var got bytes.Buffer
		if err := tc.write(&got); err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(tc.file, got.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(tc.file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s (-want +got); go test -update writes it anew:\n%s", tc.file, diff)
		}
		if err := tc.write(fullDisk{}); !errors.Is(err, errFull) {
			t.Errorf("%s on a full disk: %v", tc.file, err)
		}
	}
}

type fullDisk struct{}

var errFull = errors.New("the disk is full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestReportAsJSON(t *testing.T) {
	r, _, _, _ := smallReport(t)
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, &back); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
}

// TestMistakes has a mistake of one document after a more frequent one of two,
// and the same wording with another gold apart.
func TestMistakes(t *testing.T) {
	path := writeGold(t,
		`{"id":"1","text":"flu","mentions":[{"start":0,"end":3,"ids":["M3"]}]}`,
		`{"id":"2","text":"AD of AD, AD","mentions":[{"start":0,"end":2,"ids":["M1"]},{"start":6,"end":8,"ids":["M1"]},{"start":10,"end":12,"ids":["M2"]}]}`,
		`{"id":"3","text":"AD","mentions":[{"start":0,"end":2,"ids":["M1"]}]}`,
	)
	ids := smallIDs()
	gold, err := ReadGold([]string{path}, nil, ids)
	if err != nil {
		t.Fatal(err)
	}
	answers := smallAnswers(t, smallLinker(), gold.Items, ids)
	var pointers []*Answer
	for i := range answers {
		pointers = append(pointers, &answers[i])
	}
	var got []string
	for _, same := range mistakes(pointers) {
		got = append(got, where(same)+" "+same[0].Item.Query.Surface())
	}
	if diff := cmp.Diff([]string{"3 times: 2 (2), 3 AD", "1 flu", "2 AD"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMarkdownEscapes(t *testing.T) {
	if got, want := escapeMarkdown("a|b*c_d<e\nf"), `a\|b\*c\_d&lt;e f`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// deaf fails.
type deaf struct{}

func (deaf) Name() string { return "deaf" }

func (deaf) Link(context.Context, []ctxnorm.Query, int) ([][]ctxnorm.Candidate, error) {
	return nil, errFull
}

func TestRun(t *testing.T) {
	ids := smallIDs()
	gold := smallGold(t, ids)
	if _, err := Run(t.Context(), deaf{}, gold.Items, ids, nil); !errors.Is(err, errFull) {
		t.Errorf("error %v, want %v", err, errFull)
	}
	// More items than go into one call, and candidates beyond the depth.
	many := make([]Item, itemsPerCall+1)
	for i := range many {
		many[i] = gold.Items[i%10]
	}
	var calls []int
	answers, err := Run(t.Context(), smallLinker(), many, ids, func(done, total int) { calls = append(calls, done, total) })
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{itemsPerCall, itemsPerCall + 1, itemsPerCall + 1, itemsPerCall + 1}, calls); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
	for i := range answers {
		if answers[i].Item != &many[i] {
			t.Fatalf("answer %d is to another item", i)
		}
	}
	deep := newAnswer(&many[0], make([]ctxnorm.Candidate, Depth+5), ids)
	if len(deep.Candidates) != Depth || len(deep.Concepts) != 1 {
		t.Errorf("%d candidates, %d concepts; want %d and 1", len(deep.Candidates), len(deep.Concepts), Depth)
	}
}
