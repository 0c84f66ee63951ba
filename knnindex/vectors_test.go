package knnindex

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

func TestCheckShape(t *testing.T) {
	for _, c := range []struct {
		name string
		v    Vectors
		want string // part of the error; empty for none
	}{
		{"no rows", Vectors{Dim: 2}, ""},
		{"rows", *threeRows(), ""},
		{"no dimension", Vectors{Data: []float32{1}}, "dimension is 0, want at least 1"},
		{"half a row", Vectors{Dim: 2, Data: []float32{1, 0, 1}}, "matrix has 3 numbers, want a multiple of the dimension 2"},
	} {
		err := c.v.checkShape()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
	}
}

func TestFingerprint(t *testing.T) {
	v := threeRows()
	seen := map[uint64]string{v.fingerprint(): "as it is"}
	differ := func(how string) {
		t.Helper()
		if same, taken := seen[v.fingerprint()]; taken {
			t.Errorf("%s has the fingerprint of %s", how, same)
		}
		seen[v.fingerprint()] = how
	}
	v.Dim = 3
	differ("another shape")
	v = threeRows()
	v.Data[4], v.Data[5] = v.Data[5], v.Data[4]
	differ("another order")
	for i := range v.Data {
		v = threeRows()
		v.Data[i] = math.Nextafter32(v.Data[i], 9)
		differ("another number")
	}
}

// TestFingerprintOfManyRows compares vectors of more rows than a fingerprint reads.
func TestFingerprintOfManyRows(t *testing.T) {
	const n, dim = 5000, 12
	sample := func(clusters int) *Vectors { return newClusters(clusters, dim).sample(n) }
	v := sample(1)
	must.Equal(t, v.fingerprint(), sample(1).fingerprint(), "the same vectors have two fingerprints")
	firstChanged, lastChanged := sample(1), sample(1)
	firstChanged.Data[0]++
	lastChanged.Data[n*dim-1]++
	for how, other := range map[string]*Vectors{
		"around other clusters":        sample(2),
		"of half the dimension":        {Dim: dim / 2, Data: v.Data},
		"a row shorter":                {Dim: dim, Data: v.Data[:(n-1)*dim]},
		"a row shorter at the front":   {Dim: dim, Data: v.Data[dim:]},
		"with another first number":    firstChanged,
		"with another last number":     lastChanged,
		"of no more rows than is read": {Dim: dim, Data: v.Data[:fingerprintRows*dim]},
	} {
		if other.fingerprint() == v.fingerprint() {
			t.Errorf("vectors %s have the same fingerprint", how)
		}
	}
}

// TestHugePagesKeepNumbers moves slices with lengths around that of a huge page, at various offsets within one.
func TestHugePagesKeepNumbers(t *testing.T) {
	must.SkipShort(t)
	const page = 2 << 20 / 4
	numbers := make([]uint32, 4*page)
	for i := range numbers {
		numbers[i] = uint32(i)
	}
	want := slices.Clone(numbers)
	for _, start := range []int{0, 1, 1024, page - 1, page, page + 1} {
		for _, length := range []int{0, 1, page - 1, page, page + 1, 2*page - 1, 3*page - 1 - start/2} {
			toHugePages(numbers[start : start+length])
		}
	}
	toHugePages[float32](nil)
	must.Equal(t, numbers, want, "numbers changed")
}
