package formats

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/text/linked"
)

// TestAnnotationToolsWritten: what a tool wrote stays, and the mentions with their candidates are added.
func TestAnnotationToolsWritten(t *testing.T) {
	const line = `{"text":"A flu.","spans":[{"start":2,"end":5,"label":"Disease"}],"answer":"accept"}`
	r := NewReader(strings.NewReader(line+"\n"), "file", Options{})
	record, err := r.NextRecord()
	if err != nil {
		t.Fatal(err)
	}
	doc := &linked.Document{ID: record.ID, Text: record.Text, Mentions: []linked.Mention{{
		Span: record.Mentions[0].Span, Text: "flu", Candidates: []linked.Candidate{{Concept: "D1", Name: "influenza", Score: 1}},
	}}}
	record.AddAnnotations(doc)
	var out bytes.Buffer
	w, err := NewWriter(&out, JSONL)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(record, doc); err != nil {
		t.Fatal(err)
	}
	want := `{"id":"1","text":"A flu.","spans":[{"start":2,"end":5,"label":"Disease"}],"answer":"accept","mentions":[` +
		`{"start":2,"end":5,"text":"flu","type":"Disease","candidates":[{"id":"D1","name":"influenza","matched_name":"","score":1,"votes":0}]}]}`
	if diff := cmp.Diff(want+"\n", out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
