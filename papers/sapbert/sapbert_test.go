package sapbert

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// TestBatches: an epoch has each pair of names of a concept once. A has 3 names and so 3 pairs,
// B 2 names and 1, C 1 name and none, D 4 names, whose 6 pairs are limited to 4: 8 in all, which
// are 2 batches of 3 pairs with 2 left out.
func TestBatches(t *testing.T) {
	names := linktest.Names("A:a1 a2 a3", "B:b1 b2", "C:c1", "D:d1 d2 d3 d4")
	settings := Settings{PairsPerBatch: 3, PairsPerConcept: 4, Epochs: 2}
	m, err := New(config(), settings, names)
	if err != nil {
		t.Fatal(err)
	}
	if total, epoch := m.Steps, m.EpochSteps; total != 4 || epoch != 0 {
		t.Errorf("%d steps and %d an epoch, want 4 and 0", total, epoch)
	}
	perConcept := map[kb.ConceptID]int{}
	for _, p := range m.pairs {
		perConcept[p.concept]++
	}
	if diff := cmp.Diff(map[kb.ConceptID]int{"A": 3, "B": 1, "D": 4}, perConcept); diff != "" {
		t.Errorf("pairs (-want +got):\n%s", diff)
	}
	var epochs [2]string
	for epoch := range epochs {
		seen := map[string]bool{}
		for step := 2 * epoch; step < 2*epoch+2; step++ {
			b, err := m.Batch(step)
			if err != nil {
				t.Fatal(err)
			}
			if len(b.Rows) != 6 || !b.Names {
				t.Fatalf("step %d: %d rows, names %v; want 6 and true", step, len(b.Rows), b.Names)
			}
			for i := 0; i < len(b.Rows); i += 2 {
				first, second := b.Rows[i], b.Rows[i+1]
				pair := first.Query.Surface() + " " + second.Query.Surface()
				if first.Label.Concept != second.Label.Concept || first.Query == second.Query || seen[pair] {
					t.Errorf("step %d: pair %q of %s and %s", step, pair, first.Label.Concept, second.Label.Concept)
				}
				seen[pair] = true
				epochs[epoch] += pair + ", "
			}
		}
	}
	if epochs[0] == epochs[1] {
		t.Errorf("both epochs have the order %s", epochs[0])
	}
	again, err := New(config(), settings, names)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []int{3, 0} { // out of order, as after a resume
		want, _ := m.Batch(step)
		got, _ := again.Batch(step)
		for i := range want.Rows {
			if want.Rows[i].Query.Surface() != got.Rows[i].Query.Surface() {
				t.Errorf("step %d, row %d is %q, want %q", step, i, got.Rows[i].Query.Surface(), want.Rows[i].Query.Surface())
			}
		}
	}
}

func TestErrors(t *testing.T) {
	valid := DefaultSettings()
	names := linktest.Names("A:a1 a2", "B:b1 b2")
	for _, tc := range []struct {
		change func(*Settings)
		names  []text.Exemplar
		want   string
	}{
		{func(s *Settings) { s.PairsPerBatch = 1 }, names, "pairs_per_batch is 1, want 2 or more"},
		{func(s *Settings) { s.PairsPerConcept = 0 }, names, "pairs_per_concept is 0, want 1 or more"},
		{func(s *Settings) { s.Epochs = 0 }, names, "epochs is 0, want 1 or more"},
		{func(*Settings) {}, names[:3], "1 of 2 concepts have two names or more, want at least 2"},
	} {
		s := valid
		tc.change(&s)
		if _, err := New(config(), s, tc.names); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
}
