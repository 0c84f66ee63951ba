package measure

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Line is a line of JSON that a program prints: counts of what it did and how long
// it took.
type Line map[string]any

// ParseLines reads the lines of an output.
func ParseLines(output []byte) ([]Line, error) {
	var lines []Line
	decoder := json.NewDecoder(bytes.NewReader(output))
	for {
		var l Line
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

// Number is a field that has to be one.
func (l Line) Number(field string) (float64, error) {
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
