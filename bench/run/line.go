package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// line is a line of JSON that a side prints: counts of what it did and how long it
// took. The harness adds wall_seconds, process_cpu_seconds and peak_mb of the
// whole process.
type line map[string]any

// parseLines reads the lines of an output.
func parseLines(output []byte) ([]line, error) {
	var lines []line
	decoder := json.NewDecoder(bytes.NewReader(output))
	for {
		var l line
		err := decoder.Decode(&l)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("its output is not lines of JSON: %w", err)
		}
		lines = append(lines, l)
	}
	if len(lines) == 0 {
		return nil, errors.New("it printed nothing")
	}
	return lines, nil
}

// number is a field that has to be one.
func (l line) number(field string) (float64, error) {
	value, ok := l[field]
	if !ok {
		return 0, fmt.Errorf("its line has no %s", field)
	}
	number, ok := value.(float64)
	if !ok {
		return 0, fmt.Errorf("%s of its line is %v, want a number", field, value)
	}
	return number, nil
}

// firstReaching is the first of the lines whose field is at least floor, and the
// last where none is.
func firstReaching(lines []line, field string, floor float64) line {
	for _, l := range lines {
		if value, err := l.number(field); err == nil && value >= floor {
			return l
		}
	}
	return lines[len(lines)-1]
}
