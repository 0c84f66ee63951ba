package artifact

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
)

// WriteJSON replaces the file at path by v as JSON, indented by two spaces and ended
// by a line feed.
func WriteJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return WithPath(path, err)
	}
	return WriteFile(path, append(data, '\n'))
}

// ReadJSON reads the JSON file at path into v. A file that does not hold a value of
// v's type is a [*DamagedError].
func ReadJSON(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return DamagedAt(path, jsonOffset(err), "%v", err)
	}
	return nil
}

// jsonOffset returns where in its input an error of encoding/json lies, -1 where it
// does not say.
func jsonOffset(err error) int64 {
	var syntax *json.SyntaxError
	var of *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return syntax.Offset
	case errors.As(err, &of):
		return of.Offset
	}
	return -1
}

// WriteJSONLines replaces the file at path by values as JSON, one a line. The
// characters <, > and & are not escaped.
func WriteJSONLines[T any](path string, values []T) error {
	return Write(path, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		for i := range values {
			if err := encoder.Encode(&values[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// ReadJSONLines reads the file at path, one JSON value a line; empty lines are
// skipped. A line that does not hold a T is a [*DamagedError] that names it.
func ReadJSONLines[T any](path string) ([]T, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var values []T
	var start int64
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if len(bytes.TrimSpace(line)) > 0 {
			var value T
			if err := json.Unmarshal(line, &value); err != nil {
				return nil, DamagedAt(path, start, "line %d: %v", number, err)
			}
			values = append(values, value)
		}
		start += int64(len(line))
	}
	return values, nil
}
