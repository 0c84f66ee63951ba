package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// Routes of the Reconciliation Service API 0.2 of the W3C community group, the protocol of OpenRefine:
// https://www.w3.org/community/reports/reconciliation/CG-FINAL-specs-0.2-20230410/
const (
	reconcilePath    = "/v1/reconcile"
	suggestPath      = reconcilePath + "/suggest"
	suggestTypesPath = suggestPath + "/type"
	propertiesPath   = reconcilePath + "/properties"
	previewPath      = reconcilePath + "/preview"
)

const formType = "application/x-www-form-urlencoded"

// addReconciliation registers the routes. They are left out of openapi.json, since the specification documents them.
// Clients may send further parameters that it defines.
func (s *Server) addReconciliation(mux *http.ServeMux) {
	config := s.apiConfig()
	config.OpenAPIPath, config.RejectUnknownQueryParameters = "", false
	api := humago.New(routes{s, mux, nil}, config)
	answer(s, api, "GET "+suggestPath, "suggest", "", s.suggestEntities)
	answer(s, api, "GET "+suggestTypesPath, "suggest-types", "", s.suggestTypes)
	answer(s, api, "GET "+propertiesPath, "properties", "", s.proposeProperties)
	for pattern, handler := range map[string]http.HandlerFunc{
		"GET " + reconcilePath: s.reconcile, "POST " + reconcilePath: s.reconcile, "GET " + previewPath: s.preview,
	} {
		routes{s, mux, nil}.HandleFunc(pattern, handler)
	}
}

// reconcile answers the endpoint of the service: with the manifest, to a batch of queries, or to a data extension
// query.
func (s *Server) reconcile(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		problem(http.StatusBadRequest, "want a form, URL-encoded: %v", err).write(w)
		return
	}
	queries, extend := r.Form["queries"], r.Form["extend"]
	var answer any
	var err error
	switch {
	case len(queries)+len(extend) > 1:
		err = problem(http.StatusBadRequest, "want one of the parameters queries and extend, once")
	case queries != nil:
		var batch map[string]reconcileQuery
		if err = s.decodeParameter(r.Context(), "queries", queries[0], &batch); err == nil {
			answer, err = s.reconcileBatch(r.Context(), batch)
		}
	case extend != nil:
		var query extendQuery
		if err = s.decodeParameter(r.Context(), "extend", extend[0], &query); err == nil {
			answer, err = now(r.Context(), s, s.extend, &query)
		}
	default:
		answer = s.manifest(r)
	}
	s.writeJSON(w, r, answer, err)
}

// decodeParameter decodes a parameter that contains JSON.
func (s *Server) decodeParameter(ctx context.Context, name, value string, v any) error {
	if _, p := s.prepareJSON(ctx, []byte(value)); p != nil {
		return p
	}
	if err := input.DecodeJSON([]byte(value), v); err != nil {
		return unprocessable(Fault{Detail: input.JSONError(err).Error(), Parameter: name})
	}
	return nil
}

// writeJSON answers with v, or with a problem if err is not nil.
func (s *Server) writeJSON(w http.ResponseWriter, r *http.Request, v any, err error) {
	var body []byte
	if err == nil {
		body, err = json.Marshal(v)
	}
	if err != nil {
		s.reject(s.problemOf(r.Context(), err), w)
		return
	}
	w.Header().Set("Content-Type", jsonType)
	_, _ = w.Write(body) // the client is gone
}

// baseURL returns the URL under which the client reached the server.
func baseURL(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return (&url.URL{Scheme: scheme, Host: r.Host}).String()
}

// object is a JSON object.
type object map[string]any

// Size of a concept's preview in OpenRefine, in pixels.
const previewWidth, previewHeight = 400, 240

// reconcileBatch is the number of queries that the manifest asks clients to send at once. Queries of a batch are linked
// together. OpenRefine sends 10 by default, and took 6.4 s for 5,000 names; with more it took 4.3 s.
const reconcileBatch = 200

// manifest returns the service manifest.
func (s *Server) manifest(r *http.Request) any {
	base := baseURL(r)
	service := func(path string) object { return object{"service_url": base, "service_path": path} }
	preview := base + previewPath + "?id={{id}}"
	return object{
		"versions": []string{"0.2"}, "name": "ctxnorm", "serviceVersion": s.cfg.Version,
		"documentation":   base + docsPath,
		"identifierSpace": base + "/v1/concepts/", "schemaSpace": base + propertiesPath,
		"view":      object{"url": preview},
		"suggest":   object{"entity": service(suggestPath), "type": service(suggestTypesPath)},
		"batchSize": reconcileBatch,
		"preview":   object{"url": preview, "width": previewWidth, "height": previewHeight},
		"extend":    object{"propose_properties": service(propertiesPath), "property_settings": []string{}},
	}
}

// reconcileQuery is one query of a batch.
type reconcileQuery struct {
	Query      string              `json:"query"`
	Type       propertyValues      `json:"type"`
	TypeStrict string              `json:"type_strict"`
	Limit      *int                `json:"limit"`
	Properties []reconcileProperty `json:"properties"`
}

// reconcileProperty gives the values of a property in a query, usually the cells of other columns.
type reconcileProperty struct {
	ID     string         `json:"pid"`
	Values propertyValues `json:"v"`
}

// propertyValues are the words in the value of a property, which is a string, a number, an entity, or a list of these.
// They are nil for null.
type propertyValues []string

// UnmarshalJSON implements [json.Unmarshaler]. Numbers stay as written, because identifiers may have more digits than a
// float64 can hold.
func (v *propertyValues) UnmarshalJSON(data []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil || value == nil {
		return err
	}
	*v = propertyValues{}
	v.add(value)
	return nil
}

func (v *propertyValues) add(value any) {
	switch value := value.(type) {
	case string:
		if value = strings.TrimSpace(value); value != "" {
			*v = append(*v, value)
		}
	case json.Number:
		*v = append(*v, value.String())
	case map[string]any:
		v.add(cmp.Or(value["name"], value["id"]))
	case []any:
		for _, element := range value {
			v.add(element)
		}
	}
}

// reconcileResult is the answer to a query.
type reconcileResult struct {
	Result []reconcileCandidate `json:"result"`
}

type reconcileCandidate struct {
	ID          kb.ConceptID  `json:"id"`
	Name        string        `json:"name"`
	Description string        `json:"description,omitempty"`
	Type        []conceptName `json:"type"`
	Score       float64       `json:"score"` // 0 to 100: a probability or, for methods without one, a string similarity
	Match       bool          `json:"match"`
}

// Default and maximum numbers of candidates for a query.
const (
	defaultReconciled = 5
	maxReconciled     = 100
)

// limit returns the largest number of candidates to return.
func (q *reconcileQuery) limit() int {
	if q.Limit == nil {
		return defaultReconciled
	}
	return min(*q.Limit, maxReconciled)
}

// admits reports whether a concept has the types that the query wants.
func (q *reconcileQuery) admits(concept *kb.Concept) bool {
	has := func(name string) bool { return slices.Contains(concept.Types, name) }
	switch {
	case len(q.Type) == 0 || q.TypeStrict == "should":
		return true
	case q.TypeStrict == "all":
		return !slices.ContainsFunc(q.Type, func(name string) bool { return !has(name) })
	}
	return slices.ContainsFunc(q.Type, has)
}

// record returns the document for a query: its mention is the query string, and the property values are its context.
func (q *reconcileQuery) record() *formats.Record {
	query := strings.TrimSpace(q.Query)
	if query == "" {
		return nil
	}
	words := []string{query}
	for _, property := range q.Properties {
		words = append(words, property.Values...)
	}
	return formats.NewRecord(&text.Document{
		Text: strings.Join(words, "; "), Mentions: []text.Mention{{Span: text.Span{End: len(query)}}},
	})
}

// reconcileBatch answers a batch of queries and links them together.
func (s *Server) reconcileBatch(ctx context.Context, batch map[string]reconcileQuery) (map[string]reconcileResult, error) {
	served, release, err := s.models.acquire()
	if err != nil {
		return nil, err
	}
	defer release()
	params, answers := LinkParams{Top: 1}, make(map[string]reconcileResult, len(batch))
	var linking []string // keys of the queries that are linked
	var records []*formats.Record
	for _, key := range slices.Sorted(maps.Keys(batch)) {
		q := batch[key]
		fault := Fault{Parameter: "queries", Pointer: "/" + key}
		switch {
		case q.Limit != nil && *q.Limit < 1:
			fault.Detail = fmt.Sprintf("limit is %d, want at least 1", *q.Limit)
		case !slices.Contains([]string{"", "any", "all", "should"}, q.TypeStrict):
			fault.Detail = fmt.Sprintf("type_strict is %s, want any, all or should", input.Quote(q.TypeStrict))
		}
		if fault.Detail != "" {
			return nil, unprocessable(fault)
		}
		record := q.record()
		if answers[key] = (reconcileResult{[]reconcileCandidate{}}); record == nil {
			continue
		}
		linking, records = append(linking, key), append(records, record)
		params.Top = max(params.Top, q.limit())
		if len(q.Type) > 0 {
			params.Top = maxReconciled
		}
	}
	docs, err := s.linkRecords(ctx, records, &params, false)
	if err != nil {
		return nil, err
	}
	for i, key := range linking {
		q := batch[key]
		answers[key] = reconcileResult{q.candidates(ctx, served, &docs[i].Mentions[0])}
	}
	return answers, ctx.Err()
}

// candidates returns the candidates for a query whose mention was linked. If the mention is NIL, it returns the
// candidates without a threshold, for a person to choose from. It stops early when ctx is done.
func (q *reconcileQuery) candidates(ctx context.Context, served *servedModel, m *linked.Mention) []reconcileCandidate {
	dict := served.Dictionary()
	list := []reconcileCandidate{}
	wants := func(concept *kb.Concept) bool {
		isSame := func(o reconcileCandidate) bool { return o.ID == concept.ID }
		return concept != nil && ctx.Err() == nil && q.admits(concept) && !slices.ContainsFunc(list, isSame)
	}
	if concept := identified(dict, q.Query); wants(concept) {
		list = append(list, newReconciled(dict, concept, 100, true)) // the query is an identifier
	}
	m.Candidates = slices.DeleteFunc(slices.Clone(m.Candidates), func(c linked.Candidate) bool { return !wants(dict.Lookup(c.Concept)) })
	for i, c := range slices.Concat(m.Candidates, m.Suggested) {
		concept := dict.Lookup(c.Concept)
		if len(list) == q.limit() || !wants(concept) {
			continue
		}
		match := i == 0 && len(list) == 0 && len(m.Suggested) == 0 && len(m.SubMentions) == 0 && q.isSure(m)
		list = append(list, newReconciled(dict, concept, min(100, 100*c.Certainty()), match))
	}
	return list
}

// isSure reports whether a linked mention needs no review, because clients accept a match without asking. It is sure if
// a curator decided it, if its probability counts as certain, or, for methods without probabilities, if the name is
// identical and belongs to no other concept.
func (q *reconcileQuery) isSure(m *linked.Mention) bool {
	first := &m.Candidates[0]
	if m.Corrected != nil {
		return true
	}
	if first.Probability > 0 || len(m.Attributes()) > 0 { // "h/o gout" does not match gout
		return first.Probability >= linked.Certain && len(m.Attributes()) == 0
	}
	form := normalize.Normal(q.Query)
	isNamed := func(c *linked.Candidate) bool { return normalize.Normal(c.MatchedName) == form }
	return isNamed(first) && (len(m.Candidates) == 1 || !isNamed(&m.Candidates[1]))
}

func newReconciled(dict *kb.Dictionary, concept *kb.Concept, score float64, match bool) reconcileCandidate {
	types := make([]conceptName, len(concept.Types))
	for i, name := range concept.Types {
		types[i] = conceptName{kb.ConceptID(name), name}
	}
	return reconcileCandidate{
		ID: concept.ID, Name: concept.PreferredName(), Description: describeConcept(dict, concept),
		Type: types, Score: math.Round(100*score) / 100, Match: match, // further digits are noise
	}
}

// describeConcept returns text that distinguishes a concept from others of the same name: its broader concepts, or else
// its types.
func describeConcept(dict *kb.Dictionary, concept *kb.Concept) string {
	var names []string
	for _, parent := range conceptNames(dict, kb.ConceptPositions(dict, concept.Parents)) {
		names = append(names, parent.Name)
	}
	if names == nil {
		names = concept.Types
	}
	return strings.Join(names, "; ")
}

// suggestion is one result of a suggest service: a concept, a type or a property.
type suggestion struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

// suggestInput are the parameters of a suggest service.
type suggestInput struct {
	Prefix string `query:"prefix"`
	Cursor int    `query:"cursor" minimum:"0"`
	Limit  int    `query:"limit" default:"10" minimum:"1"`
}

// suggestions are the results for a prefix, from a given offset.
type suggestions struct {
	Result []suggestion `json:"result"`
}

// suggestEntities suggests concepts whose names begin with a prefix or are similar to it.
func (s *Server) suggestEntities(ctx context.Context, m *servedModel, in *suggestInput) (*suggestions, error) {
	found := &suggestions{[]suggestion{}}
	if in.Prefix == "" || len(in.Prefix) > maxToolQuery || in.Cursor >= maxFound {
		return found, nil
	}
	search := &searchInput{Query: in.Prefix, Limit: min(in.Limit, maxReconciled), Offset: in.Cursor}
	page, err := s.searchConcepts(ctx, m, search)
	if err != nil {
		return nil, err
	}
	for _, c := range page.Concepts {
		suggested := suggestion{ID: string(c.ID), Name: c.Name}
		if c.MatchedName != c.Name {
			suggested.Description = c.MatchedName
		}
		found.Result = append(found.Result, suggested)
	}
	return found, nil
}

// suggestTypes suggests semantic types of the dictionary.
func (s *Server) suggestTypes(_ context.Context, m *servedModel, in *suggestInput) (*suggestions, error) {
	found := []suggestion{}
	for _, name := range m.types() {
		if strings.Contains(strings.ToLower(name), strings.ToLower(in.Prefix)) {
			found = append(found, suggestion{ID: name, Name: name})
		}
	}
	found, _ = pageOf(found, in.Cursor, min(in.Limit, maxReconciled))
	return &suggestions{found}, nil
}

// conceptProperty is a property of concepts that data extension can return.
type conceptProperty struct {
	conceptName
	cells func(m *servedModel, at int) []any
}

var conceptProperties = []conceptProperty{
	{conceptName{"name", "Preferred name"}, stringsOf(func(c *kb.Concept) []string { return []string{c.PreferredName()} })},
	{conceptName{"names", "Names"}, stringsOf((*kb.Concept).Names)},
	{conceptName{"types", "Types"}, stringsOf(func(c *kb.Concept) []string { return c.Types })},
	{conceptName{"alt_ids", "Other identifiers"}, stringsOf(func(c *kb.Concept) []kb.ConceptID { return c.AltIDs })},
	{conceptName{"xrefs", "Identifiers in other vocabularies"}, stringsOf(func(c *kb.Concept) []kb.ConceptID { return c.Xrefs })},
	{conceptName{"parents", "Broader concepts"}, conceptsOf((*kb.Hierarchy).Parents)},
	{conceptName{"children", "Narrower concepts"}, conceptsOf((*kb.Hierarchy).Children)},
}

// stringsOf converts a function that returns strings of a concept to one that returns cells.
func stringsOf[T ~string](values func(*kb.Concept) []T) func(*servedModel, int) []any {
	return func(m *servedModel, at int) []any {
		cells := []any{}
		for _, value := range values(m.Dictionary().At(at)) {
			cells = append(cells, map[string]string{"str": string(value)})
		}
		return cells
	}
}

// conceptsOf converts a function that returns neighbors of a concept in the hierarchy to one that returns cells.
func conceptsOf(near func(*kb.Hierarchy, int32) []int32) func(*servedModel, int) []any {
	return func(m *servedModel, at int) []any {
		cells := []any{}
		for _, c := range conceptNames(m.Dictionary(), near(m.hierarchy, int32(at))) {
			cells = append(cells, c)
		}
		return cells
	}
}

type propertiesInput struct {
	Type  string `query:"type"`
	Limit int    `query:"limit" minimum:"1"`
}

// proposedProperties lists the properties that data extension supports.
type proposedProperties struct {
	Limit      int           `json:"limit,omitempty"`
	Properties []conceptName `json:"properties"`
	Type       string        `json:"type,omitempty"`
}

// proposeProperties answers with the properties that data extension supports.
func (s *Server) proposeProperties(_ context.Context, _ *servedModel, in *propertiesInput) (*proposedProperties, error) {
	answer := &proposedProperties{Limit: in.Limit, Type: in.Type}
	for _, p := range conceptProperties {
		if in.Limit == 0 || len(answer.Properties) < in.Limit {
			answer.Properties = append(answer.Properties, p.conceptName)
		}
	}
	return answer, nil
}

// extendQuery requests properties of concepts.
type extendQuery struct {
	IDs        []string `json:"ids"`
	Properties []struct {
		ID string `json:"id"`
	} `json:"properties"`
}

// extendAnswer holds the properties, and a row for each concept. If the model lacks the concept, its row has no values.
type extendAnswer struct {
	Meta []conceptName               `json:"meta"`
	Rows map[string]map[string][]any `json:"rows"`
}

// extend answers a data extension query, by concept and property.
func (s *Server) extend(ctx context.Context, m *servedModel, query *extendQuery) (*extendAnswer, error) {
	answer := &extendAnswer{Meta: []conceptName{}, Rows: make(map[string]map[string][]any, len(query.IDs))}
	var wanted []*conceptProperty
	for i, p := range query.Properties {
		at := slices.IndexFunc(conceptProperties, func(c conceptProperty) bool { return string(c.ID) == p.ID })
		if at < 0 {
			detail := fmt.Sprintf("there is no property %s; %s lists them", input.Quote(p.ID), propertiesPath)
			return nil, unprocessable(Fault{Detail: detail, Parameter: "extend", Pointer: fmt.Sprintf("/properties/%d/id", i)})
		}
		if property := &conceptProperties[at]; !slices.Contains(wanted, property) {
			wanted, answer.Meta = append(wanted, property), append(answer.Meta, property.conceptName)
		}
	}
	count := 0
	for _, id := range query.IDs {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if answer.Rows[id] != nil {
			continue
		}
		answer.Rows[id] = make(map[string][]any, len(wanted))
		at, known := m.Dictionary().Find(kb.ConceptID(id))
		for _, property := range wanted {
			values := []any{}
			if known {
				values = property.cells(m, at)
			}
			count += 1 + len(values)
			answer.Rows[id][string(property.ID)] = values
		}
		if count > maxValues {
			return nil, problem(http.StatusRequestEntityTooLarge, "the answer has more than %d values; ask for fewer concepts", maxValues)
		}
	}
	return answer, nil
}

var previewTemplate = template.Must(template.New("preview").Parse(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{{.Name}}</title>
<style>body { font: 14px/1.4 sans-serif; margin: 8px } h1 { font-size: 16px; margin: 0 }</style></head>
<body><h1>{{.Name}}</h1><p><code>{{.ID}}</code>{{range .Types}} · {{.}}{{end}}</p>
{{with .Parents}}<p>below {{range $i, $p := .}}{{if $i}}; {{end}}{{$p.Name}}{{end}}</p>{{end}}
<ul>{{range .Names}}<li>{{.}}</li>{{end}}</ul></body></html>
`))

// preview answers with a page about a concept. OpenRefine on this machine or a page of an allowed origin may frame it.
func (s *Server) preview(w http.ResponseWriter, r *http.Request) {
	out, err := now(r.Context(), s, s.showConcept, &conceptInput{ID: r.FormValue("id")})
	if err != nil {
		s.writeJSON(w, r, nil, err)
		return
	}
	ancestors := append([]string{"http://127.0.0.1:*", "http://localhost:*"}, s.cfg.Access.Origins...)
	policy := "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors " + strings.Join(ancestors, " ")
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = previewTemplate.Execute(w, out) // the client is gone
}
