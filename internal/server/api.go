package server

import (
	"context"
	"reflect"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/ctxnorm/ctxnorm/internal/curation"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

const openAPIPath = "/openapi" // with .json or .yaml

const aboutAPI = `Links mentions in texts to the concepts of a dictionary.

Offsets count Unicode code points, as Python's strings do, and an end is exclusive. Errors are
problem details (RFC 9457) with the places of what is wrong in the request.`

// newAPI registers the operations on mux, and those whose bodies are NDJSON on streams.
func (s *Server) newAPI(mux, streams humago.Mux) huma.API {
	api := humago.New(mux, s.apiConfig())
	answer(s, api, "POST /v1/link", "link", "Link the mentions of documents", s.linkDocuments(false))
	answer(s, api, "POST /v1/annotate", "annotate", "Find the dictionary's names in documents, and link them", s.linkDocuments(true))
	answer(s, api, "GET /v1/concepts", "search-concepts", "Search concepts by name", s.searchConcepts)
	answer(s, api, "GET /v1/concepts/{id}", "show-concept", "Show what the model knows of a concept", s.showConcept)
	answer(s, api, "GET /v1/hierarchy", "list-hierarchy",
		"List the concepts directly below a concept, or at the top of the hierarchy", s.listHierarchy)
	answer(s, api, "POST "+documentsPath, "read-documents",
		"Read a file of documents in any format that ctxnorm link reads", s.readDocuments)
	register(s, api, "POST /v1/export", "export",
		"Write linked documents in any format that ctxnorm link writes", s.export)
	answer(s, api, "GET /v1/records", "list-records",
		"List the documents of the corpus of which the model keeps the most sentences", s.listRecords)
	answer(s, api, "GET /v1/records/{id}", "show-record",
		"Show the sentences of a document of the corpus that the model keeps", s.showRecord)
	answer(s, api, "GET /v1/memory", "list-memory", "List what curators said", remembering(s.listMemory))
	answer(s, api, "POST /v1/memory", "add-memory", "Add a name, a context, a NIL example or a concept", remembering(s.addMemory))
	answer(s, api, "DELETE /v1/memory/{number}", "undo-memory", "Undo an entry of the memory", remembering(s.undoMemory))
	answer(s, api, "GET /v1/memory/export", "export-memory", "Export the entries that are in force", remembering(s.exportMemory))
	answer(s, api, "POST /v1/memory/import", "import-memory", "Import entries, all or none", remembering(s.importMemory))
	answer(s, api, "GET /v1/curation", "list-curation",
		"List the documents that the server keeps, with what is left to decide", curating(s, s.listCuration))
	register(s, api, "GET /v1/curation/{number}", "show-curated",
		"Show a document that the server keeps, with what was decided of it", curating(s, s.showCurated))
	register(s, api, "PUT /v1/curation/{number}", "decide", "Store what is decided of a document", curating(s, s.decide))
	register(s, api, "GET "+curationExportPath, "export-curation",
		"Write what was decided of all documents in any format that ctxnorm link writes", curating(s, s.exportCuration))
	answer(s, api, "GET /healthz", "health", "Say whether the server is ready", s.health)
	s.addStreams(api, streams)
	for _, op := range []*huma.Operation{api.OpenAPI().Paths["/v1/export"].Post,
		api.OpenAPI().Paths[curationExportPath].Get} {
		op.Responses["200"].Content = exportContent()
	}
	// The member format is set as an extension because huma adds contentMediaType to a format that it knows, even in
	// OpenAPI 3.0, which has no such member.
	file := api.OpenAPI().Paths[documentsPath].Post.RequestBody.Content[fileType].Schema
	file.Format, file.Extensions = "", map[string]any{"format": "binary"}
	registry := api.OpenAPI().Components.Schemas
	delete(registry.Map(), "ErrorModel") // huma's errors, which toProblem replaces
	delete(registry.Map(), "ErrorDetail")
	for _, schema := range registry.Map() {
		for _, property := range schema.Properties {
			property.Nullable = false // lists are never null
		}
	}
	return api
}

// streamPaths maps the path of each stream to whether the stream tags the texts first.
var streamPaths = map[string]bool{"/v1/link": false, "/v1/annotate": true}

// addStreams registers the stream operations, which share their paths with ordinary ones, and describes them there.
func (s *Server) addStreams(api huma.API, mux humago.Mux) {
	config := s.apiConfig()
	config.OpenAPIPath = "" // the ordinary operations serve it
	streams := humago.New(mux, config)
	for path, tag := range streamPaths {
		register(s, streams, "POST "+path, "stream "+path, "", s.streamDocuments(tag))
		op := api.OpenAPI().Paths[path].Post
		op.Description = "A body of NDJSON has a document a line, and so has the answer, which begins before the body ends. A line that cannot be linked is answered by an object with the member error, a Problem."
		lines := &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Description: "A document a line"}}
		op.RequestBody.Content[ndjsonType] = lines
		op.Responses["200"].Content[ndjsonType] = lines
	}
}

// strictCasing makes huma compare member names exactly. The setting is global to the program.
var strictCasing = sync.OnceFunc(func() { huma.ValidateStrictCasing = true })

// decodeExactly decodes a body and rejects duplicate members. It does not look inside values that v keeps raw, such as
// documents, because they are checked when they are decoded, or inside the value that huma validates.
func decodeExactly(data []byte, v any) error {
	err := input.DecodeJSON(data, v, jsontext.AllowDuplicateNames(true))
	if _, validates := v.(*any); err == nil && !validates && jsontext.Value(data).Kind() == '{' {
		err = input.EachMember(data, func(string, []byte) error { return nil })
	}
	return err
}

// apiConfig returns the settings of the API.
func (s *Server) apiConfig() huma.Config {
	strictCasing()
	exact := huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: decodeExactly}
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title: "ctxnorm", Version: s.cfg.Version, Description: aboutAPI,
				License: &huma.License{Name: "Apache-2.0", URL: "https://www.apache.org/licenses/LICENSE-2.0"},
			},
			Components: &huma.Components{Schemas: huma.NewMapRegistry("#/components/schemas/", schemaName)},
			Servers:    []*huma.Server{{URL: "/"}},
		},
		OpenAPIPath:                  openAPIPath,
		Formats:                      map[string]huma.Format{jsonType: exact, "json": exact},
		DefaultFormat:                jsonType,
		RejectUnknownQueryParameters: true,
		Transformers:                 []huma.Transformer{toProblem},
	}
}

// operation is the handler of a request, given the model that answers it.
type operation[I, O any] = func(context.Context, *servedModel, *I) (*O, error)

// now answers a request with the current model. The error is a [*Problem].
func now[I, O any](ctx context.Context, s *Server, answer operation[I, O], in *I) (*O, error) {
	m, release, err := s.models.acquire()
	if err != nil {
		return nil, err
	}
	defer release()
	out, err := answer(ctx, m, in)
	if err != nil {
		return nil, s.problemOf(ctx, err)
	}
	return out, nil
}

// answer adds an operation whose result is the body of the response.
func answer[I, T any](s *Server, api huma.API, pattern, id, summary string, o operation[I, T]) {
	type output struct{ Body *T }
	register(s, api, pattern, id, summary, func(ctx context.Context, m *servedModel, in *I) (*output, error) {
		body, err := o(ctx, m, in)
		return &output{body}, err
	})
}

// register adds an operation to the API. Its errors are problems.
func register[I, O any](s *Server, api huma.API, pattern, id, summary string, o operation[I, O]) {
	method, path, _ := strings.Cut(pattern, " ")
	schema := api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[Problem](), true, "")
	huma.Register(api, huma.Operation{
		Method: method, Path: path, OperationID: id, Summary: summary,
		// The body is already in memory, see [Server.withBody]. A deadline set here would end the request instead,
		// because net/http keeps reading to notice when the client goes away.
		MaxBodyBytes: s.cfg.Limits.Body + 1, BodyReadTimeout: -1,
		Responses: map[string]*huma.Response{
			"default": {Description: "An error", Content: map[string]*huma.MediaType{problemType: {Schema: schema}}},
		},
	}, func(ctx context.Context, in *I) (*O, error) { return now(ctx, s, o, in) })
}

// schemaName returns the name of a type in openapi.json. Types of package linked get a prefix where a request type has
// the same name.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	switch t {
	case reflect.TypeFor[linked.Document](), reflect.TypeFor[linked.Mention](), reflect.TypeFor[linked.Reading]():
		name = "Linked" + name
	case reflect.TypeFor[curation.Entry](), reflect.TypeFor[curation.Progress](): // memory has entries, too
		name = "Curation" + name
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

type healthStatus struct {
	Status     string `json:"status" enum:"ok" doc:"ok"`
	Concepts   int    `json:"concepts" doc:"The number of concepts of the model"`
	Encoder    bool   `json:"encoder" doc:"Whether the model links by an encoder, too, and not by strings alone"`
	Recognizer bool   `json:"recognizer" doc:"Whether the model finds mentions that are no names, see recognize of /v1/annotate"`
	Memory     bool   `json:"memory" doc:"Whether the server stores corrections"`
	Records    bool   `json:"records" doc:"Whether the model keeps sentences of a corpus, see /v1/records"`
	Curation   bool   `json:"curation" doc:"Whether the server keeps documents, see /v1/curation"`
	Links      links  `json:"links" doc:"The addresses of the web pages of concepts and documents: {id} stands for an identifier, {prefix} and {local} for what is before and after its first colon"`
	Version    string `json:"version" doc:"The version of ctxnorm"`
}

// links are [formats.LinkTemplates] in JSON.
type links struct {
	Concept  string `json:"concept,omitempty" doc:"Of concepts"`
	Document string `json:"document,omitempty" doc:"Of documents, among them those of the corpus"`
}

// health answers GET /healthz.
func (s *Server) health(_ context.Context, m *servedModel, _ *struct{}) (*healthStatus, error) {
	return &healthStatus{
		Status: "ok", Concepts: m.Dictionary().Len(), Recognizer: m.Stored().Manifest.Recognizer != nil,
		Encoder: m.Stored().Vectors != nil && s.cfg.Link.Method.NeedsEncoder(),
		Memory:  !s.readOnly, Records: m.Stored().Contexts.Len() > 0, Curation: s.cfg.Curation != nil,
		Links: links(s.cfg.Links), Version: s.cfg.Version,
	}, nil
}
