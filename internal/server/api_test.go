package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

func TestOpenAPI(t *testing.T) {
	s := newServer(t, gutConfig(t))
	w := get(s, "/openapi.json")
	old := get(s, "/openapi-3.0.json").Body.Bytes()
	if !bytes.Contains(old, []byte(`"openapi":"3.0.3"`)) || bytes.Contains(old, []byte("contentMediaType")) { // of 3.1
		t.Errorf("version 3.0 is %s", old)
	}
	var spec struct {
		OpenAPI string
		Paths   map[string]map[string]struct {
			OperationID string
			Responses   map[string]any
		}
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &spec); err != nil || spec.OpenAPI != "3.1.0" {
		t.Fatalf("version %q, %v, want 3.1.0", spec.OpenAPI, err)
	}
	for _, path := range []string{"/v1/link", "/v1/annotate", "/v1/concepts", "/v1/concepts/{id}", "/v1/memory", "/v1/memory/{number}", "/v1/memory/export", "/v1/memory/import", "/healthz"} {
		for method, op := range spec.Paths[path] {
			if op.OperationID == "" || op.Responses["200"] == nil || op.Responses["default"] == nil {
				t.Errorf("%s %s: %+v, want an id, a result and an error", method, path, op)
			}
		}
		if len(spec.Paths[path]) == 0 {
			t.Errorf("%s is missing", path)
		}
	}
	var exports struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct {
				Content map[string]struct{ Schema struct{ Type string } }
			}
		}
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	must.Succeed(t, json.Unmarshal(w.Body.Bytes(), &exports))
	for _, format := range formats.Outputs().Names() {
		written := post(s, "/v1/export?format="+string(format), `{"documents":[{"text":"","mentions":[]}]}`)
		kind, _, _ := strings.Cut(written.Header().Get("Content-Type"), ";")
		for path, method := range map[string]string{"/v1/export": "post", "/v1/curation/export": "get"} {
			want := "string"
			if strings.HasSuffix(kind, "json") && kind != "application/x-ndjson" {
				want = "object"
			}
			content := exports.Paths[path][method].Responses["200"].Content[kind]
			if written.Code != http.StatusOK || content.Schema.Type != want {
				t.Errorf("%s of %s: status %d, %q is described as a %q, want %q", path, format, written.Code, kind,
					content.Schema.Type, want)
			}
		}
	}
	for member, want := range map[string]string{"number": "counts for nothing", "at": "by default now", "start": "minimum:0"} {
		must.Contain(t, fmt.Sprint(exports.Components.Schemas["ImportedEntry"].Properties[member]), want, member,
			"of an imported entry")
	}
	for _, member := range []string{"id", "name", "narrower"} {
		if exports.Components.Schemas["HierarchyConcept"].Properties[member] == nil {
			t.Errorf("HierarchyConcept has no %s", member)
		}
	}
	if spec.Components.Schemas["ErrorModel"] != nil || spec.Components.Schemas["Problem"] == nil {
		t.Error("want the schema of Problem, and not huma's")
	}
}

// TestDocs checks that the documentation page loads nothing from elsewhere, and runs only its own script.
func TestDocs(t *testing.T) {
	s := newServer(t, gutConfig(t))
	page := get(s, "/docs")
	if page.Code != http.StatusOK || !strings.HasPrefix(page.Header().Get("Content-Type"), "text/html") {
		t.Fatalf("status %d, %s", page.Code, page.Header())
	}
	for _, want := range []string{"POST /v1/link", "GET /v1/concepts/{id}", "schema-LinkedDocument", "code points"} {
		must.Contain(t, page.Body.String(), want, "the page")
	}
	body := strings.Replace(page.Body.String(), `<script type="module" src="/page/docs.js"></script>`, "", 1)
	must.Equal(t, regexp.MustCompile(`(?i)<script|\bon\w+=|src=|https?://|style=`).FindString(body), "", "the page")
	for _, ref := range regexp.MustCompile(`href="([^"]+)"`).FindAllStringSubmatch(page.Body.String(), -1) {
		anchor, internal := strings.CutPrefix(ref[1], "#")
		if internal {
			must.Contain(t, page.Body.String(), `id="`+anchor+`"`, "the page")
			continue
		}
		must.Equal(t, get(s, ref[1]).Code, http.StatusOK, ref[1], "status")
	}
	if csp := page.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'self'") || strings.Contains(csp, "unsafe") {
		t.Errorf("Content-Security-Policy is %q", csp)
	}
}
