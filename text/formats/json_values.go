package formats

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// jsonValuesParser reads the objects of [JSONL] where they are not one a line: in a list, also one that is a member of
// an object, or on several lines each.
type jsonValuesParser struct {
	jsonlParser
	objects  *input.Objects
	newlines *newlineCounter
	records  *input.RecordReader // the source of newlines
	done     bool
}

func newJSONValuesParser(f *file, r *bufio.Reader, o *Options) *jsonValuesParser {
	head, _ := r.Peek(r.Buffered())
	records := input.NewRecordReader(r, aDocument, f.limits)
	newlines := &newlineCounter{r: records}
	return &jsonValuesParser{
		jsonlParser: newJSONLParser(f, o),
		objects:     input.NewObjects(newlines, head, wrappedDocuments(head), nil),
		newlines:    newlines, records: records,
	}
}

func (p *jsonValuesParser) next() ([]result, error) {
	if p.done {
		return nil, io.EOF
	}
	p.records.Begin(p.objects.Offset())
	raw, err := p.objects.Next()
	if err != nil {
		return p.end(err)
	}
	p.number++
	p.at = p.newlines.line(p.objects.Offset() - int64(len(raw)))
	return p.value(raw)
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
	if err == io.EOF {
		return nil, io.EOF
	}
	line := p.newlines.line(p.objects.Offset())
	if p.newlines.err != nil && p.newlines.err != io.EOF {
		return nil, fmt.Errorf("line %d: %w", line, p.newlines.err)
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
