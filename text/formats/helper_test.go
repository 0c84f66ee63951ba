package formats

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// readAll reads to the end of the file. It returns the documents and the messages of the malformed records.
func readAll(t testing.TB, r *Reader) (docs []*text.Document, problems []string) {
	t.Helper()
	for {
		doc, err := r.Next()
		var bad *RecordError
		switch {
		case err == io.EOF:
			if _, again := r.Next(); again != io.EOF {
				t.Errorf("after the end: %v, want io.EOF again", again)
			}
			return docs, problems
		case errors.As(err, &bad):
			problems = append(problems, bad.Error())
		case err != nil:
			t.Fatal(err)
		default:
			docs = append(docs, doc.Document)
		}
	}
}

// countingDuplicates returns options by which a reader counts the documents that it skips.
func countingDuplicates(n *int) Options {
	return Options{Warn: func(e *RecordError) {
		if strings.Contains(e.Reason, "already and is skipped") {
			*n++
		}
	}}
}

func readText(t testing.TB, content string, format Format) ([]*text.Document, []string) {
	t.Helper()
	return readAll(t, NewReader(strings.NewReader(content), "file", Options{Format: format}))
}

// newSubMention returns a sub-mention with one candidate.
func newSubMention(c linked.Candidate) linked.SubMention {
	return linked.SubMention{Text: "tumor", Candidates: []linked.Candidate{c}}
}
