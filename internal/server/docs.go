package server

import (
	"bytes"
	"cmp"
	_ "embed"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

//go:embed docs.html
var docsTemplate string

//go:embed docs.css
var docsStyle []byte

//go:embed docs.js
var docsScript []byte

// docs is the page that describes the API, made of its openapi.json, and tries its operations. It loads nothing but
// style sheets and a script from this server, one of the sheets that of the page.
type docs struct{ page []byte }

type docsOperation struct {
	Method, Path string
	*huma.Operation
	Request, Response string // names of schemas; empty if there is no body
	Address           string // to try it at, with the parameters that it needs; empty if its body is a file
	Body              string // of JSON, to try it with; empty if there is none
}

// docsBodies are bodies to try operations with.
var docsBodies = map[string]string{
	"/v1/link":     `{"documents": [{"text": "A text with a [ENT] mention [/ENT]."}]}`,
	"/v1/annotate": `{"documents": [{"text": "A text."}]}`,
	"/v1/export":   `{"documents": [{"text": "A text.", "mentions": [{"start": 2, "end": 6, "candidates": [{"id": "C1"}]}]}]}`,
}

type docsSchema struct {
	Name   string
	Fields []docsField
}

type docsField struct {
	Name, Type, Doc string
	Required        bool
}

func newDocs(o *huma.OpenAPI) (*docs, error) {
	page, err := template.New("docs").Parse(docsTemplate)
	if err != nil {
		return nil, err
	}
	data := struct {
		Info       *huma.Info
		Operations []docsOperation
		Schemas    []docsSchema
	}{Info: o.Info}
	for _, path := range sortedKeys(o.Paths) {
		item := o.Paths[path]
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Delete} {
			if op == nil {
				continue
			}
			operation := docsOperation{Method: op.Method, Path: path, Operation: op, Address: path,
				Response: bodySchema(op.Responses["200"].Content)}
			for _, p := range op.Parameters {
				if p.In == "query" && p.Required {
					operation.Address += "?" + p.Name + "="
				}
			}
			if op.RequestBody != nil {
				operation.Request = bodySchema(op.RequestBody.Content)
				if operation.Body = cmp.Or(docsBodies[path], "{}"); operation.Request == "" {
					operation.Address = ""
				}
			}
			data.Operations = append(data.Operations, operation)
		}
	}
	schemas := o.Components.Schemas.Map()
	for _, name := range sortedKeys(schemas) {
		schema := docsSchema{Name: name}
		for _, property := range sortedKeys(schemas[name].Properties) {
			s := schemas[name].Properties[property]
			schema.Fields = append(schema.Fields, docsField{property, typeName(s), s.Description,
				slices.Contains(schemas[name].Required, property)})
		}
		data.Schemas = append(data.Schemas, schema)
	}
	var b bytes.Buffer
	if err := page.Execute(&b, data); err != nil {
		return nil, err
	}
	return &docs{b.Bytes()}, nil
}

// bodySchema returns the name of the schema of a body of JSON.
func bodySchema(content map[string]*huma.MediaType) string {
	if body := content[jsonType]; body != nil {
		return refName(body.Schema.Ref)
	}
	return ""
}

func refName(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

// typeName returns the type of a value: the name of its schema, or that of JSON.
func typeName(s *huma.Schema) string {
	if s.Type == huma.TypeArray && s.Items != nil {
		return "list of " + typeName(s.Items)
	}
	return cmp.Or(refName(s.Ref), s.Type)
}

func (d *docs) register(mux *http.ServeMux) {
	serve := func(path, contentType string, content []byte) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src 'self'; "+
				"script-src 'self'; connect-src 'self'; frame-ancestors 'none'")
			_, _ = w.Write(content) // the client is gone
		})
	}
	serve(docsPath, "text/html; charset=utf-8", d.page)
	serve(docsPath+"/style.css", "text/css; charset=utf-8", docsStyle)
	serve(docsPath+"/try.js", "text/javascript; charset=utf-8", docsScript)
}
