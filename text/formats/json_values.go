package formats

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// jsonStream decodes the JSON of a file that is no line a document.
type jsonStream struct {
	*jsontext.Decoder
	file    *file
	records *input.RecordReader // the source of the decoder
}

// line returns the line on which the value begins that was read last, or without one that of the end of what was read.
func (s *jsonStream) line(value jsontext.Value) int {
	return s.records.Newlines - bytes.Count(s.UnreadBuffer(), []byte("\n")) - bytes.Count(value, []byte("\n")) + 1
}

// end ends the file: with its end, or at JSON that is malformed, after which nothing can be read.
func (s *jsonStream) end(err error) error {
	line := s.line(nil)
	bad, malformed := errors.AsType[*jsontext.SyntacticError](err)
	if unread := s.UnreadBuffer(); malformed {
		line += bytes.Count(unread[:min(int64(len(unread)), bad.ByteOffset-s.InputOffset())], []byte("\n"))
	}
	switch {
	case err == io.EOF:
		return io.EOF
	case malformed && errors.Unwrap(bad.Err) != nil: // the decoder's name for an error of reading
		return fmt.Errorf("line %d: %w", line, errors.Unwrap(bad.Err))
	case malformed || err == io.ErrUnexpectedEOF:
		s.file.fail(line, input.JSONError(err).Error())
		return io.EOF
	}
	return fmt.Errorf("line %d: %w", line, err)
}

// readJSONValues reads the objects of [JSONL] where they are not one a line: in a list, also one that is a member of
// an object, or on several lines.
func readJSONValues(f *file, r *bufio.Reader, o *Options) (parser, error) {
	head, _ := r.Peek(r.Buffered())
	records := input.NewRecordReader(r, aDocument, f.limits)
	objects := input.NewObjects(records, head, wrappedDocuments(head), nil)
	p, stream := newJSONLParser(f, o), jsonStream{objects.Decoder, f, records}
	return func() error {
		records.Begin(objects.InputOffset())
		raw, err := objects.Next()
		if err != nil {
			return stream.end(err)
		}
		p.number++
		f.at = stream.line(jsontext.Value(raw))
		reason := ""
		if at := input.InvalidUTF8(string(raw)); at >= 0 {
			reason = input.NotUTF8(string(raw), at).Error()
		} else if raw[0] != '{' {
			reason = fmt.Sprintf(`want an object with a "text", got %s`, input.Quote(string(raw)))
		} else {
			reason = p.document(string(raw))
		}
		if reason != "" {
			f.failLine(reason)
		}
		return nil
	}, nil
}

// startsList reports whether the first byte of r that is no white space opens a list.
func startsList(r *bufio.Reader) bool {
	for n := 1; ; n++ {
		head, err := r.Peek(n)
		if rest := bytes.TrimLeft(head, " \t\r\n"); err != nil || len(rest) > 0 {
			return bytes.HasPrefix(rest, []byte("["))
		}
	}
}
