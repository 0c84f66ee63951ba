package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// Documents with everything that a record may say: characters of several bytes, marks, no id, members of the user's.
var gutDocuments = []string{
	`{"id": "a", "text": "Ä gastric ulcer bled.", "mentions": [{"start": 2, "end": 15, "text": "gastric ulcer", "type": "Disease", "id": "T1", "mine": [1, 2]}], "note": "kept"}`,
	`{"text": "No [ENT] coeliac disease [/ENT] was seen."}`,
	`{"id": "c", "text": "Nothing here <b>&amp;</b>."}`,
}

// libraryLines links documents as "ctxnorm link" does, with the library alone.
func libraryLines(t *testing.T, cfg Config, docs []string, tag bool, o ctxnorm.LinkOptions, assertions bool) []string {
	t.Helper()
	m, err := ctxnorm.Open(t.Context(), cfg.Model, cfg.Open)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	reader := formats.NewReader(strings.NewReader(strings.Join(docs, "\n")), "docs", formats.Options{Format: formats.JSONL})
	var lines []string
	for range docs {
		record, err := reader.NextRecord()
		if err != nil {
			t.Fatal(err)
		}
		o.Tag, o.Assertion = tag, assertions
		docs, err := m.LinkRecords(t.Context(), []*formats.Record{record}, o)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		w, err := formats.NewWriter(&b, formats.JSONL)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(record, docs[0]); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.TrimSuffix(b.String(), "\n"))
	}
	return lines
}

// answerLines returns the documents of an answer as they were sent.
func answerLines(t *testing.T, body []byte) []string {
	t.Helper()
	var answer struct{ Documents []json.RawMessage }
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	lines := make([]string, len(answer.Documents))
	for i, raw := range answer.Documents {
		lines[i] = string(raw)
	}
	return lines
}

// TestAnswersEqualTheCommand compares answers with the lines that "ctxnorm link" writes, byte by
// byte.
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
			if diff := cmp.Diff(want, answerLines(t, w.Body.Bytes())); diff != "" {
				t.Errorf("(-command +server):\n%s", diff)
			}
			if test.options.Evidence && !strings.Contains(w.Body.String(), `"evidence"`) {
				t.Error("no evidence")
			}
		})
	}
}

func TestLinkWithoutEncoder(t *testing.T) {
	s := newServer(t, Config{Model: modeltest.Build(t, nil, modeltest.Ulcer)})
	type answer struct{ Documents []linked.Document }
	a := ok[answer](t, post(s, "/v1/annotate", documents(`{"text":"A gastric ulcer."}`)))
	if m := a.Documents[0].Mentions; len(m) != 1 || len(m[0].Candidates) == 0 || m[0].Candidates[0].Concept != "G2" || m[0].Candidates[0].Probability <= 0 {
		t.Errorf("mentions %+v, want one linked to G2", m)
	}
	if status := ok[healthStatus](t, get(s, "/healthz")); status.Encoder || status.Recognizer {
		t.Error("the server says that its model has an encoder or a recognizer")
	}
	for path, want := range map[string]string{"/v1/annotate": "the model has no recognizer", "/v1/link": "has an effect on /v1/annotate alone"} {
		w := post(s, path+"?recognize=true", documents(`{"text":"A gastric ulcer.","mentions":[]}`))
		if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s is answered by %d, %s, want 422 with %q", path, w.Code, w.Body, want)
		}
	}
}

// A model whose encoder this build cannot run is served by strings, if the method says so.
func TestLinkWithEncoderLeftOut(t *testing.T) {
	if ctxnorm.CanTrain {
		t.Skip("this build would open the encoder, which is a fixture without weights")
	}
	cfg := gutConfig(t)
	cfg.Open.OpenEncoder = nil
	if _, err := New(t.Context(), cfg); err == nil {
		t.Error("the method ranked is served without the encoder that it needs")
	}
	cfg.Link.Method = ctxnorm.MethodLexical
	s := newServer(t, cfg)
	type answer struct{ Documents []linked.Document }
	a := ok[answer](t, post(s, "/v1/annotate", documents(`{"text":"A gastric ulcer."}`)))
	if m := a.Documents[0].Mentions; len(m) != 1 || len(m[0].Candidates) == 0 || m[0].Candidates[0].Concept != "G2" {
		t.Errorf("mentions %+v, want one linked to G2", m)
	}
	p := wantProblem(t, post(s, "/v1/link?explain=true", documents(`{"text":"A"}`)), http.StatusUnprocessableEntity)
	if len(p.Faults) != 1 || p.Faults[0].Parameter != "explain" {
		t.Errorf("faults %+v, want one of the parameter explain", p.Faults)
	}
}

// TestExplainNearest: a method that compares vectors and names no exemplars refuses to explain.
func TestExplainNearest(t *testing.T) {
	cfg := gutConfig(t)
	cfg.Link.Method = ctxnorm.MethodNearest
	s := newServer(t, cfg)
	p := wantProblem(t, post(s, "/v1/link?explain=true", documents(`{"text":"A"}`)), http.StatusUnprocessableEntity)
	if len(p.Faults) != 1 || p.Faults[0].Parameter != "explain" {
		t.Errorf("faults %+v, want one of the parameter explain", p.Faults)
	}
}
