package link

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// A candidate is shown by a name that people use, and by the one that is like the mention;
// neither is empty, also where the model lost all names of the concept.
func TestCandidateNames(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "MI", Synonyms: []string{"myocardial infarction, susceptibility to, 1, included", "myocardial infarction", "heart attack"}},
		{ID: "T2", Name: "diabetes mellitus, type 2"},
		{ID: "X"},
	})
	doc := &text.Document{Text: "heart attacks", Mentions: []text.Mention{{Span: text.Span{Start: 0, End: 13}}}}
	results := []Result{{ResolvedText: "heart attacks", Candidates: []Candidate{{Concept: "MI"}, {Concept: "T2"}, {Concept: "X"}, {Concept: "gone"}}}}
	want := []struct{ name, matched string }{
		{"myocardial infarction", "heart attack"},
		{"diabetes mellitus, type 2", "diabetes mellitus, type 2"}, // it has no other
		{"X", "X"},
		{"gone", "gone"},
	}
	for i, c := range NewRecord(formats.NewRecord(doc), results, dict).Mentions[0].Candidates {
		if c.Name != want[i].name || c.MatchedName != want[i].matched {
			t.Errorf("%s: name %q, matched %q; want %q, %q", c.ID, c.Name, c.MatchedName, want[i].name, want[i].matched)
		}
	}
}
