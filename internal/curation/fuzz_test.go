package curation

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// FuzzParse: no content of the file of a document makes the reader panic, and what it accepts it writes again as it
// was.
func FuzzParse(f *testing.F) {
	for _, d := range []*Document{
		{Document: linked.Document{ID: "1", Text: body}, Version: 1},
		{Document: linked.Document{ID: "a/b", Text: body}, Version: 7, Left: 2, Removed: []text.Span{ulcer}, Marked: []text.Span{belly}},
	} {
		object, err := d.marshal("notes.txt")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(object)
	}
	f.Fuzz(func(t *testing.T, object []byte) {
		line, err := artifact.AppendCheckedLine(nil, rawJSON(object))
		if err != nil {
			return // no JSON
		}
		d, file, err := parse(line)
		if err != nil {
			return
		}
		for _, span := range append(d.Removed, d.Marked...) {
			_ = span.Of(d.Text)
		}
		written, err := artifact.AppendCheckedLine(nil, stored{d, file})
		if err != nil {
			t.Fatal(err)
		}
		again, file2, err := parse(written)
		if err != nil || file2 != file || again.Version != d.Version || again.Text != d.Text || len(again.Mentions) != len(d.Mentions) {
			t.Errorf("read %+v of %q, then %+v of %q, %v", d, file, again, file2, err)
		}
	})
}

// rawJSON is written as it is.
type rawJSON []byte

// MarshalJSON implements [json.Marshaler].
func (r rawJSON) MarshalJSON() ([]byte, error) { return r, nil }
