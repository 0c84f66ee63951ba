package contrastive

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// namesOfConcepts returns exemplars of names written "concept:name name …".
func namesOfConcepts(lines ...string) (names []text.Exemplar) {
	for _, line := range lines {
		id, list, _ := strings.Cut(line, ":")
		for _, name := range strings.Fields(list) {
			names = append(names, text.NameExemplar(name, kb.ConceptID(id)))
		}
	}
	return names
}

// TestSapBERTBatches: an epoch has each pair of names of a concept once. A has 3 names and so 3 pairs,
// B 2 names and 1, C 1 name and none, D 4 names, whose 6 pairs are limited to 4: 8 in all, which
// are 2 batches of 3 pairs with 2 left out.
func TestSapBERTBatches(t *testing.T) {
	names := namesOfConcepts("A:a1 a2 a3", "B:b1 b2", "C:c1", "D:d1 d2 d3 d4")
	settings := SapBERTSettings{PairsPerBatch: 3, PairsPerConcept: 4, Epochs: 2}
	m, err := NewSapBERT(SapBERTConfig(), settings, names)
	if err != nil {
		t.Fatal(err)
	}
	if total, epoch := m.Steps(); total != 4 || epoch != 0 {
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
	again, err := NewSapBERT(SapBERTConfig(), settings, names)
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

func TestSapBERTErrors(t *testing.T) {
	valid := DefaultSapBERTSettings()
	names := namesOfConcepts("A:a1 a2", "B:b1 b2")
	for _, tc := range []struct {
		change func(*SapBERTSettings)
		names  []text.Exemplar
		want   string
	}{
		{func(s *SapBERTSettings) { s.PairsPerBatch = 1 }, names, "pairs_per_batch is 1, want 2 or more"},
		{func(s *SapBERTSettings) { s.PairsPerConcept = 0 }, names, "pairs_per_concept is 0, want 1 or more"},
		{func(s *SapBERTSettings) { s.Epochs = 0 }, names, "epochs is 0, want 1 or more"},
		{func(*SapBERTSettings) {}, names[:3], "1 of 2 concepts have two names or more, want at least 2"},
	} {
		s := valid
		tc.change(&s)
		if _, err := NewSapBERT(SapBERTConfig(), s, tc.names); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
}

// TestTripletMining compares the mined pairs with the triplets, one by one: a pair is mined if it is in a
// triplet whose negative is less than the margin farther than its positive.
func TestTripletMining(t *testing.T) {
	const seed, d = 8, 4
	random := rand.New(rand.NewPCG(seed, 0))
	loss := SapBERTConfig().NameLoss
	for round := range 200 {
		n := 2 + random.IntN(9)
		x, pairs := randomBatch(random, n, d)
		unit, _, err := unitRows(x, n, d)
		if err != nil {
			t.Fatal(err)
		}
		distance := func(i, j int) float64 {
			sum := 0.0
			for k := range d {
				sum += math.Pow(unit[i*d+k]-unit[j*d+k], 2)
			}
			return math.Sqrt(sum)
		}
		want := PairMasks{N: n, Positive: make([]bool, n*n), Negative: make([]bool, n*n)}
		for a := range n {
			for p := range n {
				for q := range n {
					if pairs.Positive[a*n+p] && pairs.Negative[a*n+q] && distance(a, q)-distance(a, p) < loss.TripletMargin {
						want.Positive[a*n+p], want.Negative[a*n+q] = true, true
					}
				}
			}
		}
		if diff := cmp.Diff(want, loss.Mine(cosines(unit, n, d), pairs)); diff != "" {
			t.Fatalf("seed %d round %d (-triplets +mined):\n%s", seed, round, diff)
		}
	}
}

// TestTripletMiningByHand: rows 0 and 1 are of one concept at a distance of sqrt(2 - 2*.5) = 1, row 2 of
// another one. It is at a distance of 1.19 (cosine .29) from row 0 and so in a triplet, being less
// than .2 farther; and of 1.21 (cosine .27) from row 1, and in none.
func TestTripletMiningByHand(t *testing.T) {
	sim := []float64{
		1, .5, .29,
		.5, 1, .27,
		.29, .27, 1,
	}
	mined := SapBERTConfig().NameLoss.Mine(sim, pairsOf(1, 1, 2))
	if got := fmt.Sprint(pairList(3, mined.Positive), pairList(3, mined.Negative)); got != "[[0 1]] [[0 2]]" {
		t.Errorf("mined %s, want [[0 1]] [[0 2]]", got)
	}
}
