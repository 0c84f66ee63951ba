package link

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"

	"ctxnorm"
)

// evidenceLinkers make linkers that give evidence, or the same without.
var evidenceLinkers = map[string]func(m *Model, evidence bool) (ctxnorm.Linker, error){
	"ranked": func(m *Model, evidence bool) (ctxnorm.Linker, error) {
		return NewRanker(m, RankOptions{Evidence: evidence})
	},
	"count": func(m *Model, evidence bool) (ctxnorm.Linker, error) {
		o := PaperVote()
		o.Evidence = evidence
		return NewVoter(m, o)
	},
	"weighted": func(m *Model, evidence bool) (ctxnorm.Linker, error) {
		o := DefaultVote()
		o.Evidence = evidence
		return NewVoter(m, o)
	},
}

func TestEvidenceChangesNothingElse(t *testing.T) {
	encoder := gutEncoder()
	m := open(t, buildGut(t, encoder), encoder)
	queries := []ctxnorm.Query{
		query(t, "wheat causes <sprue> here"), query(t, "<ulcer> by aspirin"), query(t, "<coeliac disease>"), query(t, "<>"),
	}
	for name, newLinker := range evidenceLinkers {
		var results [2][][]ctxnorm.Candidate // without, with
		for i := range results {
			linker, err := newLinker(m, i == 1)
			if err != nil {
				t.Fatal(err)
			}
			if results[i], err = linker.Link(t.Context(), queries, 3); err != nil {
				t.Fatal(err)
			}
		}
		spoke := 0
		for i := range queries {
			for j, c := range results[0][i] {
				if c.Evidence != nil {
					t.Errorf("%s, query %d: %s has evidence that was not asked for", name, i, c.Concept)
				}
				if got := len(results[1][i][j].Evidence); got != c.Votes {
					t.Errorf("%s, query %d: %s has %d votes and %d exemplars", name, i, c.Concept, c.Votes, got)
				}
				spoke += c.Votes
			}
		}
		if spoke == 0 {
			t.Errorf("%s: no candidate has evidence", name)
		}
		if diff := cmp.Diff(results[0], results[1], cmpopts.IgnoreFields(ctxnorm.Candidate{}, "Evidence")); diff != "" {
			t.Errorf("%s (-without +with evidence):\n%s", name, diff)
		}
	}
}

// TestDamagedTextsAreFoundWhenRead damages what is read late.
func TestDamagedTextsAreFoundWhenRead(t *testing.T) {
	encoder := gutEncoder()
	dir := buildGut(t, encoder)
	path := filepath.Join(dir, filepath.FromSlash(contextExemplars))
	damageColumn(t, path, "text")
	m := open(t, dir, encoder)
	ask := []ctxnorm.Query{query(t, "wheat causes <sprue> here")}
	for name, newLinker := range evidenceLinkers {
		for _, evidence := range []bool{false, true} {
			linker, err := newLinker(m, evidence)
			if err != nil {
				t.Fatal(err)
			}
			_, err = linker.Link(t.Context(), ask, 3)
			if !evidence && err != nil {
				t.Errorf("%s without evidence: %v", name, err)
			}
			if evidence && (err == nil || !strings.Contains(err.Error(), path+": column text: ")) {
				t.Errorf("%s with evidence: error %v, want one of the column text of %s", name, err, path)
			}
		}
	}
	for what, ask := range map[string]func() error{
		"lessons":         func() error { _, err := NewPartRankers(m); return err },
		"hidden contexts": func() error { _, err := newCandidateGenerator(m, AllParts, map[string]bool{"gout": true}); return err },
		"a smaller model": func() error {
			less := m.Without(func(id ctxnorm.ConceptID) bool { return id == "G2" })
			_, err := less.Contexts.Exemplars()
			return err
		},
	} {
		if err := ask(); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v, want one of %s", what, err, path)
		}
	}
}

// damageColumn overwrites the pages of a column.
func damageColumn(t *testing.T, path, column string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(strings.NewReader(string(data)), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range file.Metadata().RowGroups {
		for _, chunk := range group.Columns {
			if m := chunk.MetaData; strings.Join(m.PathInSchema, ".") == column {
				pages := data[m.DataPageOffset : m.DataPageOffset+m.TotalCompressedSize]
				for i := range pages {
					pages[i] = 0xff
				}
			}
		}
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
