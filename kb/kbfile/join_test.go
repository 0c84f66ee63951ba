package kbfile

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/kb"
)

func TestJoin(t *testing.T) {
	first := kb.NewDictionary([]kb.Concept{
		{ID: "MESH:D1", Synonyms: []string{"heart attack"}, AltIDs: ids{"OMIM:7"}},
		{ID: "MESH:D2", Name: "asthma"},
	})
	second := kb.NewDictionary([]kb.Concept{
		{ID: "D1", Name: "Myocardial Infarction", Synonyms: []string{"heart attack", "MI"}, Parents: ids{"D2", "D9"}}, // without the namespace
		{ID: "OMIM:7", Synonyms: []string{"cardiac infarct"}},                                                         // by the alternative id
		{ID: "MESH:D2", Name: "Asthma, Bronchial"},
		{ID: "D9", Name: "new"},
	})
	got, report := Join(first, second)
	want := []kb.Concept{
		{ID: "D9", Name: "new"},
		{ID: "MESH:D1", Name: "Myocardial Infarction", Synonyms: []string{"heart attack", "MI", "cardiac infarct"}, AltIDs: ids{"D1", "OMIM:7"}, Parents: ids{"D9", "MESH:D2"}},
		{ID: "MESH:D2", Name: "asthma", Synonyms: []string{"Asthma, Bronchial"}},
	}
	if diff := cmp.Diff(want, concepts(got), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("concepts (-want +got):\n%s", diff)
	}
	// New names: Myocardial Infarction, MI, cardiac infarct, Asthma, Bronchial and new.
	if diff := cmp.Diff(JoinReport{Joined: 3, Added: 1, Names: 5}, report); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestJoinWithItselfChangesNothing(t *testing.T) {
	d, _, err := Read("testdata/terms.obo", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if joined, report := Join(d, d); joined.Hash() != d.Hash() || report.Added != 0 || report.Names != 0 {
		t.Errorf("joined with itself: %+v", report)
	}
}
