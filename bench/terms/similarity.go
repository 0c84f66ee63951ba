package main

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
)

// pair is two terms and how similar or related people judged them to be.
type pair struct {
	a, b  string
	score float64
}

// readPairs reads lines of two terms and a score, separated by tabs, as UMNSRS and MayoSRS are published by
// https://github.com/cambridgeltl/BioNLP-2016. The file may be compressed.
func readPairs(path string) (pairs []pair) {
	file := harness.Get(input.Open(path))
	defer file.Close()
	add := func(line string, _ int) error {
		if line == "" {
			return nil
		}
		fields := strings.Split(line, "\t")
		malformed := &input.LineError{Want: "two terms and a score, separated by tabs", Got: input.Quote(line)}
		if len(fields) != 3 || strings.TrimSpace(fields[0]) == "" || strings.TrimSpace(fields[1]) == "" {
			return malformed
		}
		score, err := strconv.ParseFloat(fields[2], 64)
		if err != nil || math.IsNaN(score) || math.IsInf(score, 0) {
			return malformed
		}
		pairs = append(pairs, pair{fields[0], fields[1], score})
		return nil
	}
	lines := input.NewLines(file.Reader, files.Limits{}.WithDefaults())
	harness.Explain(func() { harness.Check(lines.Each(add)) }, "%s", input.Name(path))
	return pairs
}

// similarity returns Spearman's rank correlation of the cosines of vectors with the scores of pairs, and the number of
// pairs both of whose terms have a vector; the others do not count.
func similarity(pairs []pair, vector vectorOf) (rho float64, compared int) {
	var scores, cosines []float64
	for _, p := range pairs {
		if a, b := vector(p.a), vector(p.b); a != nil && b != nil {
			scores, cosines = append(scores, p.score), append(cosines, cosine(a, b))
		}
	}
	return spearman(scores, cosines), len(scores)
}

// cosine returns the cosine of two vectors, 0 if one of them is zero.
func cosine(a, b []float32) float64 {
	x, y := contrastive.Convert[float64](a), contrastive.Convert[float64](b)
	if norms := floats.Norm(x, 2) * floats.Norm(y, 2); norms > 0 {
		return floats.Dot(x, y) / norms
	}
	return 0
}

// spearman returns Spearman's rank correlation coefficient of two samples of equal length: Pearson's coefficient of
// their ranks, where equal values have the mean of their ranks. Like scipy.stats.spearmanr, it is NaN if a sample is
// constant or has fewer than two values, or if a value is NaN.
func spearman(x, y []float64) float64 {
	if slices.ContainsFunc(x, math.IsNaN) || slices.ContainsFunc(y, math.IsNaN) {
		return math.NaN()
	}
	return stat.Correlation(ranks(x), ranks(y), nil) // NaN of a constant
}

// ranks returns the rank of each value, from 1; equal values have the mean of their ranks.
func ranks(values []float64) []float64 {
	sorted := slices.Sorted(slices.Values(values))
	result := make([]float64, len(values))
	for i, value := range values {
		first, _ := slices.BinarySearch(sorted, value)
		end, _ := slices.BinarySearch(sorted, math.Nextafter(value, math.Inf(1)))
		result[i] = float64(first+1+end) / 2
	}
	return result
}
