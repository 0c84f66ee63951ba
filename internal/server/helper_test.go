package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

// gutConfig returns the settings for a server of a small model, with an encoder whose vectors can be computed by hand.
func gutConfig(t testing.TB) Config {
	t.Helper()
	encoder := fixtures.GutEncoder()
	open := func(string) (ctxnorm.Encoder, error) { return encoder, nil }
	return Config{
		Model:   modeltest.Build(t, encoder, modeltest.Ulcer),
		Open:    ctxnorm.OpenOptions{OpenEncoder: open},
		Version: "test",
		Logf:    func(format string, args ...any) { t.Logf("log: "+format, args...) },
	}
}

// newServer returns a server that is closed at the end of the test.
func newServer(t testing.TB, cfg Config) *Server {
	t.Helper()
	s := must.Get(New(context.Background(), cfg))
	t.Cleanup(func() { must.Succeed(t, s.Close()) })
	for range 500 {
		if cfg.Curation == nil || cfg.Curation.Progress().Linked == cfg.Curation.Len() {
			return s
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the documents to curate are not linked")
	return nil
}

// call handles a request without a connection.
func call(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// request returns a request with a JSON body.
func request(method, target, body string) *http.Request {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", jsonType)
	}
	r.Host = "127.0.0.1"
	return r
}

// get handles a GET request.
func get(h http.Handler, target string) *httptest.ResponseRecorder {
	return call(h, request(http.MethodGet, target, ""))
}

// post handles a POST request with a JSON body.
func post(h http.Handler, target, body string) *httptest.ResponseRecorder {
	return call(h, request(http.MethodPost, target, body))
}

// decode decodes a response, which must have the given status code.
func decode[T any](t testing.TB, w *httptest.ResponseRecorder, status int) T {
	t.Helper()
	var v T
	if w.Code != status {
		t.Fatalf("status %d, want %d: %s", w.Code, status, w.Body)
	}
	must.Succeed(t, json.Unmarshal(w.Body.Bytes(), &v), w.Body)
	return v
}

// ok decodes the response to a request that succeeded.
func ok[T any](t testing.TB, w *httptest.ResponseRecorder) T {
	t.Helper()
	return decode[T](t, w, http.StatusOK)
}

// wantProblem checks that the response is a problem with the given status code, and returns it.
func wantProblem(t testing.TB, w *httptest.ResponseRecorder, status int) Problem {
	t.Helper()
	p := decode[Problem](t, w, status)
	must.Equal(t, w.Header().Get("Content-Type"), problemType, "Content-Type")
	if p.Status != status || p.Title == "" || p.Detail == "" {
		t.Errorf("problem %+v, want one with the status %d, a title and a detail", p, status)
	}
	return p
}

// documents returns a request body with documents, which are JSON.
func documents(docs ...string) string {
	return fmt.Sprintf(`{"documents":[%s]}`, strings.Join(docs, ","))
}

func readAll(t testing.TB, r io.Reader) string {
	t.Helper()
	return string(must.Get(io.ReadAll(r)))
}

// gzipped returns compressed content.
func gzipped(content string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, content) // to memory
	_ = w.Close()
	return b.Bytes()
}

// repeated returns n equal values, separated by commas.
func repeated(n int, value string) string {
	return strings.TrimSuffix(strings.Repeat(value+",", n), ",")
}

// modelOf returns a function that opens a model made from a dictionary.
func modelOf(dict *kb.Dictionary) func(context.Context) (*ctxnorm.Model, error) {
	return func(context.Context) (*ctxnorm.Model, error) {
		return ctxnorm.NewDictionaryModel(dict, "names.tsv"), nil
	}
}

// searchDictionary returns a dictionary whose concepts share a prefix. One identifier has to be escaped in a path.
func searchDictionary() *kb.Dictionary {
	concepts := []kb.Concept{
		{ID: "EX:a/b?c", Name: "Fever", Types: []string{"T184"}, AltIDs: []kb.ConceptID{"OLD:1"}},
		{ID: "EX:2", Name: "fever, scarlet", Synonyms: []string{"scarlet fever"}, Parents: []kb.ConceptID{"EX:a/b?c"}},
		{ID: "EX:3", Name: "feverfew allergy"},
		{ID: "EX:4", Name: "headache"},
		{ID: "EX:5", Name: "<script>alert(1)</script>"},
	}
	for i := range 30 {
		concepts = append(concepts, kb.Concept{ID: kb.ConceptID(fmt.Sprintf("P:%02d", i)), Name: fmt.Sprintf("porphyria kind %02d", i)})
	}
	return kb.NewDictionary(concepts)
}
