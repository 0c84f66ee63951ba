package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// gutDocuments cover everything that a record may contain: multi-byte characters, marks, no id, members of the user's
// own.
var gutDocuments = []string{
	`{"id": "a", "text": "Ä gastric ulcer bled.", "mentions": [{"start": 2, "end": 15, "text": "gastric ulcer", "type": "Disease", "id": "T1", "mine": [1, 2]}], "note": "kept"}`,
	`{"text": "No [ENT] coeliac disease [/ENT] was seen."}`,
	`{"id": "c", "text": "Nothing here <b>&amp;</b>."}`,
}

// libraryLines links documents as "ctxnorm link" does, using only the library.
func libraryLines(t *testing.T, cfg Config, docs []string, tag bool, o ctxnorm.LinkOptions, assertions bool) []string {
	t.Helper()
	m := must.Get(ctxnorm.Open(t.Context(), cfg.Model, cfg.Open))
	defer m.Close()
	reader := formats.NewReader(strings.NewReader(strings.Join(docs, "\n")), "docs", formats.Options{Format: formats.JSONL})
	var lines []string
	for range docs {
		record := must.Get(reader.Next())
		o.Tag, o.Assertion = tag, assertions
		docs := must.Get(m.LinkRecords(t.Context(), []*formats.Record{record}, o))
		var b bytes.Buffer
		w := must.Get(formats.NewWriter(&b, formats.JSONL))
		must.Succeed(t, w.Write(record, docs[0]))
		lines = append(lines, strings.TrimSuffix(b.String(), "\n"))
	}
	return lines
}

// answerLines returns the documents of an answer exactly as sent.
func answerLines(t *testing.T, body []byte) []string {
	t.Helper()
	var answer struct{ Documents []json.RawMessage }
	must.Succeed(t, json.Unmarshal(body, &answer), string(body))
	lines := make([]string, len(answer.Documents))
	for i, raw := range answer.Documents {
		lines[i] = string(raw)
	}
	return lines
}

// TestAnswersEqualTheCommand compares answers with the lines of "ctxnorm link", byte by byte.
func TestAnswersEqualTheCommand(t *testing.T) {
	cfg := gutConfig(t)
	s := newServer(t, cfg)
	for _, test := range []struct {
		target     string
		tag        bool
		options    ctxnorm.LinkOptions
		assertions bool
	}{
		{"/v1/link", false, ctxnorm.LinkOptions{}, false},
		{"/v1/link?top=1", false, ctxnorm.LinkOptions{TopK: 1}, false},
		{"/v1/link?explain=true&assertion=true", false, ctxnorm.LinkOptions{Evidence: true}, true},
		{"/v1/annotate", true, ctxnorm.LinkOptions{}, false},
		{"/v1/annotate?explain=true&top=2", true, ctxnorm.LinkOptions{Evidence: true, TopK: 2}, false},
	} {
		t.Run(test.target, func(t *testing.T) {
			want := libraryLines(t, cfg, gutDocuments, test.tag, test.options, test.assertions)
			w := post(s, test.target, documents(gutDocuments...))
			if w.Code != http.StatusOK {
				t.Fatalf("status %d: %s", w.Code, w.Body)
			}
			must.Equal(t, answerLines(t, w.Body.Bytes()), want, "command and server")
			if test.options.Evidence && !strings.Contains(w.Body.String(), `"evidence"`) {
				t.Error("no evidence")
			}
		})
	}
}

// TestReconcileMatchesCertain checks that a candidate is a match, which a client accepts without asking, only if it is
// certain.
func TestReconcileMatchesCertain(t *testing.T) {
	for probability, want := range map[float64]bool{.06: false, .79: false, .8: true, 1: true} {
		m := &linked.Mention{Candidates: []linked.Candidate{{Concept: "EX:1", MatchedName: "fever", Probability: probability}}}
		must.Equal(t, (&reconcileQuery{Query: "fever"}).isSure(m), want, "of probability", probability)
	}
}
