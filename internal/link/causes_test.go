package link

import (
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

func TestInducedPhrases(t *testing.T) {
	for _, tc := range []struct {
		text, mention string
		want          bool
	}{
		{"Levodopa-induced dyskinesias.", "dyskinesia", true},
		{"Levodopa-Induced Peak-Dose Dyskinesia", "dyskinesias", true}, // two words between
		{"levodopa induced a severe and early dyskinesia", "dyskinesia", true},
		{"levodopa-induced chorea of the left and the right hand, dyskinesia", "dyskinesia", false}, // too far
		{"levodopa-induced chorea; dyskinesia", "dyskinesia", false},                                // another clause
		{"levodopa-induced acute liver injury", "acute liver injury", true},
		{"levodopa-induced acute liver injury", "liver injury", true},
		{"levodopa-induced liver injury", "acute liver injury", false},
		{"Dyskinesia was induced by levodopa.", "dyskinesia", true},
		{"dyskinesia in two rats was later induced by levodopa", "dyskinesia", false}, // too far
		{"Chorea was seen. Induced by levodopa, dyskinesia", "chorea", false},         // another clause
		{"radiation-induced hepatitis", "hepatitis", false},
		{"hepatitis induced by a virus", "hepatitis", false},
		{"hepatitis induced by isoniazid", "hepatitis", true},
		{"induced hepatitis", "hepatitis", false}, // by nothing
		{"Dyskinesia was not induced by levodopa in any patient.", "dyskinesia", false},
		{"We induced dyskinesia in rats.", "dyskinesia", false},
		{"hepatitis after isoniazid", "hepatitis", false},
		{"isoniazid-induced hepatitis", "", false},
		{"", "", false},
		{strings.Repeat("ä ", 99) + "isoniazid-induced hepatitis " + strings.Repeat("ä", 99), "hepatitis", true}, // cut
	} {
		if got := newInducedPhrases(tc.text).has(tc.mention); got != tc.want {
			t.Errorf("%q in %q: %v, want %v", tc.mention, tc.text, got, tc.want)
		}
	}
}

// TestReadInduced: a mention is what a substance induced, as its document says elsewhere, if a name says so too.
func TestReadInduced(t *testing.T) {
	m := conceptsModel(t, kb.Concept{ID: "D", Name: "dyskinesia"}, kb.Concept{ID: "DI", Name: "drug-induced dyskinesia"},
		kb.Concept{ID: "H", Name: "hepatitis"})
	ranker := must(newRanker(m, RankOptions{}))
	for _, tc := range []struct {
		components Components
		text       string
		want       kb.ConceptID
	}{
		{AllComponents, "Levodopa-induced dyskinesia. Two rats had <dyskinesias>.", "DI"},
		{AllComponents, "Levodopa-induced dyskinesia. Two rats were <dyskinetic>.", "DI"},
		{AllComponents, "Two rats had <dyskinesias> after levodopa.", "D"},
		{AllComponents, "Two rats had <levodopa-induced dyskinesias>.", "DI"},
		{AllComponents, "Two rats had <levodopa-induced hepatitis>.", "H"},
		{AllComponents, "Levodopa-induced hepatitis. Two rats had <hepatitis>.", "H"}, // no name says more
		{AllComponents &^ ComponentDocumentContext, "Levodopa-induced dyskinesia. Two rats had <dyskinesias>.", "D"},
	} {
		resolver := must(NewMentionResolver(m, ranker, ResolverOptions{Components: tc.components}))
		mentions := must(resolver.LinkMentions(t.Context(), []text.Query{linktest.Query(t, tc.text)}, 1))
		if got := mentions[0].Candidates; len(got) != 1 || got[0].Concept != tc.want {
			t.Errorf("%s: %+v, want %s", tc.text, got, tc.want)
		}
	}
}
