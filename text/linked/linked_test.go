package linked

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/kb"
)

func TestHasXrefs(t *testing.T) {
	none := []Candidate{{Concept: "A"}, {Concept: "B", Xrefs: []kb.ConceptID{}}}
	second := []Candidate{{Concept: "A"}, {Concept: "B", Xrefs: []kb.ConceptID{"X:1"}}}
	for _, tc := range []struct {
		name    string
		mention Mention
		want    bool
	}{
		{"NIL", Mention{}, false},
		{"without", Mention{Candidates: none}, false},
		{"the second candidate", Mention{Candidates: second}, true},
		{"no sub-mention", Mention{Candidates: none, SubMentions: []SubMention{{Candidates: none}, {}}}, false},
		{"the second sub-mention", Mention{Candidates: none, SubMentions: []SubMention{{Candidates: none}, {Candidates: second}}}, true},
	} {
		if got := tc.mention.HasXrefs(); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}
