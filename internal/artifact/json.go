package artifact

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// WriteJSON atomically replaces the content of the file at path with v as JSON, indented by two spaces and followed by
// a line feed.
func WriteJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return WithPath(path, err)
	}
	return WriteFile(path, append(data, '\n'))
}

// ReadJSON reads the JSON file at path into v. It returns a [*files.DamagedError] if the file does not contain a value
// of v's type.
func ReadJSON(path string, v any) error {
	data, err := ReadFile(path)
	if err != nil {
		return err
	}
	return unmarshal(path, data, v)
}

// unmarshal parses data, the content of the file at path, into v.
func unmarshal(path string, data []byte, v any) error {
	if err := input.DecodeJSON(data, v); err != nil {
		return Damaged(path, "%v", input.JSONError(err))
	}
	return nil
}

// WriteJSONLines atomically replaces the content of the file at path with values as JSON, one per line. It does not
// escape the characters <, > and &.
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

// ReadJSONLines reads the file at path, one JSON value per line, and skips empty lines. It returns a
// [*files.DamagedError] with the line number if a line does not contain a T.
func ReadJSONLines[T any](path string) ([]T, error) {
	data, err := ReadFile(path)
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
			if err := input.DecodeJSON(line, &value); err != nil {
				return nil, DamagedAt(path, start, "line %d: %v", number, input.JSONError(err))
			}
			values = append(values, value)
		}
		start += int64(len(line))
	}
	return values, nil
}
