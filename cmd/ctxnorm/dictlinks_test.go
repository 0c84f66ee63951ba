package main

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// TestLinksOfNamesakes compares 500 links whose phrase is a name of 20,000 concepts, like gene names shared by all
// species. Comparing all pairs for each link would take minutes.
func TestLinksOfNamesakes(t *testing.T) {
	must.SkipShort(t)
	var genes []kb.Concept
	for i := range 20_000 {
		genes = append(genes, kb.Concept{ID: ctxnorm.ConceptID(fmt.Sprintf("G:%d", i)), Name: "COX1"})
	}
	before := kb.NewDictionary(genes)
	after := kb.NewDictionary(append(genes, kb.Concept{ID: "G:new", Name: "Cox1"}))
	doc := &text.Document{ID: "d", Text: "COX1"}
	for range 500 {
		doc.Mentions = append(doc.Mentions, text.Mention{Span: text.Span{End: 4}, Concepts: []ctxnorm.ConceptID{"G:7"}})
	}
	changes := compareLinks([]*formats.Record{formats.NewRecord(doc)}, before, after).changes
	if len(changes) != 500 {
		t.Fatalf("%d changes, want one of each of 500 links", len(changes))
	}
	for _, c := range changes {
		if c.Change != changeNameAdded || !slices.Equal(c.New, []ctxnorm.ConceptID{"G:new"}) {
			t.Fatalf("change %+v, want a name of G:new that was added", c)
		}
	}
}
