package main

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/stat"
)

// point is a median y measured at a size n.
type point struct{ n, y float64 }

const (
	steep = 1.1 // exponent above which growth is not taken for linear
	flat  = .1  // share of a figure; growth below it may be noise
)

// fit is the line fixed + perUnit·n, and the exponent of the power law that the growth
// over fixed follows between the two largest sizes. The exponent is 1 if the line is
// right, and 0 if the growth at the smaller of the two is too small to tell.
type fit struct{ fixed, perUnit, exponent float64 }

// fitLine fits a line to points in order of size by least squares of the relative
// error, Σ((a + b·n - y)/y)², with a and b of 0 or more. The noise of times grows with
// them, so every size counts the same.
func fitLine(points []point) (fit, error) {
	if len(points) < 2 {
		return fit{}, errors.New("a line needs two sizes")
	}
	var n, y, weights []float64
	for i, p := range points {
		if p.y <= 0 || p.n <= 0 || i > 0 && p.n <= points[i-1].n {
			return fit{}, errors.New("sizes must grow, and figures be above 0")
		}
		n, y, weights = append(n, p.n), append(y, p.y), append(weights, 1/(p.y*p.y))
	}
	var f fit
	// If the best line has a negative coefficient, the best one without is on the edge.
	if f.fixed, f.perUnit = stat.LinearRegression(n, y, weights, false); f.fixed < 0 {
		f.fixed, f.perUnit = stat.LinearRegression(n, y, weights, true)
	} else if f.perUnit < 0 {
		f.fixed, f.perUnit = stat.Mean(y, weights), 0
	}
	a, b := points[len(points)-2], points[len(points)-1]
	if a.y-f.fixed > flat*a.y && b.y > f.fixed {
		f.exponent = math.Log((b.y-f.fixed)/(a.y-f.fixed)) / math.Log(b.n/a.n)
	}
	return f, nil
}
