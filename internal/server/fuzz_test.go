package server

import (
	"encoding/json"
	"net/http"
	"testing"
)

// FuzzBody posts any body to each endpoint that reads one. The answer is JSON and no error of the
// server's own, and the server goes on.
func FuzzBody(f *testing.F) {
	endpoints := []string{"/v1/link", "/v1/annotate", "/v1/export"}
	for i := range endpoints {
		for _, body := range []string{
			"", "null", "{}", `{"documents": [{"text": "a gastric ulcer", "mentions": [{"start": 2, "end": 15}]}]}`,
			`{"documents": [{"id": 1, "text": "na\u00efve"}], "options": {"top": 2}}`, `{"documents": [{"text": "\ud800"}]}`, `{"documents": [[[[`,
		} {
			f.Add(i, []byte(body))
		}
	}
	s := newServer(f, gutConfig(f))
	f.Fuzz(func(t *testing.T, i int, body []byte) {
		if i < 0 || i >= len(endpoints) {
			return
		}
		w := post(s.Handler(), endpoints[i], string(body))
		if w.Code >= http.StatusInternalServerError || w.Code != http.StatusOK && !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s: status %d: %s", endpoints[i], w.Code, w.Body)
		}
	})
}
