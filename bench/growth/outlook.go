package main

import (
	"fmt"
	"math"

	"ctxnorm/bench/measure"
)

// outlook computes from the fits what no test has room for.
type outlook struct {
	jobs     map[string]*jobResult
	memoryMB float64 // of the machine
	threads  int
}

// fit is the fit of a job's figure.
func (o *outlook) fit(job, field string) (fit, bool) {
	r := o.jobs[job]
	if r == nil || r.Failed != "" {
		return fit{}, false
	}
	points, _ := r.points(field)
	f, err := fitLine(points)
	return f, err == nil
}

// last is a field at the largest size of a job.
func (o *outlook) last(job, field string) float64 {
	if f, ok := o.fit(job, field); ok {
		return f.Last.Y
	}
	return math.NaN()
}

// both writes the line at n, and the power law in brackets where it says something
// else: more than a tenth.
func both(f fit, n float64, write func(float64) string) string {
	line, power := f.line(n), f.power(n)
	if math.Abs(line-power) <= .1*line {
		return write(line)
	}
	return fmt.Sprintf("%s (%s)", write(line), write(power))
}

// table is a table of Markdown; the columns after the first are figures.
func table(header []string, rows [][]string) string { return measure.Table(header, 1, rows) }
