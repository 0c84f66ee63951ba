package eval

import (
	"math"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ctxnorm/link"
)

// TestMcNemar holds the p values against sums of binomial coefficients in whole
// numbers: twice the smaller tail of 2^-n (n choose i).
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
		if got := mcNemar(n, n); got != 1 {
			t.Errorf("mcNemar(%d, %d) = %g, want 1", n, n, got)
		}
	}
}

// TestCompare counts the table in helper_test.go against exact names, which have
// 0, 1, 3 and, as M5 comes before M6, both AD right.
func TestCompare(t *testing.T) {
	ids := smallIDs()
	gold := smallGold(t, ids)
	a := smallAnswers(t, smallLinker(), gold.Items, ids)
	b := smallAnswers(t, link.NewExact(smallDictionary()), gold.Items, ids)
	got, err := Compare(a, b, mustPolicy(t, "paper"), AllMentions(), 1)
	if err != nil {
		t.Fatal(err)
	}
	want := Comparison{
		Policy: "paper", Slice: "all mentions", Documents: 3,
		Both: 3, OnlyA: 1, OnlyB: 2, Neither: 3, // the composite; AD twice; 6, 8 and 9
		Difference: Figure{Name: "Acc@1 difference", Numerator: -1, Denominator: 9, Value: -1. / 9},
		McNemar:    1, // twice (1+3)/8
	}
	// Documents differ by +1/3, -2/4 and 0/2: .333 is drawn thrice in 1 of 27
	// draws and -.5 as well, so the interval has them for its ends.
	want.Difference.Low, want.Difference.High = -.5, 1./3
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Comparison{}, "Bootstrap"), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Of the 27 draws x, y, z of +1, -2 and 0 those above or at 0 are: 000, the 3
	// orders of +00, of ++0 and of ++- (sum 0), the 6 of none, +++: 11 of 27, fewer
	// than those at or below: 000, 3 of -00, 3 of --0, ---, 3 of +--, 3 of ++-, 6 of
	// +-0: 20. Twice 11/27 is .815, with an error of .011 for each tail.
	if math.Abs(got.Bootstrap-22./27) > .09 {
		t.Errorf("bootstrap p %.3f, want about %.3f", got.Bootstrap, 22./27)
	}

	other, err := Compare(b, a, mustPolicy(t, "paper"), AllMentions(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if other.OnlyA != got.OnlyB || other.Difference.Value != -got.Difference.Value || other.Bootstrap != got.Bootstrap {
		t.Errorf("the other way round %+v, want the opposite of %+v", other, got)
	}
	same, err := Compare(a, a, mustPolicy(t, "strict"), AllMentions(), 1)
	if err != nil || same.Bootstrap != 1 || same.McNemar != 1 || same.Difference.Low != 0 || same.Difference.High != 0 {
		t.Errorf("with itself %+v, %v", same, err)
	}
}

func TestCompareRefuses(t *testing.T) {
	ids := smallIDs()
	gold := smallGold(t, ids)
	a := smallAnswers(t, smallLinker(), gold.Items, ids)
	for _, tc := range []struct {
		b    []Answer
		want string
	}{
		{a[1:], "answers to 10 mentions cannot be compared with answers to 9"},
		{append([]Answer{a[1]}, a[1:]...), `answer 1 is to "Breast cancer" here and to "ovarian cancer" there`},
	} {
		if _, err := Compare(a, tc.b, Policies[0], AllMentions(), 1); err == nil || err.Error() != tc.want {
			t.Errorf("error %v, want %s", err, tc.want)
		}
	}
}
