package main

import "ctxnorm/bench/measure"

// firstReaching is the first of the lines whose field is at least floor, and the
// last where none is.
func firstReaching(lines []measure.Line, field string, floor float64) measure.Line {
	for _, l := range lines {
		if value, err := l.Number(field); err == nil && value >= floor {
			return l
		}
	}
	return lines[len(lines)-1]
}
