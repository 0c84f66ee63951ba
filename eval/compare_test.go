package eval

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/papers"
)

// TestMcNemar compares the p values with exact sums of binomial coefficients: twice the smaller tail of 2^-n (n choose
// i).
func TestMcNemar(t *testing.T) {
	for _, tc := range []struct{ a, b int }{
		{0, 1}, {1, 0}, {5, 0}, {1, 9}, {3, 12}, {59, 121}, {86, 150}, {400, 460}, {900, 1200},
	} {
		n := int64(tc.a + tc.b)
		tail, ways := new(big.Int), new(big.Int)
		for i := range int64(min(tc.a, tc.b) + 1) {
			tail.Add(tail, ways.Binomial(n, i))
		}
		exact := new(big.Rat).SetFrac(tail, new(big.Int).Lsh(big.NewInt(1), uint(n)-1)) // 2/2^n
		want, _ := exact.Float64()
		if got := mcNemar(tc.a, tc.b); math.Abs(got-min(1, want)) > 1e-9*want {
			t.Errorf("mcNemar(%d, %d) = %g, want %g", tc.a, tc.b, got, want)
		}
	}
	// (1 + 10) of 1024, twice.
	if got := mcNemar(1, 9); math.Abs(got-.021484375) > 1e-12 {
		t.Errorf("mcNemar(1, 9) = %g, want .021484375", got)
	}
	// Agresti, Categorical Data Analysis, table 10.1: approval of the prime
	// minister, 150 against 86; exact p = 3.716e-05 (statsmodels' mcnemar).
	if got := mcNemar(150, 86); math.Abs(got-3.716e-5) > .0005e-5 {
		t.Errorf("mcNemar(150, 86) = %g, want 3.716e-05", got)
	}
	for _, n := range []int{0, 1, 50} {
		must.Equal(t, mcNemar(n, n), 1, "mcNemar", n, n)
	}
}

// TestCompare compares the table in helper_test.go with exact linking, which gets 0, 1, 3 and both AD right, because M5
// comes before M6.
func TestCompare(t *testing.T) {
	set := smallSet()
	gold := smallGold(t, set)
	a := smallPredictions(t, smallLinker(), gold.Mentions, set)
	b := smallPredictions(t, papers.NewExactLinker(model.NewDictionaryIndexes(smallDictionary())), gold.Mentions, set)
	got := must.Get(Compare(a, b, mustPolicy(t, "paper"), AllMentions(), 1))
	want := Comparison{
		Policy: "paper", Slice: "all mentions", Documents: 3,
		Both: 3, OnlyA: 1, OnlyB: 2, Neither: 3, // the composite; AD twice; 6, 8 and 9
		Difference: Metric{Name: "Acc@1 difference", Ratio: Ratio{-1, 9, -1. / 9}},
		McNemar:    1, // twice (1+3)/8
	}
	// Documents differ by +1/3, -2/4 and 0/2. A resample of the first document alone has probability 1/27, and so has
	// one of the second alone: more than 2.5 %, so these are the ends of the interval.
	want.Difference.Low, want.Difference.High = -.5, 1./3
	must.EqualBy(t, cmp.Options{cmpopts.IgnoreFields(Comparison{}, "Bootstrap"), cmpopts.EquateApprox(0, 1e-12)}, got,
		want)
	// Of the 27 resamples of +1, -2 and 0, those with a sum of 0 or more are 000, +++ and the 3 orders of each of +00,
	// ++0 and ++- (sum 0): 11. Those with a sum of 0 or less are 000, ---, the 3 orders of each of -00, --0, +-- and
	// ++-, and the 6 of +-0: 20. Twice 11/27 is .815, with a standard error of .011 for each tail.
	if math.Abs(got.Bootstrap-22./27) > .09 {
		t.Errorf("bootstrap p %.3f, want about %.3f", got.Bootstrap, 22./27)
	}

	reversed := must.Get(Compare(b, a, mustPolicy(t, "paper"), AllMentions(), 1))
	if reversed.OnlyA != got.OnlyB || reversed.Difference.Value != -got.Difference.Value || reversed.Bootstrap != got.Bootstrap {
		t.Errorf("B compared with A: %+v, want the opposite of %+v", reversed, got)
	}
	same, err := Compare(a, a, mustPolicy(t, "strict"), AllMentions(), 1)
	if err != nil || same.Bootstrap != 1 || same.McNemar != 1 || same.Difference.Low != 0 || same.Difference.High != 0 {
		t.Errorf("A compared with itself: %+v, %v", same, err)
	}
}

func TestCompareErrors(t *testing.T) {
	set := smallSet()
	gold := smallGold(t, set)
	a := smallPredictions(t, smallLinker(), gold.Mentions, set)
	for _, tc := range []struct {
		b    []Prediction
		want string
	}{
		{a[1:], "cannot compare 10 predictions with 9"},
		{append([]Prediction{a[1]}, a[1:]...), `cannot compare prediction 1: it is for "Breast cancer" on one side and for "ovarian cancer" on the other`},
	} {
		_, err := Compare(a, tc.b, policies[0], AllMentions(), 1)
		must.Equal(t, fmt.Sprint(err), tc.want)
	}
}
