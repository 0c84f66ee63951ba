package server

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

type hierarchyInput struct {
	Below  string `query:"below" maxLength:"500" doc:"The identifier of the concept; by default those are listed that are below no other, and one of each cycle"`
	Limit  int    `query:"limit" default:"50" minimum:"1" maximum:"1000" doc:"The largest number of concepts to return"`
	Offset int    `query:"offset" default:"0" minimum:"0" maximum:"1000000000" doc:"The number of concepts to skip"`
}

// hierarchyPage is one page of the direct children of a concept.
type hierarchyPage struct {
	Concepts   []hierarchyConcept `json:"concepts" doc:"The concepts, by name"`
	Count      int                `json:"count" doc:"The number of all of them"`
	NextOffset *int               `json:"next_offset,omitempty" doc:"The offset of the next page; absent on the last"`
}

type hierarchyConcept struct {
	ID       kb.ConceptID `json:"id"`
	Name     string       `json:"name" doc:"The preferred name"`
	Narrower int          `json:"narrower" doc:"The number of concepts directly below it"`
}

// listHierarchy answers GET /v1/hierarchy.
func (s *Server) listHierarchy(_ context.Context, m *servedModel, in *hierarchyInput) (*hierarchyPage, error) {
	dict := m.Dictionary()
	var all []int32
	if in.Below == "" {
		all = m.top()
	} else if at, ok := dict.Find(kb.ConceptID(in.Below)); ok {
		all = m.byName(m.hierarchy.Children(int32(at)))
	} else {
		return nil, problem(http.StatusNotFound, "the model has no concept %s", input.Quote(in.Below))
	}
	page := hierarchyPage{Concepts: []hierarchyConcept{}, Count: len(all)}
	all, page.NextOffset = pageOf(all, in.Offset, in.Limit)
	for i, name := range conceptNames(dict, all) {
		page.Concepts = append(page.Concepts, hierarchyConcept{name.ID, name.Name, len(m.hierarchy.Children(all[i]))})
	}
	return &page, nil
}

// byName returns concepts sorted by their preferred names, ignoring case, and then by their identifiers.
func (m *servedModel) byName(concepts []int32) []int32 {
	dict := m.Dictionary()
	names := make(map[int32]string, len(concepts))
	for _, at := range concepts {
		names[at] = strings.ToLower(dict.At(int(at)).PreferredName())
	}
	return slices.SortedFunc(slices.Values(concepts), func(a, b int32) int {
		return cmp.Or(strings.Compare(names[a], names[b]), cmp.Compare(dict.At(int(a)).ID, dict.At(int(b)).ID))
	})
}
