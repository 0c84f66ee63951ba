package eval

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/papers"
	"github.com/ctxnorm/ctxnorm/text"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata")

// TestResult compares with numbers counted by hand in the table of helper_test.go.
func TestResult(t *testing.T) {
	set := smallSet()
	gold := smallGold(t, set)
	predictions := smallPredictions(t, smallLinker(), gold.Mentions, set)
	for _, tc := range []struct {
		policy   string
		ranks    string // of the mentions in turn; x if it is not evaluated
		metrics  []string
		failures []int // candidate missing, ranked low, NIL given, NIL wanted
	}{
		{"paper", "1 1 1 1 2 2 0 x 0 0", []string{
			"Acc@1 4/9", "Acc@5 6/9", "Acc@20 6/9",
			"MRR 5/9",      // 4 + 2/2
			"coverage 8/9", // all but anaemia
			"risk 4/8",     // ranks 2 2 0, and 0 of mention 9
		}, []int{2, 2, 1, 0}},
		{"biosyn", "1 1 2 1 2 2 0 x 0 0", []string{
			"Acc@1 3/9", "Acc@5 6/9", "Acc@20 6/9",
			"MRR 4.5/9", // 3 + 3/2
			"coverage 8/9", "risk 5/8",
		}, []int{2, 3, 1, 0}},
		{"strict", "1 1 2 1 2 2 0 0 0 0", []string{
			"Acc@1 3/10", "Acc@5 6/10", "Acc@20 6/10", "MRR 4.5/10", "coverage 9/10", "risk 6/9",
			// NIL is predicted for anaemia, but not for the mystery syndrome
			"NIL precision 0/1", "NIL recall 0/1", "NIL F1 0/2",
		}, []int{2, 3, 1, 1}},
		{"all", "1 1 1 1 2 2 0 0 0 0", []string{
			"Acc@1 4/10", "Acc@5 6/10", "Acc@20 6/10", "MRR 5/10", "coverage 9/10", "risk 5/9",
			"NIL precision 0/1", "NIL recall 0/1", "NIL F1 0/2",
		}, []int{2, 2, 1, 1}},
	} {
		policy := mustPolicy(t, tc.policy)
		ranks := ""
		for i := range predictions {
			rank := "x"
			if policy.evaluates(predictions[i].Mention) {
				rank = fmt.Sprint(policy.rank(&predictions[i]))
			}
			ranks += " " + rank
		}
		must.Equal(t, ranks, " "+tc.ranks, tc.policy, "ranks")
		r := NewResult("by hand", predictions, policy, nil, 1)
		var metrics []string
		for _, m := range r.Metrics {
			metrics = append(metrics, m.Name+" "+m.Fraction())
		}
		must.Equal(t, metrics, tc.metrics, tc.policy, "metrics")
		var failed []int
		for _, f := range r.Failures {
			failed = append(failed, f.Mentions)
		}
		must.Equal(t, failed, tc.failures, tc.policy, "failures")
		if correct, wrong := int(r.Metrics[0].Numerator), sum(failed); correct+wrong != r.Mentions {
			t.Errorf("%s: %d correct and %d wrong, want %d together", tc.policy, correct, wrong, r.Mentions)
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

// smallReport returns the report on the table of helper_test.go and on exact linking.
func smallReport(t *testing.T) *Report {
	t.Helper()
	set := smallSet()
	gold := smallGold(t, set)
	dict := smallDictionary()
	view := NewDictionaryView(dict, set)
	byHand := smallPredictions(t, smallLinker(), gold.Mentions, set)
	exact := smallPredictions(t, papers.NewExactLinker(model.NewDictionaryIndexes(dict)), gold.Mentions, set)
	r := NewReport(gold, 1)
	r.Model, r.Dictionary = "my_model", dict.Hash()
	r.Contamination = must.Get(FindContamination(gold.Mentions, view, sequenceOf([]*text.Document{{ID: "102", Text: "AD"}}, nil)))
	for _, name := range []string{"paper", "strict"} {
		policy := mustPolicy(t, name)
		for _, linker := range []struct {
			name        string
			predictions []Prediction
		}{{"by hand", byHand}, {"exact", exact}} {
			result := NewResult(linker.name, linker.predictions, policy, Slices(view), 1)
			result.Relations = Relations(linker.predictions, policy, view)
			r.Results = append(r.Results, result)
		}
		for _, slice := range append([]Slice{AllMentions()}, Slices(view)...) {
			c := must.Get(Compare(byHand, exact, policy, slice, 1))
			c.A, c.B = "by hand", "exact"
			r.Comparisons = append(r.Comparisons, c)
		}
	}
	return r
}

// TestReportJSON compares the JSON of a report with testdata/report.json, which other tests print.
func TestReportJSON(t *testing.T) {
	r := smallReport(t)
	got := must.Get(json.MarshalIndent(r, "", " "))
	checkGolden(t, "testdata/report.json", func(w io.Writer) error {
		_, err := w.Write(append(got, '\n'))
		return err
	})
	var read Report
	must.Succeed(t, json.Unmarshal(got, &read))
	must.Equal(t, &read, r, "written and read")
}

// TestGroupsRight: with the linker of helper_test.go, "Breast cancer" is right and "sideropenia" wrong; a NIL answer is
// right if the gold has no concept.
func TestGroupsRight(t *testing.T) {
	document := func(id, group, text, ids string) string {
		return fmt.Sprintf(`{"id":%q,"group":%q,"text":%q,"mentions":[{"start":0,"end":%d,"ids":[%s]}]}`, id, group, text, len(text), ids)
	}
	set := smallSet()
	gold := readGold(t, set, nil, writeGold(t,
		document("1", "a", "Breast cancer", `"M1"`), document("2", "b", "Breast cancer", `"M1"`), document("3", "c", "sideropenia", `"M4"`),
		document("4", "a", "the cold", ""), document("5", "b", "sideropenia", `"M4"`), document("6", "", "sideropenia", `"M4"`),
	))
	right := func(mentions []GoldMention) Metric {
		predictions := smallPredictions(t, smallLinker(), mentions, set)
		return MetricNamed(NewResult("by hand", predictions, mustPolicy(t, "strict"), nil, 1).Metrics, "groups right")
	}
	must.Equal(t, right(gold.Mentions).Fraction(), "1/3", "groups right")
	must.Equal(t, right(smallGold(t, set).Mentions), Metric{}, "groups right of gold without groups")
}
