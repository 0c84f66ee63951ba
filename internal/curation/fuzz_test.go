package curation

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// FuzzParse checks that no content of a document's file makes the reader panic, and that accepted content is written
// again unchanged.
func FuzzParse(f *testing.F) {
	for _, d := range []*Document{
		{Document: linked.Document{ID: "1", Text: body}, State: State{Format: 1, Version: 1}},
		{Document: linked.Document{ID: "a/b", Text: body}, State: State{Format: 1, Twin: 2, Version: 7, Left: 2, Removed: []Place{ulcer}, Marked: []Place{belly}}},
	} {
		object := must.Get(d.MarshalJSON())
		f.Add(object)
	}
	f.Fuzz(func(t *testing.T, object []byte) {
		line, err := artifact.AppendCheckedLine(nil, rawJSON(object))
		if err != nil {
			return // not JSON
		}
		d, err := parse(line)
		if err != nil {
			return
		}
		written := must.Get(artifact.AppendCheckedLine(nil, d))
		again, err := parse(written)
		if err != nil || again.Twin != d.Twin || again.Version != d.Version || again.Text != d.Text || len(again.Mentions) != len(d.Mentions) {
			t.Errorf("read %+v, then %+v, %v", d, again, err)
		}
	})
}

// rawJSON is written unchanged.
type rawJSON []byte

// MarshalJSON implements [json.Marshaler].
func (r rawJSON) MarshalJSON() ([]byte, error) { return r, nil }
