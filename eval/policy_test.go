package eval

import (
	"fmt"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// TestPolicies checks the rank of predictions under every policy. -1 stands for a mention that the policy does not
// evaluate.
func TestPolicies(t *testing.T) {
	type ids = []kb.ConceptID
	composite := func(gold, outside ids) GoldMention {
		return GoldMention{Query: text.Query{Mention: text.Mention{Composite: true}}, Gold: gold, Outside: outside}
	}
	either := GoldMention{Gold: ids{"A", "B"}}
	both := composite(ids{"A", "B"}, nil)
	three := composite(ids{"A", "B", "C"}, nil)
	partly := composite(ids{"A"}, ids{"X"})
	alone := composite(ids{"A"}, nil) // the other concept has no identifier
	outside := GoldMention{Outside: ids{"X"}}
	for _, tc := range []struct {
		name                       string
		mention                    GoldMention
		predicted                  ids
		paper, biosyn, strict, all int
	}{
		{"any gold concept", either, ids{"B", "C"}, 1, 1, 1, 1},
		{"the second candidate", either, ids{"C", "B"}, 2, 2, 2, 2},
		{"no gold concept", either, ids{"C", "D"}, 0, 0, 0, 0},
		{"NIL", either, nil, 0, 0, 0, 0},

		{"both concepts in the first two", both, ids{"B", "A"}, 1, 1, 1, 1},
		{"one of two concepts", both, ids{"A", "C", "D"}, 1, 0, 0, 1},
		{"the other concept third: within the first 2*2", both, ids{"A", "C", "B"}, 1, 2, 2, 1},
		{"fourth: within the first 2*2", both, ids{"A", "C", "D", "B"}, 1, 2, 2, 1},
		{"fifth: within the first 2*3", both, ids{"A", "C", "D", "E", "B"}, 1, 3, 3, 1},
		{"three concepts in the first three", three, ids{"C", "A", "B"}, 1, 1, 1, 1},
		{"the third concept fourth: within the first 3*2", three, ids{"C", "A", "D", "B"}, 1, 2, 2, 1},
		{"a concept outside the set", partly, ids{"A", "X"}, 1, -1, 0, 1},
		{"one concept annotated", alone, ids{"C", "A"}, 2, 2, 2, 2},

		{"outside the set, a candidate", outside, ids{"C"}, -1, -1, 0, 0},
		{"outside the set, NIL", outside, nil, -1, -1, 1, 1},
	} {
		for policyName, want := range map[string]int{"paper": tc.paper, "biosyn": tc.biosyn, "strict": tc.strict, "all": tc.all} {
			policy := mustPolicy(t, policyName)
			must.Equal(t, policy.evaluates(&tc.mention), want >= 0, policyName, tc.name, "evaluated")
			prediction := Prediction{Mention: &tc.mention}
			for i, concept := range tc.predicted {
				prediction.Ranked = append(prediction.Ranked, Candidate{Concept: concept, Score: -float64(i)})
			}
			rank := policy.rank(&prediction)
			if want >= 0 && rank != want {
				t.Errorf("%s, %s: rank %d, want %d", policyName, tc.name, rank, want)
			}
		}
	}
}

// TestTies: candidates with the same score share a rank if the policy says so.
func TestTies(t *testing.T) {
	type ids = []kb.ConceptID
	one := GoldMention{Gold: ids{"C"}}
	both := GoldMention{Query: text.Query{Mention: text.Mention{Composite: true}}, Gold: ids{"C", "E"}}
	for _, tc := range []struct {
		name                  string
		mention               GoldMention
		scores                []float64 // of A to E
		biosyn, strict, paper int
	}{
		{"one name", one, []float64{5, 5, 5, 2, 1}, 1, 3, 3},
		{"the second name", one, []float64{5, 4, 4, 2, 1}, 2, 3, 3},
		{"the third name", one, []float64{5, 4, 3, 3, 3}, 3, 3, 3},
		{"five names", one, []float64{5, 4, 3, 2, 1}, 3, 3, 3},
		{"two names, of which one has three concepts", both, []float64{5, 5, 5, 2, 2}, 1, 3, 3},
		{"the third name of a composite mention: within the first 2*2", both, []float64{5, 5, 4, 4, 2}, 2, 3, 3},
	} {
		prediction := Prediction{Mention: &tc.mention}
		for i, concept := range (ids{"A", "B", "C", "D", "E"}) {
			prediction.Ranked = append(prediction.Ranked, Candidate{Concept: concept, Score: tc.scores[i]})
		}
		for policy, want := range map[string]int{"biosyn": tc.biosyn, "strict": tc.strict, "paper": tc.paper} {
			must.Equal(t, mustPolicy(t, policy).rank(&prediction), want, policy, tc.name, "rank")
		}
	}
}

func TestPolicyByName(t *testing.T) {
	_, err := PolicyByName("strictest")
	must.Equal(t, fmt.Sprint(err), `policy is "strictest", want one of paper, biosyn, strict, all`)
	for _, p := range policies {
		if got, err := PolicyByName(p.Name); got != p || err != nil {
			t.Errorf("%s: %v, %v", p.Name, got, err)
		}
	}
}
