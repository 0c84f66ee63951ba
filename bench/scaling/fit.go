package main

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/stat"
)

// point is a median measured at a size.
type point struct {
	N float64 `json:"n"`
	Y float64 `json:"y"`
}

const (
	steep = 1.1 // exponent above which growth is not taken for linear
	flat  = .1  // share of a figure; growth below it may be noise
)

// fit is the line Fixed + PerUnit·n, and the exponent of the power law that the growth
// over Fixed follows between the two largest sizes. The exponent is 1 if the line is
// right, and 0 if the growth at the smaller of the two is too small to tell.
type fit struct {
	Fixed    float64 `json:"fixed"`
	PerUnit  float64 `json:"per_unit"`
	Exponent float64 `json:"exponent"`
	Last     point   `json:"last"` // the largest size
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
		if p.Y <= 0 || p.N <= 0 || i > 0 && p.N <= points[i-1].N {
			return fit{}, errors.New("sizes must grow, and figures be above 0")
		}
		n, y, weights = append(n, p.N), append(y, p.Y), append(weights, 1/(p.Y*p.Y))
	}
	f := fit{Last: points[len(points)-1]}
	// If the best line has a negative coefficient, the best one without is on the edge.
	if f.Fixed, f.PerUnit = stat.LinearRegression(n, y, weights, false); f.Fixed < 0 {
		f.Fixed, f.PerUnit = stat.LinearRegression(n, y, weights, true)
	} else if f.PerUnit < 0 {
		f.Fixed, f.PerUnit = stat.Mean(y, weights), 0
	}
	if p := points[len(points)-2]; p.Y-f.Fixed > flat*p.Y && f.Last.Y > f.Fixed {
		f.Exponent = exponent(point{p.N, p.Y - f.Fixed}, point{f.Last.N, f.Last.Y - f.Fixed})
	}
	return f, nil
}

// exponent returns the exponent of the power law through two points.
func exponent(a, b point) float64 { return math.Log(b.Y/a.Y) / math.Log(b.N/a.N) }

// line returns the fitted line at n.
func (f fit) line(n float64) float64 { return f.Fixed + f.PerUnit*n }

// power returns the fixed part plus the power law at n, or the line if there is no
// exponent.
func (f fit) power(n float64) float64 {
	if f.Exponent <= 0 {
		return f.line(n)
	}
	return f.Fixed + (f.Last.Y-f.Fixed)*math.Pow(n/f.Last.N, f.Exponent)
}

// sizeAt returns the size at which the larger of line and power law reaches y, and
// +Inf if neither does.
func (f fit) sizeAt(y float64) float64 {
	n := math.Inf(1)
	if f.PerUnit > 0 {
		n = (y - f.Fixed) / f.PerUnit
	}
	if f.Exponent > 0 && y > f.Fixed {
		n = min(n, f.Last.N*math.Pow((y-f.Fixed)/(f.Last.Y-f.Fixed), 1/f.Exponent))
	}
	return max(0, n)
}

// atMost returns the power law through the two largest sizes at n, an upper bound of a
// figure that levels off.
func (f fit) atMost(n float64, points []point) float64 {
	return f.Last.Y * math.Pow(n/f.Last.N, max(0, exponent(points[len(points)-2], f.Last)))
}
