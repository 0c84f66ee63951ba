package sampling

import (
	"math"
	"strconv"
	"testing"
)

func TestHashDelimitsFields(t *testing.T) {
	if Hash(1, "ab", "c") == Hash(1, "a", "bc") {
		t.Error(`("ab", "c") and ("a", "bc") have the same hash`)
	}
	if Hash(1, "a") == Hash(2, "a") {
		t.Error("the seed does not change the hash")
	}
	if Hash(1, "a") == Hash(1, "a", "") {
		t.Error("an empty field does not change the hash")
	}
}

// TestHashUnitIsUniform compares the counts of ten equal bins with the chi-square distribution with 9 degrees of
// freedom, whose .9999 quantile is 33.7.
func TestHashUnitIsUniform(t *testing.T) {
	const n = 100_000
	for seed := range uint64(5) {
		var bins [10]int
		for i := range n {
			u := Unit(seed, strconv.Itoa(i))
			if u < 0 || u >= 1 {
				t.Fatalf("HashUnit(%d, %d) = %g, want [0, 1)", seed, i, u)
			}
			bins[int(u*10)]++
		}
		chi2 := 0.0
		for _, count := range bins {
			chi2 += math.Pow(float64(count)-n/10, 2) / (n / 10)
		}
		if chi2 > 33.7 {
			t.Errorf("seed %d: chi-square %.1f, want at most 33.7: %v", seed, chi2, bins)
		}
	}
}
