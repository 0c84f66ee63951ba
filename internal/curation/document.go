package curation

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// formatVersion is the version of the file of a document.
//
//	1  the first
const formatVersion = 1

// Document is a document with what curators decided of it. Its mentions are those decided on: their identifiers and
// first candidates are the concept, none for NIL, and Corrected says who decided, and when.
type Document struct {
	linked.Document
	// Version counts the changes. It is 0 for a document that nobody has opened.
	Version int
	// Left is the number of other mentions that the page found when the document was stored.
	Left int
	// Removed are mentions of the page that curators removed, and Marked those that they added and did not decide on.
	Removed, Marked []text.Span
}

// state is what the file of a document says besides the members of a line of JSONL. Spans count code points.
type state struct {
	Format  int         `json:"format"`
	File    string      `json:"file,omitempty"` // of a document without an identifier of its own
	Version int         `json:"version"`
	Left    int         `json:"left"`
	Removed []text.Span `json:"removed,omitempty"`
	Marked  []text.Span `json:"marked,omitempty"`
}

// MarshalJSON writes the document as a line of JSONL with a member curation.
func (d *Document) MarshalJSON() ([]byte, error) { return d.marshal("") }

func (d *Document) marshal(file string) ([]byte, error) {
	object, err := d.Document.MarshalJSON()
	if err != nil {
		return nil, err
	}
	offsets := text.NewOffsets(d.Text)
	points := func(spans []text.Span) (in []text.Span) {
		for _, s := range spans {
			in = append(in, offsets.CodePoints(s))
		}
		return in
	}
	member, err := json.Marshal(state{formatVersion, file, d.Version, d.Left, points(d.Removed), points(d.Marked)})
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(object[:len(object)-1], `,"curation":%s}`, member), nil
}

// stored is the file of a document: a line that [artifact.CheckLine] compares.
type stored struct {
	*Document
	file string
}

// MarshalJSON implements [json.Marshaler].
func (s stored) MarshalJSON() ([]byte, error) { return s.marshal(s.file) }

// parse returns the document of a file, and the file that its key is made of.
func parse(data []byte) (*Document, string, error) {
	if bytes.IndexByte(data, '\n') != len(data)-1 {
		return nil, "", artifact.Damaged("", "line 1: want one line")
	}
	object, ok := artifact.CheckLine(data)
	if !ok {
		return nil, "", artifact.Damaged("", "line 1: is not as it was written: its checksum is another")
	}
	var read struct {
		Curation *state `json:"curation"`
	}
	d := new(Document)
	if err := errors.Join(input.DecodeJSON(object, &read), d.Document.UnmarshalJSON(object)); err != nil {
		return nil, "", artifact.Damaged("", "line 1: %v", err)
	}
	c := read.Curation
	switch {
	case c == nil:
		return nil, "", artifact.Damaged("", "line 1: has no decisions of curators")
	case c.Format != formatVersion:
		return nil, "", artifact.Damaged("", "line 1: has format %d, want %d", c.Format, formatVersion)
	case c.Version < 1 || c.Left < 0:
		const want = "line 1: has version %d and %d mentions left, want at least 1 and 0"
		return nil, "", artifact.Damaged("", want, c.Version, c.Left)
	}
	d.Version, d.Left = c.Version, c.Left
	var err error
	if d.Removed, err = Bytes(d.Text, c.Removed); err == nil {
		d.Marked, err = Bytes(d.Text, c.Marked)
	}
	if err != nil {
		return nil, "", artifact.Damaged("", "line 1: %v", err)
	}
	return d, c.File, nil
}

// Bytes returns spans of a text, given in code points. The error, a [*SpanError], says which is not within the text.
func Bytes(body string, spans []text.Span) ([]text.Span, error) {
	offsets := text.NewOffsets(body)
	var in []text.Span
	for i, s := range spans {
		bytes, ok := offsets.Bytes(s)
		if !ok || bytes.Len() == 0 {
			return nil, &SpanError{i, s, offsets.Len()}
		}
		in = append(in, bytes)
	}
	return in, nil
}

// SpanError reports a span that is not within its text.
type SpanError struct {
	Index      int // in its list
	Span       text.Span
	Characters int // of the text
}

func (e *SpanError) Error() string {
	const want = "mention at %d-%d, want a range within the %d characters of the text"
	return fmt.Sprintf(want, e.Span.Start, e.Span.End, e.Characters)
}

// maxNameStart is the number of bytes of an identifier that the name of a file begins with.
const maxNameStart = 80

// fileName returns the name of the file of a document, which its identifier and its text decide; and of one without an
// identifier of its own, where its number or its name stands for it, the file that it is from.
func fileName(id, body, file string) string {
	sum := sha256.New()
	for _, part := range []string{id, file, body} {
		fmt.Fprintf(sum, "%d:%s", len(part), part)
	}
	plain := strings.Map(func(r rune) rune {
		if r < 0x80 && strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", r) {
			return r
		}
		return '_'
	}, id)
	return plain[:min(len(plain), maxNameStart)] + "-" + hex.EncodeToString(sum.Sum(nil)[:8]) + fileSuffix
}

const fileSuffix = ".jsonl"
