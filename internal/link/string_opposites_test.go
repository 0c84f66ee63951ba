package link

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

func TestLexicalLinkerLeavesOutOpposites(t *testing.T) {
	names := model.NewDictionaryIndexes(kb.NewDictionary([]kb.Concept{
		{ID: "H1", Name: "hypertension", Synonyms: []string{"high blood pressure"}}, {ID: "H2", Name: "type 1 diabetes mellitus"},
		{ID: "H3", Name: "left heart failure"}, {ID: "H4", Name: "vitamin B12 deficiency"}, {ID: "H5", Name: "acute hepatitis B"},
		{ID: "H6", Name: "oliguria"},
	}))
	linker, err := newLexicalLinker(names)
	if err != nil {
		t.Fatal(err)
	}
	linker = linker.with(nil, MethodOptions{MinScore: .6})
	for mention, want := range map[string]kb.ConceptID{
		"hypotension": "", "low blood pressure": "", "type II diabetes mellitus": "", "right heart failure": "",
		"vitamin B6 deficiency": "", "chronic hepatitis B": "", "acute hepatitis C": "", "polyuria": "",
		"hypertensions": "H1", "high blood pressures": "H1", "type I diabetes mellitus": "H2", "left-heart failure": "H3",
		"deficiency of vitamin B12": "H4", "hepatitis B": "H5",
	} {
		rankings, err := linker.Link(t.Context(), []text.Query{linktest.Query(t, "<"+mention+">")}, 2)
		if err != nil {
			t.Fatal(err)
		}
		var got kb.ConceptID
		if ids := conceptIDs(rankings[0]); len(ids) > 0 {
			got = ids[0]
		}
		if got != want {
			t.Errorf("%s: %q, want %q", mention, got, want)
		}
	}
}
