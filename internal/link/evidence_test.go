package link

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

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
	for _, evidence := range []bool{false, true} {
		ranker := must(newRanker(m, RankOptions{Evidence: evidence}))
		_, err := ranker.Link(t.Context(), queries, 3)
		if !evidence && err != nil {
			t.Errorf("without evidence: %v", err)
		}
		if evidence && (err == nil || !strings.Contains(err.Error(), path+": ")) {
			t.Errorf("with evidence: error %v, want one about %s", err, path)
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
