package main

import (
	"fmt"
	"slices"
	"strings"

	"ctxnorm/bench/measure"
)

// series is a figure of a job by size.
type series struct {
	Job    string  `json:"job"`
	By     string  `json:"by"`
	Figure figure  `json:"figure"`
	Points []point `json:"points"` // medians
	Spread float64 `json:"spread"` // the widest of a size: extremes apart, over the median
	Fit    fit     `json:"fit"`
}

// What is measured of every process.
var (
	wall   = figure{Name: "time", Field: "wall_seconds", Unit: "s", Scale: 1}
	cpu    = figure{Name: "processor", Field: "cpu_seconds", Unit: "s"}
	memory = figure{Name: "memory", Field: "peak_mb", Unit: "MB"}
)

// figures are those of a job that are shown.
func (r *jobResult) figures() []figure {
	if r.Inner {
		return append(slices.Clone(r.Extra), memory)
	}
	return append([]figure{wall, cpu, memory}, r.Extra...)
}

// series are the figures of a job that can be fitted: a count that was 0 at a size
// is left out.
func (r *jobResult) series() []series {
	var all []series
	for _, f := range r.figures() {
		points, spread := r.points(f.Field)
		fitted, err := fitLine(points)
		if err != nil {
			continue
		}
		all = append(all, series{r.Name, r.By, f, points, spread, fitted})
	}
	return all
}

// points are the medians of a field by size, and the widest spread of a size as a
// share of its median; none where a line lacks the field.
func (r *jobResult) points(field string) (points []point, spread float64) {
	for _, p := range r.Points {
		var values []float64
		for _, line := range p.Lines {
			if value, err := line.Number(field); err == nil {
				values = append(values, value)
			}
		}
		if len(values) == 0 {
			return nil, 0
		}
		s := measure.SpreadOf(values)
		points = append(points, point{p.N, s.Median})
		if s.Median > 0 {
			spread = max(spread, (s.Max-s.Min)/s.Median)
		}
	}
	return points, spread
}

// isTime reports whether a figure is drawn with the times.
func (s *series) isTime() bool { return s.Figure.Scale > 0 }

// label names a series in a plot.
func (s *series) label() string {
	if s.Figure == wall || s.Figure == memory {
		return s.Job
	}
	return s.Job + ": " + s.Figure.Name
}

// measured lists the sizes and what was measured there.
func (s *series) measured() string {
	cells := make([]string, len(s.Points))
	for i, p := range s.Points {
		cells[i] = fmt.Sprintf("%s: %s", count(p.N), figureAmount(p.Y, s.Figure.Unit))
	}
	return strings.Join(cells, ", ")
}

// throughput is how many there are in a second after the start of a job, size by
// size; nil where its start was not measured.
func (r *jobResult) throughput(start *jobResult) []point {
	if start == nil {
		return nil
	}
	whole, _ := r.points(wall.Field)
	began, _ := start.points(wall.Field)
	done, _ := r.points(r.Count)
	if len(whole) != len(began) || len(whole) != len(done) {
		return nil
	}
	var rates []point
	for i := range whole {
		if after := whole[i].Y - began[i].Y; after > 0 {
			rates = append(rates, point{whole[i].N, done[i].Y / after})
		}
	}
	return rates
}
