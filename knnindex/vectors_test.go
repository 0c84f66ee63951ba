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
