package contrastive

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
	"github.com/ctxnorm/ctxnorm/text"
)

// wordVectors returns vectors of all words of the names, and of the others.
func wordVectors(t *testing.T, names []text.Exemplar, others ...string) *wordvec.Vectors {
	t.Helper()
	config := wordvec.DefaultConfig()
	config.Dim, config.MinCount, config.Epochs, config.Workers = 4, 1, 1, 1
	v, err := wordvec.Train(t.Context(), func(yield func([]string, error) bool) {
		for i := range names {
			if !yield(append(wordvec.Words(names[i].Surface()), others...), nil) {
				return
			}
		}
	}, config)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestBNEBatch: an epoch has every name once; each is followed by another name of its concept, if
// there is one, and its negative is of a concept that it may not mean.
func TestBNEBatch(t *testing.T) {
	d := recipeData()
	single := text.NameExemplar("alone", "S")
	ambiguous := text.NameExemplar("either", "C0", "C1")
	d.Names = append(d.Names, single, ambiguous)
	d.Dictionary = kb.NewDictionary(append(concepts(d.Dictionary), kb.Concept{ID: "S", Name: "alone"}))
	d.WordVectors = wordVectors(t, d.Names[:len(d.Names)-2]) // "alone" and "either" have none
	s := DefaultBNESettings()
	s.NamesPerBatch, s.Epochs = 5, 2
	m, err := NewBNE(BNEConfig(), s, d.Names, d.Dictionary, d.WordVectors)
	if err != nil {
		t.Fatal(err)
	}
	// 16 names of four concepts, one of a fifth, and one of two concepts: 19 items, three batches of 5.
	if total, epoch := m.Steps(); total != 2*3 || epoch != 0 {
		t.Errorf("%d steps, and %d an epoch; want 6 and 0", total, epoch)
	}
	seen := make(map[string]int)
	for step := range 3 {
		b, err := m.Batch(step)
		if err != nil {
			t.Fatal(err)
		}
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
				may := slices.ContainsFunc(row.Label.Concepts, b.Rows[j].Label.mayBe)
				if slices.Contains(target.negatives, j) == may {
					t.Errorf("%q of %s is pushed from one of %v: %v", name, row.Label.Concepts, b.Rows[j].Label.Concepts, !may)
				}
			}
			if has := target.context != nil; has != (name != "alone" && name != "either") {
				t.Errorf("%q has a vector of its words: %v", name, has)
			}
			if has := target.concept != nil; has != (row.Label.Concept != "S") {
				t.Errorf("%s has a vector: %v", row.Label.Concept, has)
			}
		}
	}
	for name, count := range seen {
		if count != 1 {
			t.Errorf("%s was in an epoch %d times", name, count)
		}
	}
	if len(seen) != 15 {
		t.Errorf("an epoch has %d names, want 15", len(seen))
	}
}

func concepts(d *kb.Dictionary) []kb.Concept {
	var all []kb.Concept
	for i := range d.Len() {
		all = append(all, *d.At(i))
	}
	return all
}

// TestNameLossByHand has one name of two with all three objectives. With l(x) = log(1 + e^-x):
//
//	context  l(log 3) + l(-0)        = log(4/3) + log 2
//	concept  l(0) + l(-0)            = 2 log 2
//	synonym  l(-log 3) + l(-log 3)   = 2 log 4
//
// The second name has no negative, so it is only the negative of the first; the loss is half of the
// sum.
func TestNameLossByHand(t *testing.T) {
	log3 := math.Log(3)
	loss := &nameLoss{targets: []nameTargets{
		{synonym: 2, negatives: []int{1}, context: []float64{log3, 0}, concept: []float64{0, 1}},
		{synonym: none, context: []float64{0, 7}, concept: []float64{0, 8}},
	}}
	value, err := loss.Evaluate(Vectors{Rows: []float64{1, 0, log3, 0, -log3, 0}, Dim: 2, Labels: make([]Label, 3)})
	if err != nil {
		t.Fatal(err)
	}
	if want := (math.Log(4./3) + math.Log(2) + 2*math.Log(2) + 2*math.Log(4)) / 2; math.Abs(value.Loss-want) > 1e-6 {
		t.Errorf("loss is %v, want %v", value.Loss, want)
	}
}

// TestNegative: the random negative is the first that has a vector, and the hardest the one with the
// greatest dot product.
func TestNegative(t *testing.T) {
	vectors := [][]float64{{9, 9}, nil, {1, 0}, {3, 0}, {2, 0}}
	of := func(row int) []float64 { return vectors[row] }
	for _, c := range []struct {
		hardest   bool
		negatives []int
		want      int
	}{
		{false, []int{1, 4, 3}, 4},
		{true, []int{1, 2, 3, 4}, 3},
		{true, []int{4, 2}, 4},
		{false, []int{1}, none},
		{true, nil, none},
	} {
		l := &nameLoss{targets: []nameTargets{{negatives: c.negatives}}, hardest: c.hardest}
		if got := l.negative(0, []float64{1, 0}, of); got != c.want {
			t.Errorf("hardest %v of %v: row %d, want %d", c.hardest, c.negatives, got, c.want)
		}
	}
}

// TestNameLossGradient compares with finite differences.
func TestNameLossGradient(t *testing.T) {
	const h, dim, names = 1e-5, 3, 4
	r := rand.New(rand.NewPCG(3, 4))
	for trial := range 20 {
		vector := func() []float64 {
			if r.IntN(5) == 0 {
				return nil
			}
			return []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		}
		loss := &nameLoss{hardest: trial%2 == 1}
		for i := range names {
			target := nameTargets{synonym: none, context: vector(), concept: vector()}
			if r.IntN(4) > 0 {
				target.synonym = names + i
			}
			for j := range names {
				if j != i && r.IntN(2) > 0 {
					target.negatives = append(target.negatives, j)
				}
			}
			loss.targets = append(loss.targets, target)
		}
		v := Vectors{Rows: make([]float64, 2*names*dim), Dim: dim, Labels: make([]Label, 2*names)}
		for i := range v.Rows {
			v.Rows[i] = r.NormFloat64()
		}
		evaluate := func() LossValue {
			value, err := loss.Evaluate(v)
			if err != nil {
				t.Fatal(err)
			}
			return value
		}
		gradient := evaluate().Rows
		for i, x := range v.Rows {
			v.Rows[i] = x + h
			above := evaluate().Loss
			v.Rows[i] = x - h
			below := evaluate().Loss
			v.Rows[i] = x
			if want := (above - below) / (2 * h); math.Abs(gradient[i]-want) > 1e-8 {
				t.Fatalf("gradient at %d is %v, want %v", i, gradient[i], want)
			}
		}
	}
}

func TestBNERefuses(t *testing.T) {
	d := recipeData()
	v := wordVectors(t, d.Names)
	for want, make := range map[string]func() error{
		"training: word_vectors is empty, want word vectors": func() error {
			_, err := NewBNE(BNEConfig(), DefaultBNESettings(), d.Names, d.Dictionary, nil)
			return err
		},
		"bne: names of 1 concepts, want of at least 2": func() error {
			_, err := NewBNE(BNEConfig(), DefaultBNESettings(), d.Names[:2], d.Dictionary, v)
			return err
		},
		"bne: the names have concept C0, which is not in the dictionary": func() error {
			_, err := NewBNE(BNEConfig(), DefaultBNESettings(), d.Names, kb.NewDictionary(nil), v)
			return err
		},
		`training: targets is guess, want "words" or "tokens"`: func() error {
			s := DefaultBNESettings()
			s.Targets = "guess"
			return s.Validate()
		},
		"training: dropout is 1, want 0 to below 1": func() error {
			s := DefaultBNESettings()
			s.Dropout = 1
			return s.Validate()
		},
	} {
		if err := make(); err == nil || err.Error() != want {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
}
