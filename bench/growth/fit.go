package main

import (
	"errors"
	"math"
)

// point is a median that was measured at a size.
type point struct {
	N float64 `json:"n"`
	Y float64 `json:"y"`
}

const (
	// steep is the exponent from which growth is no longer taken for a line.
	steep = 1.1
	// flat is the share of a figure below which what is over the fixed part may be noise.
	flat = .1
)

// fit is what points come to: the line Fixed + PerUnit·n, and the exponent of the
// power law that what is over Fixed follows between the two largest sizes. It tells
// whether the line is right: where it is, the exponent is 1. It is 0 where the smaller
// of the two has too little over Fixed to say anything.
type fit struct {
	Fixed    float64 `json:"fixed"`
	PerUnit  float64 `json:"per_unit"`
	Exponent float64 `json:"exponent"`
	Last     point   `json:"last"` // the largest size
}

// fitLine fits points in order of size. The line is that of least squares of the
// relative error, Σ((a + b·n - y)/y)², with a and b of 0 or more: noise of times
// grows with them, so that every size counts the same.
func fitLine(points []point) (fit, error) {
	if len(points) < 2 {
		return fit{}, errors.New("a line needs two sizes")
	}
	var uu, uv, vv, u, v float64 // sums of u = 1/y and v = n/y: a·u + b·v is to be 1
	for i, p := range points {
		if p.Y <= 0 || p.N <= 0 || i > 0 && p.N <= points[i-1].N {
			return fit{}, errors.New("sizes must grow, and figures be above 0")
		}
		one, n := 1/p.Y, p.N/p.Y
		uu, uv, vv, u, v = uu+one*one, uv+one*n, vv+n*n, u+one, v+n
	}
	det := uu*vv - uv*uv
	a, b := (u*vv-v*uv)/det, (uu*v-uv*u)/det
	// Where the best line has a negative part, the best without it is at the edge.
	if a < 0 {
		a, b = 0, v/vv
	} else if b < 0 {
		a, b = u/uu, 0
	}
	last := points[len(points)-1]
	f := fit{Fixed: a, PerUnit: b, Last: last}
	if before := points[len(points)-2]; before.Y-a > flat*before.Y && last.Y > a {
		f.Exponent = exponent(point{before.N, before.Y - a}, point{last.N, last.Y - a})
	}
	return f, nil
}

// exponent is that of the power law through two points.
func exponent(a, b point) float64 { return math.Log(b.Y/a.Y) / math.Log(b.N/a.N) }

// line is the fitted line at n.
func (f fit) line(n float64) float64 { return f.Fixed + f.PerUnit*n }

// power is the fixed part and the power law at n, the line where there is none.
func (f fit) power(n float64) float64 {
	if f.Exponent <= 0 {
		return f.line(n)
	}
	return f.Fixed + (f.Last.Y-f.Fixed)*math.Pow(n/f.Last.N, f.Exponent)
}

// most is the larger of both at n: what to reckon with.
func (f fit) most(n float64) float64 { return max(f.line(n), f.power(n)) }

// reaches is the size at which the most comes to y, +Inf where it never does.
func (f fit) reaches(y float64) float64 {
	n := math.Inf(1)
	if f.PerUnit > 0 {
		n = (y - f.Fixed) / f.PerUnit
	}
	if f.Exponent > 0 && y > f.Fixed {
		n = min(n, f.Last.N*math.Pow((y-f.Fixed)/(f.Last.Y-f.Fixed), 1/f.Exponent))
	}
	return max(0, n)
}

// saturation is how something grows that cannot grow for ever: at least as the
// hyperbola Most·n/(n + Half), and at most as the power law through the two largest
// sizes.
type saturation struct {
	Most     float64
	Half     float64 // n at which half of Most is there
	Exponent float64
	Last     point
}

// fitSaturation fits the hyperbola in Hanes and Woolf's form, n/y = Half/Most +
// n/Most, which is a line.
func fitSaturation(points []point) (saturation, error) {
	if _, err := fitLine(points); err != nil {
		return saturation{}, err
	}
	inverse := make([]point, len(points))
	for i, p := range points {
		inverse[i] = point{p.N, p.N / p.Y}
	}
	f, err := fitLine(inverse)
	if err != nil {
		return saturation{}, err
	}
	last := points[len(points)-1]
	s := saturation{Exponent: exponent(points[len(points)-2], last), Last: last}
	// Both are infinite where it does not bend.
	s.Most, s.Half = 1/f.PerUnit, f.Fixed/f.PerUnit
	return s, nil
}

// between are the least and the most at n, which is no smaller than what was
// measured; limit is what there can be at all.
func (s saturation) between(n, limit float64) (low, high float64) {
	high = min(limit, s.Last.Y*math.Pow(n/s.Last.N, s.Exponent))
	if math.IsInf(s.Most, 1) {
		return high, high
	}
	return min(high, max(s.Last.Y, s.Most*n/(n+s.Half))), high
}

// most is the most at n, where nothing limits it.
func (s saturation) most(n float64) float64 {
	_, high := s.between(n, math.Inf(1))
	return high
}
