package kbfile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// readJSON reads one object, {"id": [name, …], …}. A value that is not a list of strings
// is a malformed row; a syntax error ends the file.
func (c *collector) readJSON(r *bufio.Reader) error {
	return eachMember(r, c.file, func(key string, value json.RawMessage, line int) error {
		c.report.Rows++
		var names []string
		id := kb.ConceptID(strings.TrimSpace(key))
		if err := json.Unmarshal(value, &names); err != nil || id == "" {
			return c.badRow(line, `"id": ["name", …]`, fmt.Sprintf("%q: %s", key, input.Quote(string(value))))
		}
		c.addNames(id, names)
		return nil
	})
}

// eachMember calls member for each key and value of the JSON object in r, with the line
// on which the value ends. An invalid file is a [*RowError].
func eachMember(r io.Reader, file string, member func(key string, value json.RawMessage, line int) error) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	line, counted := 1, 0
	lineAt := func(offset int64) int {
		end := min(int(offset), len(text))
		line += bytes.Count(text[counted:end], []byte("\n"))
		counted = end
		return line
	}
	if at := input.InvalidUTF8(string(text)); at >= 0 {
		start := bytes.LastIndexByte(text[:at], '\n') + 1 // of the line with the invalid byte
		bad := input.NotUTF8(string(text[start:at+1]), at-start)
		return &RowError{File: file, Line: lineAt(int64(at)), Want: bad.Want, Got: bad.Got}
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	syntaxError := func(err error) error {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		bad := input.JSONError(err)
		return &RowError{File: file, Line: lineAt(decoder.InputOffset()), Want: bad.Want, Got: bad.Got}
	}
	open, err := decoder.Token()
	if err != nil {
		return syntaxError(err)
	}
	if open != json.Delim('{') {
		return &RowError{File: file, Line: lineAt(decoder.InputOffset()), Want: "an object", Got: fmt.Sprintf("%q", fmt.Sprint(open))}
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return syntaxError(err)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return syntaxError(err)
		}
		if err := member(key.(string), value, lineAt(decoder.InputOffset())); err != nil {
			return err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return syntaxError(err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return &RowError{File: file, Line: lineAt(decoder.InputOffset()), Want: "one object", Got: "more after it"}
	}
	return nil
}
