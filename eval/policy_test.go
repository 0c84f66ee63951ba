package eval

import (
	"testing"

	"ctxnorm"
)

// TestPolicies gives the rank of answers under every policy; -1 stands for a
// mention that does not count.
func TestPolicies(t *testing.T) {
	type ids = []ctxnorm.ConceptID
	composite := func(gold, outside ids) Item {
		return Item{Query: ctxnorm.Query{Mention: ctxnorm.Mention{Composite: true}}, Gold: gold, Outside: outside}
	}
	either := Item{Gold: ids{"A", "B"}}
	both := composite(ids{"A", "B"}, nil)
	three := composite(ids{"A", "B", "C"}, nil)
	partly := composite(ids{"A"}, ids{"X"})
	alone := composite(ids{"A"}, nil) // the other part has no identifier
	outside := Item{Outside: ids{"X"}}
	for _, tc := range []struct {
		what                       string
		item                       Item
		answer                     ids
		paper, biosyn, strict, all int
	}{
		{"any gold concept", either, ids{"B", "C"}, 1, 1, 1, 1},
		{"the second", either, ids{"C", "B"}, 2, 2, 2, 2},
		{"none", either, ids{"C", "D"}, 0, 0, 0, 0},
		{"no answer", either, nil, 0, 0, 0, 0},

		{"both parts in the first two", both, ids{"B", "A"}, 1, 1, 1, 1},
		{"one part", both, ids{"A", "C", "D"}, 1, 0, 0, 1},
		{"the other part third: within the first 2*2", both, ids{"A", "C", "B"}, 1, 2, 2, 1},
		{"fourth as well", both, ids{"A", "C", "D", "B"}, 1, 2, 2, 1},
		{"fifth: within the first 2*3", both, ids{"A", "C", "D", "E", "B"}, 1, 3, 3, 1},
		{"three parts in the first three", three, ids{"C", "A", "B"}, 1, 1, 1, 1},
		{"the third part fourth: within the first 3*2", three, ids{"C", "A", "D", "B"}, 1, 2, 2, 1},
		{"a part outside", partly, ids{"A", "X"}, 1, 0, 0, 1},
		{"one part named", alone, ids{"C", "A"}, 2, 2, 2, 2},

		{"outside, answered", outside, ids{"C"}, -1, 0, 0, 0},
		{"outside, NIL", outside, nil, -1, 0, 1, 1},
	} {
		for name, want := range map[string]int{"paper": tc.paper, "biosyn": tc.biosyn, "strict": tc.strict, "all": tc.all} {
			policy := mustPolicy(t, name)
			if counts := policy.Counts(&tc.item); counts != (want >= 0) {
				t.Errorf("%s, %s: counts = %v, want %v", name, tc.what, counts, want >= 0)
			}
			rank := policy.Rank(&tc.item, tc.answer)
			if rank != max(want, 0) {
				t.Errorf("%s, %s: rank %d, want %d", name, tc.what, rank, want)
			}
			for k := 1; k <= 4; k++ {
				if got, right := policy.Right(&tc.item, tc.answer, k), 0 < rank && rank <= k; got != right {
					t.Errorf("%s, %s: right at %d = %v, want %v", name, tc.what, k, got, right)
				}
			}
		}
	}
}

func TestPolicyByName(t *testing.T) {
	_, err := PolicyByName("strictest")
	if err == nil || err.Error() != `policy is "strictest", want one of paper, biosyn, strict, all` {
		t.Errorf("error %v", err)
	}
	for _, p := range Policies {
		if got, err := PolicyByName(p.Name); got != p || err != nil {
			t.Errorf("%s: %v, %v", p.Name, got, err)
		}
	}
}
