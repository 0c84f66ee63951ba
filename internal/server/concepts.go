package server

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// maxFound is the largest number of concepts that a search returns, over all of its pages.
const maxFound = 1000

// searchedName is a name of a concept.
type searchedName struct {
	form    string // normal form
	name    string
	concept int32 // position in the dictionary
}

// found is a concept found by a search, with the name that matched.
type found struct {
	concept int32
	name    string
	match   string // matchID to matchSimilar
}

// How a name matches a query.
const (
	matchID      = "id"
	matchExact   = "exact"
	matchPrefix  = "prefix"
	matchSimilar = "similar"
)

// namesOf returns all names in a dictionary, including preferred names that are only displayed, sorted by form.
func namesOf(dict *kb.Dictionary) (names []searchedName) {
	for i, concept := range dict.All() {
		all := concept.Names()
		if concept.NameHeldOut {
			all = append(slices.Clone(all), concept.Name)
		}
		for _, name := range all {
			if form := normalize.Normal(name); form != "" {
				names = append(names, searchedName{form, name, int32(i)})
			}
		}
	}
	slices.SortFunc(names, func(a, b searchedName) int {
		return cmp.Or(strings.Compare(a.form, b.form), cmp.Compare(a.concept, b.concept))
	})
	return names
}

// identified returns the concept whose identifier is the query, or nil. Most queries are words; for those it avoids
// building the list of identifiers that [kb.Dictionary.Find] needs.
func identified(dict *kb.Dictionary, query string) *kb.Concept {
	id := kb.ConceptID(strings.TrimSpace(query))
	if at, known := dict.Index(id); known {
		return dict.At(at)
	}
	_, local, _ := id.Split()
	if !strings.Contains(string(id), ":") && (!strings.ContainsAny(local, "0123456789") || strings.Contains(local, " ")) {
		return nil
	}
	return dict.Lookup(id)
}

// search returns the first n concepts for a query: the concept with this identifier; then concepts with this name; then
// those with a name that starts with the query, shortest first; then those with a similar name, most similar first.
// Each concept appears once.
func (m *servedModel) search(query string, n int) []found {
	dict := m.Dictionary()
	var results []found
	seen := make(map[int32]bool)
	add := func(concept int32, name, match string) {
		if !seen[concept] {
			seen[concept] = true
			results = append(results, found{concept, name, match})
		}
	}
	if c := identified(dict, query); c != nil {
		at, _ := dict.Index(c.ID)
		add(int32(at), c.PreferredName(), matchID)
	}
	form := normalize.Normal(query)
	if form == "" {
		return results
	}
	start, _ := slices.BinarySearchFunc(m.names, form, func(name searchedName, form string) int {
		return strings.Compare(name.form, form)
	})
	var longer []searchedName
	for _, name := range m.names[start:] {
		if !strings.HasPrefix(name.form, form) {
			break
		}
		if len(name.form) == len(form) {
			add(name.concept, name.name, matchExact)
			continue
		}
		longer = append(longer, name)
	}
	slices.SortStableFunc(longer, func(a, b searchedName) int { return cmp.Compare(len(a.form), len(b.form)) })
	for _, name := range longer {
		add(name.concept, name.name, matchPrefix)
	}
	if len(results) < n {
		for _, hit := range m.Stored().DictionaryIndexes().Lexical().Search(query, n) {
			if at, ok := dict.Index(hit.Concept); ok && hit.Score >= lexical.MinSimilarity {
				add(int32(at), hit.Name, matchSimilar)
			}
		}
	}
	return results[:min(n, len(results))]
}

type searchInput struct {
	Query  string `query:"query" required:"true" minLength:"1" maxLength:"500" doc:"A name, the beginning of one, or something similar; or the identifier of a concept"`
	Limit  int    `query:"limit" default:"20" minimum:"1" maximum:"100" doc:"The largest number of concepts to return"`
	Offset int    `query:"offset" default:"0" minimum:"0" maximum:"900" doc:"The number of concepts to skip"`
}

// conceptPage is one page of the concepts that a search found.
type conceptPage struct {
	Concepts   []foundConcept `json:"concepts"`
	NextOffset *int           `json:"next_offset,omitempty" doc:"The offset of the next page; absent on the last"`
}

type foundConcept struct {
	ID          kb.ConceptID `json:"id"`
	Name        string       `json:"name" doc:"The preferred name"`
	MatchedName string       `json:"matched_name" doc:"The name that the query found"`
	Match       string       `json:"match" enum:"id,exact,prefix,similar" doc:"How it matches the query"`
	Types       []string     `json:"types,omitempty" doc:"The semantic types"`
}

// searchConcepts answers GET /v1/concepts.
func (s *Server) searchConcepts(_ context.Context, m *servedModel, in *searchInput) (*conceptPage, error) {
	page := conceptPage{Concepts: []foundConcept{}}
	results := m.search(in.Query, min(in.Offset+in.Limit+1, maxFound))
	results, page.NextOffset = pageOf(results, in.Offset, in.Limit)
	for _, r := range results {
		concept := m.Dictionary().At(int(r.concept))
		page.Concepts = append(page.Concepts, foundConcept{concept.ID, concept.PreferredName(), r.name, r.match, concept.Types})
	}
	return &page, nil
}

type conceptInput struct {
	ID     string `path:"id" maxLength:"500" doc:"The identifier of the concept, or an alternative one"`
	Limit  int    `query:"limit" default:"20" minimum:"0" maximum:"200" doc:"The largest number of exemplars to return"`
	Offset int    `query:"offset" default:"0" minimum:"0" maximum:"1000000000" doc:"The number of exemplars to skip"`
}

// conceptDetails describes a concept: its names, relations and exemplars.
type conceptDetails struct {
	ID             kb.ConceptID    `json:"id"`
	Name           string          `json:"name" doc:"The preferred name"`
	Names          []string        `json:"names" doc:"The names of the dictionary that mentions are linked by"`
	CorpusSynonyms []corpusSynonym `json:"corpus_synonyms" doc:"The names that the corpus gives the concept"`
	AltIDs         []kb.ConceptID  `json:"alt_ids,omitempty" doc:"Other identifiers of the concept"`
	Xrefs          []kb.ConceptID  `json:"xrefs,omitempty" doc:"Identifiers in other vocabularies, as the dictionary states them"`
	Types          []string        `json:"types,omitempty" doc:"The semantic types"`
	Parents        []conceptName   `json:"parents" doc:"The broader concepts"`
	Children       []conceptName   `json:"children" doc:"The narrower concepts"`
	Exemplars      []exemplar      `json:"exemplars" doc:"Sentences of the corpus that name the concept"`
	ExemplarCount  int             `json:"exemplar_count" doc:"The number of all exemplars of the concept"`
}

type corpusSynonym struct {
	Name   string `json:"name"`
	Source string `json:"source" doc:"The pattern by which the corpus defines it"`
}

type conceptName struct {
	ID   kb.ConceptID `json:"id"`
	Name string       `json:"name" doc:"The preferred name"`
}

type exemplar struct {
	PMID  string `json:"pmid,omitempty" doc:"The identifier of the document in the corpus"`
	Text  string `json:"text" doc:"The sentence"`
	Start int    `json:"start" doc:"The offset of the name in the sentence, in code points"`
	End   int    `json:"end"`
}

// showConcept answers GET /v1/concepts/{id}.
func (s *Server) showConcept(ctx context.Context, m *servedModel, in *conceptInput) (*conceptDetails, error) {
	dict := m.Dictionary()
	at, ok := dict.Find(kb.ConceptID(in.ID))
	if !ok {
		return nil, problem(http.StatusNotFound, "the model has no concept %s", input.Quote(in.ID))
	}
	concept := dict.At(at)
	details := conceptDetails{
		ID: concept.ID, Name: concept.PreferredName(), Names: append([]string{}, concept.Names()...),
		AltIDs: concept.AltIDs, Xrefs: concept.Xrefs, Types: concept.Types,
		CorpusSynonyms: []corpusSynonym{}, Exemplars: []exemplar{},
		Parents:  conceptNames(dict, m.hierarchy.Parents(int32(at))),
		Children: conceptNames(dict, m.hierarchy.Children(int32(at))),
	}
	names := &m.Stored().Names
	for _, row := range rowsOf(names, int32(at)) {
		if source := names.Origin(row).String(); source != "" {
			details.CorpusSynonyms = append(details.CorpusSynonyms, corpusSynonym{names.Text(row), source})
		}
	}
	contexts, err := m.Stored().Contexts.Exemplars()
	if err != nil {
		return nil, err
	}
	rows := rowsOf(&m.Stored().Contexts, int32(at))
	details.ExemplarCount = len(rows)
	rows, _ = pageOf(rows, in.Offset, in.Limit)
	for _, row := range rows {
		ex := &contexts[row]
		at := text.NewOffsets(ex.Text).CodePoints(ex.Mention.Span)
		details.Exemplars = append(details.Exemplars, exemplar{PMID: ex.ID, Text: ex.Text, Start: at.Start, End: at.End})
	}
	return &details, nil
}

func conceptNames(dict *kb.Dictionary, positions []int32) []conceptName {
	names := make([]conceptName, len(positions))
	for i, at := range positions {
		concept := dict.At(int(at))
		names[i] = conceptName{concept.ID, concept.PreferredName()}
	}
	return names
}

// rowsOf returns the rows of an index that belong to a concept. It scans all rows, which takes a fraction of a
// millisecond for 100,000.
func rowsOf(index *model.ExemplarIndex, concept int32) []int32 {
	var rows []int32
	for row := range int32(index.Len()) {
		if slices.Contains(index.Concepts(row), concept) {
			rows = append(rows, row)
		}
	}
	return rows
}

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
		all = byName(dict, m.hierarchy.Children(int32(at)))
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
