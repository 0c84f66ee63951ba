package link

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// evidenceLinkers holds constructors of the linkers that can return evidence.
var evidenceLinkers = map[string]func(m *model.Model, evidence bool) (Linker, error){
	"ranked": func(m *model.Model, evidence bool) (Linker, error) {
		return newRanker(m, RankOptions{Evidence: evidence})
	},
	"count": func(m *model.Model, evidence bool) (Linker, error) {
		o := paperVote()
		o.Evidence = evidence
		return NewVoter(m, o)
	},
	"weighted": func(m *model.Model, evidence bool) (Linker, error) {
		o := DefaultVote()
		o.Evidence = evidence
		return NewVoter(m, o)
	},
}

func TestEvidenceChangesNothingElse(t *testing.T) {
	encoder := linktest.GutEncoder()
	m := modeltest.Open(t, modeltest.Build(t, encoder, nil), encoder)
	queries := []text.Query{
		linktest.Query(t, "wheat causes <sprue> here"), linktest.Query(t, "<ulcer> by aspirin"), linktest.Query(t, "<coeliac disease>"), linktest.Query(t, "<>"),
	}
	for name, newLinker := range evidenceLinkers {
		var results [2][]Ranking // without, with
		for i := range results {
			linker, err := newLinker(m, i == 1)
			if err != nil {
				t.Fatal(err)
			}
			if results[i], err = linker.Link(t.Context(), queries, 3); err != nil {
				t.Fatal(err)
			}
		}
		votes := 0
		for i := range queries {
			for j, c := range results[0][i].Candidates {
				if c.Evidence != nil {
					t.Errorf("%s, query %d: %s has evidence without the option", name, i, c.Concept)
				}
				if got := len(results[1][i].Candidates[j].Evidence); got != c.Votes {
					t.Errorf("%s, query %d: %s has %d votes and %d exemplars", name, i, c.Concept, c.Votes, got)
				}
				votes += c.Votes
			}
		}
		if votes == 0 {
			t.Errorf("%s: no candidate has evidence", name)
		}
		if diff := cmp.Diff(results[0], results[1], sameBroader, cmpopts.IgnoreFields(linked.Candidate{}, "Evidence")); diff != "" {
			t.Errorf("%s (-without +with evidence):\n%s", name, diff)
		}
	}
}

// TestDamagedContextsAreReportedWhenRead damages a column that is read when evidence is
// first needed, after the file was compared with the manifest. The context of a mention of several words is not looked
// at.
func TestDamagedContextsAreReportedWhenRead(t *testing.T) {
	encoder := linktest.GutEncoder()
	dir := modeltest.Build(t, encoder, nil)
	path := filepath.Join(dir, "index", "contexts.parquet")
	m := modeltest.Open(t, dir, encoder)
	linktest.DamageColumn(t, path, "text")
	queries := []text.Query{linktest.Query(t, "wheat causes <tropical sprue> here")}
	for name, newLinker := range evidenceLinkers {
		for _, evidence := range []bool{false, true} {
			linker, err := newLinker(m, evidence)
			if err != nil {
				t.Fatal(err)
			}
			_, err = linker.Link(t.Context(), queries, 3)
			if !evidence && err != nil {
				t.Errorf("%s without evidence: %v", name, err)
			}
			if evidence && (err == nil || !strings.Contains(err.Error(), path+": column text: ")) {
				t.Errorf("%s with evidence: error %v, want one about the column text of %s", name, err, path)
			}
		}
	}
	for what, read := range map[string]func() error{
		"held-out contexts": func() error {
			_, err := NewCandidateGenerator(m, AllComponents, map[string]bool{"gout": true})
			return err
		},
		"a smaller model": func() error {
			smaller := m.HoldOut(func(id kb.ConceptID) bool { return id == "G2" })
			_, err := smaller.Contexts.Exemplars()
			return err
		},
	} {
		if err := read(); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v, want one that names %s", what, err, path)
		}
	}
}
