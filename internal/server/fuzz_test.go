package server

import (
	"encoding/json"
	"net/http"
	"testing"
)

// FuzzBody posts random bodies to each endpoint that reads one, with the right content type. The answer must be JSON
// and not an internal error, and the server must survive.
func FuzzBody(f *testing.F) {
	endpoints := []struct{ path, contentType string }{
		{"/v1/link", jsonType}, {"/v1/annotate", jsonType}, {"/v1/export", jsonType}, {"/v1/memory", jsonType},
		{"/v1/memory/import", jsonType}, {documentsPath, fileType}, {reconcilePath, formType},
	}
	for i := range endpoints {
		for _, body := range []string{
			"", "null", "{}", `{"documents": [{"text": "a gastric ulcer", "mentions": [{"start": 2, "end": 15}]}]}`,
			`{"documents": [{"id": 1, "text": "na\u00efve"}], "options": {"top": 2}}`, `{"documents": [{"text": "\ud800"}]}`, `{"documents": [[[[`,
			`{"kind": "name", "concept": "G2", "name": "belly ulcer"}`, `{"entries": [{"kind": "name", "concept": "G2", "name": "ache"}]}`,
			`queries={"q0": {"query": "gastric ulcer", "limit": 2, "properties": [{"pid": "x", "v": 1}]}}`, `queries=%7B&queries=1;`,
			`extend={"ids": ["G2", "G9"], "properties": [{"id": "parents"}]}`,
		} {
			f.Add(i, []byte(body))
		}
	}
	s := newServer(f, gutConfig(f))
	f.Fuzz(func(t *testing.T, i int, body []byte) {
		if i < 0 || i >= len(endpoints) {
			return
		}
		r := request(http.MethodPost, endpoints[i].path, string(body))
		r.Header.Set("Content-Type", endpoints[i].contentType)
		w := call(s, r)
		if w.Code >= http.StatusInternalServerError || w.Code != http.StatusOK && !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s: status %d: %s", endpoints[i].path, w.Code, w.Body)
		}
	})
}
