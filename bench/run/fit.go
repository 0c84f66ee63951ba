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
type fit struct {
	fixed, perUnit, exponent float64
	last                     point // the largest size
}

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
	f := fit{last: points[len(points)-1]}
	// If the best line has a negative coefficient, the best one without is on the edge.
	if f.fixed, f.perUnit = stat.LinearRegression(n, y, weights, false); f.fixed < 0 {
		f.fixed, f.perUnit = stat.LinearRegression(n, y, weights, true)
	} else if f.perUnit < 0 {
		f.fixed, f.perUnit = stat.Mean(y, weights), 0
	}
	if p := points[len(points)-2]; p.y-f.fixed > flat*p.y && f.last.y > f.fixed {
		f.exponent = exponent(point{p.n, p.y - f.fixed}, point{f.last.n, f.last.y - f.fixed})
	}
	return f, nil
}

// exponent returns the exponent of the power law through two points.
func exponent(a, b point) float64 { return math.Log(b.y/a.y) / math.Log(b.n/a.n) }

// line returns the fitted line at n.
func (f fit) line(n float64) float64 { return f.fixed + f.perUnit*n }

// power returns the fixed part plus the power law at n, or the line if there is no
// exponent.
func (f fit) power(n float64) float64 {
	if f.exponent <= 0 {
		return f.line(n)
	}
	return f.fixed + (f.last.y-f.fixed)*math.Pow(n/f.last.n, f.exponent)
}

// atMost returns the power law through the two largest sizes at n, an upper bound of a
// figure that levels off.
func (f fit) atMost(n float64, points []point) float64 {
	return f.last.y * math.Pow(n/f.last.n, max(0, exponent(points[len(points)-2], f.last)))
}
