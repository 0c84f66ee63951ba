package input

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// JSONError converts an error of encoding/json, which speaks of Go types, to one for
// the author of the file: the type of JSON value that is wanted, the field, and what
// the field has instead.
func JSONError(err error) *LineError {
	var wrongType *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	var line *LineError
	switch {
	case errors.As(err, &line):
		return line
	case errors.As(err, &wrongType):
		want := kindNames[wrongType.Type.Kind()]
		if want == "" {
			want = "another type"
		}
		if wrongType.Field != "" {
			want += " in " + wrongType.Field
		}
		return &LineError{Want: want, Got: wrongType.Value}
	case errors.As(err, &syntax):
		return &LineError{Want: "JSON", Got: fmt.Sprintf("%v (byte %d)", syntax, syntax.Offset)}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &LineError{Want: "JSON", Got: "an unfinished value"}
	}
	return &LineError{Want: "JSON", Got: err.Error()}
}

// kindNames maps the kinds of Go values to the names of JSON types.
var kindNames = map[reflect.Kind]string{
	reflect.String: "a string",
	reflect.Int:    "a whole number",
	reflect.Slice:  "a list",
	reflect.Struct: "an object",
	reflect.Map:    "an object",
	reflect.Bool:   "true or false",
}
