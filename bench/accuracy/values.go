package main

import (
	"slices"
	"strings"

	"ctxnorm/eval"
)

// values are one figure of each seed.
type values []float64

// collect asks every seed for a value; those that have none are left out.
func collect(seeds []seed, value func(*seed) (float64, bool)) values {
	var all values
	for i := range seeds {
		if v, ok := value(&seeds[i]); ok {
			all = append(all, v)
		}
	}
	return all
}

// figures collects a figure of a linker.
func figures(seeds []seed, what, set, policy, linker, name string) values {
	return collect(seeds, func(s *seed) (float64, bool) {
		r := s.result(what, set, policy, linker)
		if r == nil {
			return 0, false
		}
		return figure(r.Figures, name)
	})
}

// figure is the value of the figure of that name, if there is one of any mention.
func figure(all []eval.Figure, name string) (float64, bool) {
	for _, f := range all {
		if f.Name == name && f.Denominator > 0 {
			return f.Value, true
		}
	}
	return 0, false
}

func (v values) mean() float64 {
	sum := 0.0
	for _, one := range v {
		sum += one
	}
	return sum / float64(len(v))
}

// String is the mean and, of several that are not the same, each in brackets:
// ".812 (.810 .814)".
func (v values) String() string {
	switch {
	case len(v) == 0:
		return "-"
	case slices.Min(v) == slices.Max(v):
		return eval.Decimals(v[0])
	}
	each := make([]string, len(v))
	for i, one := range v {
		each[i] = eval.Decimals(one)
	}
	return eval.Decimals(v.mean()) + " (" + strings.Join(each, " ") + ")"
}

// signed writes a difference with its sign.
func signed(v float64) string {
	if v > 0 {
		return "+" + eval.Decimals(v)
	}
	return eval.Decimals(v)
}

// probability writes a p value.
func probability(p float64) string {
	if p < .001 {
		return "<.001"
	}
	return eval.Decimals(p)
}
