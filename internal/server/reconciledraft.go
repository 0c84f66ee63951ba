package server

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
)

// The routes of the draft of the Reconciliation Service API 1.0, https://reconciliation-api.github.io/specs/draft/,
// relative to the endpoint. It has an endpoint of its own, since members of its manifest have the names of members of
// version 0.2, and other values.
const (
	draftVersion = "1.0-draft"
	draftPath    = reconcilePath + "/" + draftVersion

	matchRoute     = "/match"
	entityRoute    = "/suggest/entity"
	propertyRoute  = "/suggest/property"
	typeRoute      = "/suggest/type"
	previewRoute   = "/preview"
	extendRoute    = "/extend"
	proposalsRoute = "/extend/propose"
)

// draftManifest says what the service has.
func (s *Server) draftManifest(w http.ResponseWriter, r *http.Request) {
	base := baseURL(r)
	manifest := object{
		"versions": []string{draftVersion}, "name": "ctxnorm", "serviceVersion": s.cfg.Version,
		"documentation":     base + docsPath,
		"standardizedScore": true, "batchSize": reconcileBatch,
		"view":    object{"url": base + draftPath + previewRoute + "?id={id}"},
		"suggest": object{"entity": true, "property": true, "type": true},
		"preview": object{"width": previewWidth, "height": previewHeight},
		"extend":  object{"proposeProperties": true, "propertySettings": []string{}},
	}
	if s.cfg.Access.Token != "" { // which the manifest itself does not need
		manifest["authentication"] = object{"type": "apiKey", "name": "Authorization", "in": "header"}
	}
	s.writeJSON(w, r, manifest, nil)
}

// draftBatch is the body of a request to match.
type draftBatch struct {
	Queries []draftQuery `json:"queries"`
}

// draftQuery is a query of a batch.
type draftQuery struct {
	Type       string           `json:"type"`
	Limit      *int             `json:"limit"`
	Conditions []draftCondition `json:"conditions"`
}

// draftCondition is what a query says of the name, the identifier or a property of the concept.
type draftCondition struct {
	MatchType       string         `json:"matchType"` // "name", "id" or "property"
	PropertyID      string         `json:"propertyId"`
	PropertyValue   propertyValues `json:"propertyValue"`
	Required        bool           `json:"required"`
	MatchQuantifier string         `json:"matchQuantifier"` // "any", "all" or "none"; "" is "any"
}

// draftResult is the answer to a query.
type draftResult struct {
	Candidates []reconcileCandidate `json:"candidates"`
}

// draftMatch answers a batch of queries.
func (s *Server) draftMatch(w http.ResponseWriter, r *http.Request) {
	var batch draftBatch
	if err := decodeBody(r, &batch); err != nil {
		s.writeJSON(w, r, nil, err)
		return
	}
	results, err := s.matchBatch(r.Context(), &batch)
	s.writeJSON(w, r, map[string]any{"results": results}, err)
}

// decodeBody decodes the body of a request, which is known to be JSON.
func decodeBody(r *http.Request, v any) error {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return bodyProblem(err)
	}
	if err := input.DecodeJSON(data, v); err != nil {
		return unprocessable(Fault{Detail: input.JSONError(err).Error()})
	}
	return nil
}

func (s *Server) matchBatch(ctx context.Context, batch *draftBatch) ([]draftResult, error) {
	if batch.Queries == nil {
		fault := Fault{Detail: "queries is missing, want a list", Pointer: "/queries"}
		return nil, unprocessable(fault)
	}
	queries := make([]*reconcileQuery, len(batch.Queries))
	for i := range batch.Queries {
		query, fault := batch.Queries[i].query()
		if fault != nil {
			fault.Pointer = fmt.Sprintf("/queries/%d", i) + fault.Pointer
			return nil, unprocessable(*fault)
		}
		queries[i] = query
	}
	candidates, err := s.reconcileAll(ctx, queries)
	if err != nil {
		return nil, err
	}
	results := make([]draftResult, len(queries))
	for i := range results {
		results[i].Candidates = candidates[i]
	}
	return results, nil
}

// query returns the query as those of version 0.2 are, or what is wrong with it. The first name is what is looked
// for; other names and the values of properties are its context. A property that is required is a filter instead.
func (d *draftQuery) query() (*reconcileQuery, *Fault) {
	q := &reconcileQuery{Limit: d.Limit}
	if d.Type != "" {
		q.Type = oneOrMore{d.Type}
	}
	if wrong := q.check(); wrong != "" {
		return nil, &Fault{Detail: wrong}
	}
	if len(d.Conditions) == 0 {
		return nil, &Fault{Detail: "conditions is empty or missing, want at least one", Pointer: "/conditions"}
	}
	for i := range d.Conditions {
		if fault := d.Conditions[i].addTo(q); fault != nil {
			fault.Pointer = fmt.Sprintf("/conditions/%d", i) + fault.Pointer
			return nil, fault
		}
	}
	return q, nil
}

// addTo adds the condition to a query, or returns what is wrong with it.
func (c *draftCondition) addTo(q *reconcileQuery) *Fault {
	values := c.PropertyValue
	property := propertyOf(c.PropertyID)
	switch {
	case c.PropertyValue == nil:
		return &Fault{Detail: "propertyValue is missing", Pointer: "/propertyValue"}
	case !slices.Contains([]string{"", "any", "all", "none"}, c.MatchQuantifier):
		detail := fmt.Sprintf("matchQuantifier is %s, want any, all or none", input.Quote(c.MatchQuantifier))
		return &Fault{Detail: detail, Pointer: "/matchQuantifier"}
	case c.MatchType != "property" && c.MatchQuantifier == "none":
		return &Fault{Detail: "matchQuantifier is none, want a property", Pointer: "/matchQuantifier"}
	case c.MatchType == "name":
		if q.Query == "" && len(values) > 0 {
			q.Query, values = values[0], values[1:]
		}
	case c.MatchType == "id":
		for _, id := range values {
			q.ids = append(q.ids, kb.ConceptID(id))
		}
		return nil
	case c.MatchType != "property":
		detail := fmt.Sprintf("matchType is %s, want name, id or property", input.Quote(c.MatchType))
		return &Fault{Detail: detail, Pointer: "/matchType"}
	case c.Required && property == nil:
		fault := noProperty(c.PropertyID, "", "/propertyId")
		return &fault
	case c.Required:
		q.filters = append(q.filters, propertyFilter{property, c.MatchQuantifier, values})
		return nil
	case c.MatchQuantifier == "none": // nothing to rank by
		return nil
	}
	q.Properties = append(q.Properties, reconcileProperty{ID: c.PropertyID, Values: values})
	return nil
}

// propertyFilter admits concepts by the values of a property.
type propertyFilter struct {
	property   *conceptProperty
	quantifier string // "any", "all" or "none" of the values; "" is "any"
	values     []string
}

// admits reports whether a concept has the values: names are compared by their normal forms.
func (f *propertyFilter) admits(m *servedModel, concept *kb.Concept) bool {
	has := make(map[string]bool)
	at, _ := m.Dictionary().Index(concept.ID)
	for _, value := range f.property.values(m.Dictionary(), m.hierarchy, at) {
		switch value := value.(type) {
		case map[string]string:
			has[normalize.Normal(value["str"])] = true
		case conceptName:
			has[normalize.Normal(value.Name)], has[normalize.Normal(string(value.ID))] = true, true
		}
	}
	isHad := func(value string) bool { return has[normalize.Normal(value)] }
	switch f.quantifier {
	case "none":
		return !slices.ContainsFunc(f.values, isHad)
	case "all":
		return !slices.ContainsFunc(f.values, func(value string) bool { return !isHad(value) })
	}
	return slices.ContainsFunc(f.values, isHad)
}

// suggestProperties suggests properties of concepts.
func (s *Server) suggestProperties(_ *http.Request, prefix string, offset, limit int) ([]suggestion, error) {
	var all []suggestion
	for _, p := range conceptProperties {
		all = append(all, suggestion{ID: p.ID, Name: p.Name})
	}
	return suggestionsWith(all, prefix, offset, limit), nil
}

// draftCells are the values of a property of a concept.
type draftCells struct {
	ID     string `json:"id"` // of the property
	Values []any  `json:"values"`
}

// draftRow has what was asked of a concept.
type draftRow struct {
	ID         string       `json:"id"`
	Properties []draftCells `json:"properties"`
}

// draftExtend answers a query of data extension.
func (s *Server) draftExtend(w http.ResponseWriter, r *http.Request) {
	var query extendQuery
	if err := decodeBody(r, &query); err != nil {
		s.writeJSON(w, r, nil, err)
		return
	}
	rows := []draftRow{}
	meta, err := s.extend(r.Context(), &query, "", func(id string, property *conceptProperty, values []any) {
		if len(rows) == 0 || rows[len(rows)-1].ID != id {
			rows = append(rows, draftRow{ID: id})
		}
		row := &rows[len(rows)-1]
		row.Properties = append(row.Properties, draftCells{property.ID, values})
	})
	s.writeJSON(w, r, map[string]any{"meta": meta, "rows": rows}, err)
}
