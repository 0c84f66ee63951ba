package mine

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/matcher"
)

// TestSynonymsReal mines real abstracts for names that half of MEDIC lacks.
func TestSynonymsReal(t *testing.T) {
	d := fixtures.HalfOfMEDIC(t)
	tagger, _, err := matcher.NewTagger(d, matcher.DefaultNameFilter())
	must.Succeed(t, err)
	counts := make(map[corpus.SynonymPair]int)
	for _, text := range fixtures.Abstracts(t, 5000) {
		for _, p := range (PatternExtractor{}).Extract(nil, text, abbrev.Find(text), tagger.Tag(nil, text)) {
			counts[p]++
		}
	}
	var pairs []corpus.SynonymPairCount
	for p, n := range counts {
		pairs = append(pairs, corpus.SynonymPairCount{SynonymPair: p, Records: n})
	}
	table, synonyms := NewAbbreviationTable(pairs), Synonyms(pairs, d)
	if len(table) < 50 || len(synonyms) < 20 {
		t.Errorf("%d short forms and %d synonyms, want at least 50 and 20", len(table), len(synonyms))
	}
	exact := lexical.NewExact(d)
	for i, s := range synonyms {
		if concepts := exact.Lookup(s.Text); len(concepts) > 0 {
			t.Errorf("%+v is already a name of %v", s, concepts)
		}
		if d.Lookup(s.Concept) == nil || s.Count < 1 || s.Origin.Mined == "" {
			t.Errorf("%+v is incomplete", s)
		}
		if i > 0 && synonyms[i-1].Concept == s.Concept && synonyms[i-1].Text >= s.Text {
			t.Errorf("%+v is out of order", s)
		}
	}
}
