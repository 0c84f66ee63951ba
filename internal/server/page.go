package server

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ctxnorm/ctxnorm/text/linked"
)

// The page consists of plain HTML, CSS and JavaScript modules, and talks to the API. Each module begins with its
// purpose. The page loads nothing from elsewhere, and [pagePolicy] blocks any other script.
//
//go:embed page
var pageFiles embed.FS

// pagePolicy lets a page load from and talk to this server only.
const pagePolicy = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Paths of the files that the pages load, and of the page that documents the API.
const (
	pagePrefix = "/page/"
	docsPath   = "/docs"
)

// contentTypes maps file extensions to content types, because the table of [mime] depends on the machine.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

// addPages registers the page, the API documentation, and the files that both load.
func addPages(mux *http.ServeMux, api *huma.OpenAPI) error {
	serve := func(pattern, name string, content []byte) {
		mux.HandleFunc("GET "+pattern, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentTypes[path.Ext(name)])
			w.Header().Set("Content-Security-Policy", pagePolicy)
			_, _ = w.Write(content) // the client is gone
		})
	}
	entries, err := pageFiles.ReadDir("page")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := entry.Name()
		content, err := pageFiles.ReadFile("page/" + name)
		pattern := pagePrefix + name
		switch name {
		case "index.html":
			pattern = "/{$}"
		case "docs.html":
			pattern = docsPath
			content, err = describe(string(content), api)
		}
		if err != nil {
			return err
		}
		serve(pattern, name, content)
	}
	serve(pagePrefix+"mentions.css", ".css", []byte(linked.CSS))
	limits := fmt.Sprintf("export const certain = %g;\nexport const likely = %g;\n", linked.Certain, linked.Likely)
	serve(pagePrefix+"certainty.js", ".js", []byte(limits))
	return nil
}

// exampleBodies are sample request bodies to try operations with.
var exampleBodies = map[string]string{
	"/v1/link":     `{"documents": [{"text": "A text with a [ENT] mention [/ENT]."}]}`,
	"/v1/annotate": `{"documents": [{"text": "A text."}]}`,
	"/v1/export":   `{"documents": [{"text": "A text.", "mentions": [{"start": 2, "end": 6, "candidates": [{"id": "C1"}]}]}]}`,
}

// describe renders a template with the description of an API.
func describe(page string, api *huma.OpenAPI) ([]byte, error) {
	t, err := template.New("docs").Funcs(template.FuncMap{
		"has": slices.Contains[[]string], "type": typeName,
		"operations": func(item *huma.PathItem) []*huma.Operation {
			all := []*huma.Operation{item.Get, item.Post, item.Put, item.Delete}
			return slices.DeleteFunc(all, func(op *huma.Operation) bool { return op == nil })
		},
		"schema": func(content map[string]*huma.MediaType) string { // the name of the schema of a JSON body
			if body := content[jsonType]; body != nil {
				return refName(body.Schema.Ref)
			}
			return ""
		},
		"address": func(op *huma.Operation) string { // with the required parameters
			address := op.Path
			for _, p := range op.Parameters {
				if p.In == "query" && p.Required {
					address += "?" + p.Name + "="
				}
			}
			return address
		},
		"body": func(op *huma.Operation) string { return cmp.Or(exampleBodies[op.Path], "{}") },
	}).Parse(page)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, api)
	return b.Bytes(), err
}

func refName(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

// typeName returns the display name of a value's type: the name of its schema, or else its JSON type.
func typeName(s *huma.Schema) string {
	if s.Type == huma.TypeArray && s.Items != nil {
		return "list of " + typeName(s.Items)
	}
	return cmp.Or(refName(s.Ref), s.Type)
}
