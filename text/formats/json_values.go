package formats

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// jsonValuesParser reads the objects of [JSONL] where they are not one a line: in a list, or on several lines each.
type jsonValuesParser struct {
	jsonlParser
	decoder  *json.Decoder
	newlines *newlineCounter
	records  *input.RecordReader // the source of newlines
	isList   bool                // the file is a list
	started  bool                // the list was begun
	listed   bool                // in the list
	done     bool
}

func newJSONValuesParser(f *file, r *bufio.Reader, refuse bool) *jsonValuesParser {
	isList := startsWith(r, '[')
	records := input.NewRecordReader(r, aDocument, f.limits)
	newlines := &newlineCounter{r: records}
	return &jsonValuesParser{
		jsonlParser: jsonlParser{file: f, refuse: refuse}, decoder: json.NewDecoder(newlines), newlines: newlines,
		records: records, isList: isList,
	}
}

func (p *jsonValuesParser) next() ([]result, error) {
	for !p.done {
		p.records.Begin(p.decoder.InputOffset())
		if p.listed && !p.decoder.More() {
			p.listed = false
			if _, err := p.decoder.Token(); err != nil {
				return p.end(err)
			}
			continue
		}
		if !p.started && p.isList {
			p.started, p.listed = true, true
			if _, err := p.decoder.Token(); err != nil {
				return p.end(err)
			}
			continue
		}
		var raw json.RawMessage
		if err := p.decoder.Decode(&raw); err != nil {
			return p.end(err)
		}
		p.number++
		p.at = p.newlines.line(p.decoder.InputOffset() - int64(len(raw)))
		return p.value(raw)
	}
	return nil, io.EOF
}

// value returns the errors of the mentions of a value, followed by its document.
func (p *jsonValuesParser) value(raw json.RawMessage) ([]result, error) {
	if at := input.InvalidUTF8(string(raw)); at >= 0 {
		return p.fail(p.at, input.NotUTF8(string(raw), at).Error()), nil
	}
	if raw[0] != '{' {
		return p.fail(p.at, fmt.Sprintf(`want an object with a "text", got %s`, input.Quote(string(raw)))), nil
	}
	var object bytes.Buffer
	if err := json.Compact(&object, raw); err != nil {
		return p.end(err)
	}
	results, reason := p.document(object.String())
	if reason != "" {
		return p.fail(p.at, reason), nil
	}
	return results, nil
}

// end ends the file: with its end, or at JSON that is malformed, after which nothing can be read.
func (p *jsonValuesParser) end(err error) ([]result, error) {
	p.done = true
	if err == io.EOF && !p.listed {
		return nil, io.EOF
	}
	line := p.newlines.line(p.decoder.InputOffset())
	if p.newlines.err != nil && p.newlines.err != io.EOF {
		return nil, fmt.Errorf("line %d: %w", line, p.newlines.err)
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return p.fail(line, input.JSONError(err).Error()), nil
}

// startsWith reports whether the first byte of r that is no white space is c.
func startsWith(r *bufio.Reader, c byte) bool {
	for n := 1; ; n++ {
		head, err := r.Peek(n)
		if err != nil {
			return false
		}
		if !bytes.ContainsRune([]byte(" \t\r\n"), rune(head[n-1])) {
			return head[n-1] == c
		}
	}
}
