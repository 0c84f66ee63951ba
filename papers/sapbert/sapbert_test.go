package sapbert

import (
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

// TestBatches: an epoch has each pair of names of a concept once. A has 3 names and so 3 pairs, B 2 names and 1 pair, C
// 1 name and no pair, D 4 names with 6 pairs, limited to 4: 8 in all, which are 2 batches of 3 pairs with 2 left over.
func TestBatches(t *testing.T) {
	names := fixtures.Names("A:a1 a2 a3", "B:b1 b2", "C:c1", "D:d1 d2 d3 d4")
	settings := Settings{PairsPerBatch: 3, PairsPerConcept: 4, Epochs: 2}
	m := must.Get(newTask(Recipe().Config, settings, names))
	if total, epoch := m.Steps, m.EpochSteps; total != 4 || epoch != 0 {
		t.Errorf("%d steps and %d an epoch, want 4 and 0", total, epoch)
	}
	perConcept := map[kb.ConceptID]int{}
	for _, p := range m.pairs {
		perConcept[p.concept]++
	}
	must.Equal(t, perConcept, map[kb.ConceptID]int{"A": 3, "B": 1, "D": 4}, "pairs")
	var epochs [2]string
	for epoch := range epochs {
		seen := map[string]bool{}
		for step := 2 * epoch; step < 2*epoch+2; step++ {
			b := must.Get(m.Batch(step))
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
	if again, err := m.Batch(0); err != nil || !strings.HasPrefix(epochs[0], again.Rows[0].Query.Surface()) { // as after a resume
		t.Errorf("the first batch begins with %q later, %v; it was of the pairs %s", again.Rows[0].Query.Surface(), err, epochs[0])
	}
}
