package knnindex

import (
	"math"
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		name string
		v    Vectors
		want string // part of the error; empty for none
	}{
		{"no rows", Vectors{Dim: 2}, ""},
		{"unit", *threeRows(), ""},
		{"nearly unit", Vectors{Dim: 2, Data: []float32{1.0005, 0}}, ""},
		{"zero", Vectors{Dim: 2, Data: []float32{1, 0, 0, 0}}, "row 1: want length 1 ± 0.001, got 0"},
		{"long", Vectors{Dim: 2, Data: []float32{3, 4}}, "row 0: want length 1 ± 0.001, got 5"},
		{"NaN", Vectors{Dim: 2, Data: []float32{1, nan}}, "row 0: want length 1 ± 0.001, got NaN"},
		{"no dimension", Vectors{Data: []float32{1}}, "dimension of at least 1, got 0"},
		{"half a row", Vectors{Dim: 2, Data: []float32{1, 0, 1}}, "whole rows of 2 numbers, got 3"},
	} {
		err := c.v.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
	}
}

func TestFingerprint(t *testing.T) {
	v := threeRows()
	seen := map[uint64]string{v.Fingerprint(): "as it is"}
	differ := func(how string) {
		t.Helper()
		if same, taken := seen[v.Fingerprint()]; taken {
			t.Errorf("%s has the fingerprint of %s", how, same)
		}
		seen[v.Fingerprint()] = how
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

// TestFingerprintOfManyRows tells vectors apart of which not all rows are read.
func TestFingerprintOfManyRows(t *testing.T) {
	const n, dim = 5000, 12
	draw := func(clusters int) *Vectors { return newClusters(clusters, dim).draw(n) }
	v := draw(1)
	if v.Fingerprint() != draw(1).Fingerprint() {
		t.Error("the same vectors have two fingerprints")
	}
	firstChanged, lastChanged := draw(1), draw(1)
	firstChanged.Data[0]++
	lastChanged.Data[n*dim-1]++
	for how, other := range map[string]*Vectors{
		"around other clusters":        draw(2),
		"of half the dimension":        {Dim: dim / 2, Data: v.Data},
		"a row shorter":                {Dim: dim, Data: v.Data[:(n-1)*dim]},
		"a row shorter at the front":   {Dim: dim, Data: v.Data[dim:]},
		"with another first number":    firstChanged,
		"with another last number":     lastChanged,
		"of no more rows than is read": {Dim: dim, Data: v.Data[:fingerprintRows*dim]},
	} {
		if other.Fingerprint() == v.Fingerprint() {
			t.Errorf("vectors %s have the same fingerprint", how)
		}
	}
}
