package bne

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
	"github.com/ctxnorm/ctxnorm/text"
)

// wordVectors returns vectors of dim numbers for all words of the sentences.
func wordVectors(t testing.TB, dim int, sentences ...[]string) *wordvec.Vectors {
	t.Helper()
	config := wordvec.DefaultConfig()
	config.Dim, config.MinCount, config.Epochs = dim, 1, 1
	v := must.Get(wordvec.Train(t.Context(), func(yield func([]string, error) bool) {
		for _, words := range sentences {
			if !yield(words, nil) {
				return
			}
		}
	}, config))
	return v
}

// fourConcepts returns the concepts C0 to C3 with four names each, and the names.
func fourConcepts() (concepts []kb.Concept, names []text.Exemplar) {
	for i := range 4 {
		concept := kb.Concept{ID: kb.ConceptID(fmt.Sprint("C", i)), Name: fmt.Sprint("name ", i)}
		for j := range 3 {
			concept.Synonyms = append(concept.Synonyms, fmt.Sprint("synonym ", j, " of ", i))
		}
		for _, name := range concept.Names() {
			names = append(names, text.NameExemplar(name, concept.ID))
		}
		concepts = append(concepts, concept)
	}
	return concepts, names
}

// TestBatch: an epoch has every name once; each is followed by another name of its concept, if there is one, and its
// negative belongs to a concept that it cannot mean.
func TestBatch(t *testing.T) {
	concepts, names := fourConcepts()
	var sentences [][]string
	for i := range names {
		sentences = append(sentences, wordvec.Words(names[i].Surface()))
	}
	vectors := wordVectors(t, 4, sentences...) // "alone" and "either" have none
	single := text.NameExemplar("alone", "S")
	ambiguous := text.NameExemplar("either", "C0", "C1")
	names = append(names, single, ambiguous)
	dict := kb.NewDictionary(append(concepts, kb.Concept{ID: "S", Name: "alone"}))
	r := Recipe()
	s := r.Values.(*Settings)
	s.NamesPerBatch, s.Epochs = 5, 2
	m := must.Get(newTask(r.Config, *s, names, dict, vectors))
	// 16 names of four concepts, one of a fifth, and one of two concepts: 19 items, three batches of 5.
	if total, epoch := m.Steps, m.EpochSteps; total != 2*3 || epoch != 0 {
		t.Errorf("%d steps, and %d an epoch; want 6 and 0", total, epoch)
	}
	seen := make(map[string]int)
	for step := range 3 {
		b := must.Get(m.Batch(step))
		loss := b.Loss.(*nameLoss)
		if len(loss.targets) != 5 {
			t.Fatalf("step %d has %d names, want 5", step, len(loss.targets))
		}
		for i, target := range loss.targets {
			row := b.Rows[i]
			name := row.Query.Surface()
			seen[fmt.Sprint(name, row.Label.Concept)]++
			if has := target.synonym != none; has != (name != "alone") {
				t.Errorf("%q has another name: %v", name, has)
			} else if has && (b.Rows[target.synonym].Label.Concept != row.Label.Concept || b.Rows[target.synonym].Query.Surface() == name) {
				t.Errorf("%q of %s is drawn to %q of %s", name, row.Label.Concept, b.Rows[target.synonym].Query.Surface(), b.Rows[target.synonym].Label.Concept)
			}
			for j := range loss.targets {
				may := slices.ContainsFunc(row.Label.Concepts, func(id kb.ConceptID) bool {
					return slices.Contains(b.Rows[j].Label.Concepts, id)
				})
				if slices.Contains(target.negatives, j) == may {
					t.Errorf("%q of %s is pushed from one of %v: %v", name, row.Label.Concepts, b.Rows[j].Label.Concepts, !may)
				}
			}
			must.Equal(t, target.context != nil, name != "alone" && name != "either", name, "has a vector of its words")
			must.Equal(t, target.concept != nil, row.Label.Concept != "S", row.Label.Concept, "has a vector")
		}
	}
	for name, count := range seen {
		must.Equal(t, count, 1, name, "times in an epoch")
	}
	must.Equal(t, len(seen), 15, "names in an epoch")
}

// TestNameLossByHand has one name of two with all three objectives. With l(x) = log(1 + e^-x):
//
//	context  l(log 3) + l(-0)        = log(4/3) + log 2
//	concept  l(0) + l(-0)            = 2 log 2
//	synonym  l(-log 3) + l(-log 3)   = 2 log 4
//
// The second name has no negative, so it only serves as the negative of the first; the loss is half of the sum.
func TestNameLossByHand(t *testing.T) {
	log3 := math.Log(3)
	loss := &nameLoss{targets: []nameTargets{
		{synonym: 2, negatives: []int{1}, context: []float64{log3, 0}, concept: []float64{0, 1}},
		{synonym: none, context: []float64{0, 7}, concept: []float64{0, 8}},
	}}
	value, err := loss.Evaluate(contrastive.Vectors{Rows: []float64{1, 0, log3, 0, -log3, 0}, Dim: 2, Labels: make([]contrastive.Label, 3)})
	must.Succeed(t, err)
	if want := (math.Log(4./3) + math.Log(2) + 2*math.Log(2) + 2*math.Log(4)) / 2; math.Abs(value.Loss-want) > 1e-6 {
		t.Errorf("loss is %v, want %v", value.Loss, want)
	}
	loss.targets = []nameTargets{{synonym: 1, negatives: []int{2}}, {synonym: none}, {synonym: none}} // l(-1e6) + l(-1e6)
	value, err = loss.Evaluate(contrastive.Vectors{Rows: []float64{1000, -1000, 1000}, Dim: 1})
	if err != nil || math.Abs(value.Loss-2e6/3) > 1e-6 || math.Abs(value.Rows[0]-2000./3) > 1e-9 {
		t.Errorf("loss is %v, gradient %v, error %v; want a third of 2e+06 and of 2000", value.Loss, value.Rows, err)
	}
}

// TestNegative: the negative is the one with the greatest dot product.
func TestNegative(t *testing.T) {
	vectors := [][]float64{{9, 9}, nil, {1, 0}, {3, 0}, {2, 0}}
	of := func(row int) []float64 { return vectors[row] }
	for _, c := range []struct {
		negatives []int
		want      int
	}{
		{[]int{1, 2, 3, 4}, 3},
		{[]int{4, 2}, 4},
		{[]int{1}, none},
		{nil, none},
	} {
		l := &nameLoss{targets: []nameTargets{{negatives: c.negatives}}}
		must.Equal(t, l.negative(0, []float64{1, 0}, of), c.want, c.negatives, "row")
	}
}
