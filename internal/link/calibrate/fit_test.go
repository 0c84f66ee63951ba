package calibrate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// nFeatures is the number of features. Those of NIL come last.
var nFeatures = len(link.RankingFeatures.Prior())

// zeros returns the weights of an uninformed prior.
func zeros() []float64 { return make([]float64, nFeatures) }

// normal returns weights sampled from the normal distribution.
func normal(random *rand.Rand) []float64 {
	weights := zeros()
	for i := range weights {
		weights[i] = random.NormFloat64()
	}
	return weights
}

// randomExamples returns n examples of seven concepts and NIL, each with its own features. The gold candidate is
// sampled from the softmax of the scores by planted weights.
func randomExamples(random *rand.Rand, planted []float64, n int) []listwiseExample {
	examples := make([]listwiseExample, n)
	for i := range examples {
		c := listwiseExample{gold: make([]bool, 8), weight: 1}
		scores := make([]float64, 8)
		for j := range scores {
			f := zeros()
			for k := range f {
				if ofNIL := k >= link.ConceptFeatures; ofNIL == (j == 7) {
					f[k] = random.NormFloat64()
				}
			}
			c.candidates = append(c.candidates, f)
			scores[j] = dot.InOrder(planted, f)
		}
		u := random.Float64()
		for j, p := range link.Softmax(scores) {
			if u -= p; u < 0 || j == 7 {
				c.gold[j] = true
				break
			}
		}
		examples[i] = c
	}
	return examples
}

// splitNIL separates the examples whose answer is NIL from the others.
func splitNIL(examples []listwiseExample) (answered, nils []listwiseExample) {
	for _, e := range examples {
		if e.gold[len(e.gold)-1] {
			nils = append(nils, e)
		} else {
			answered = append(answered, e)
		}
	}
	return answered, nils
}

func TestFitFindsPlantedWeights(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	planted := normal(random)
	answered, nils := splitNIL(randomExamples(random, planted, 20_000))
	got := must.Get(fitWeights(&exampleSet{answered: answered, nils: nils}, zeros()))
	// With weights about 1 these softmaxes are sharp: the variance of a feature under them is about .05, the standard
	// error of a weight is 1/sqrt(20000 * .05) = .03, and the prior shifts a weight of 3 by 10 * 3 / (20000 * .05) =
	// .03. The tolerance is three standard errors plus the shift.
	for i := range planted {
		if math.Abs(got[i]-planted[i]) > .15 {
			t.Errorf("weight %d: %.3f, want %.3f", i, got[i], planted[i])
		}
	}
}

// Without examples the weights are those of the prior.
func TestFitKeepsPrior(t *testing.T) {
	want := link.PriorWeights(&model.Model{}, link.AllComponents)
	must.Equal(t, must.Get(fitWeights(new(exampleSet), want)), want)
}

func TestLossGradient(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	w := normal(random)
	for _, c := range randomExamples(random, w, 20) {
		c.gold[random.IntN(8)] = true // some with two gold candidates
		gradient, ignored := zeros(), zeros()
		c.loss(w, gradient)
		for i := range w {
			const h = 1e-6
			up, down := slices.Clone(w), slices.Clone(w)
			up[i] += h
			down[i] -= h
			numeric := (c.loss(up, ignored) - c.loss(down, ignored)) / (2 * h)
			if math.Abs(numeric-gradient[i]) > 1e-6 {
				t.Errorf("weight %d: gradient %g, by differences %g", i, gradient[i], numeric)
			}
		}
	}
}

// TestNILDoesNotChangeOrder: the weights of the concepts' features are the same as in a fit without NIL examples, and
// an example counts by its weight.
func TestNILDoesNotChangeOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	planted := normal(random)
	answered, nils := splitNIL(randomExamples(random, planted, 500))
	with := must.Get(fitWeights(&exampleSet{answered: answered, nils: nils}, zeros()))
	without := must.Get(fitWeights(&exampleSet{answered: answered, nils: nil}, zeros()))
	n := link.ConceptFeatures
	must.Equal(t, with[:n], without[:n], "weights of the concepts, without NIL")
	twice := must.Get(fitWeights(&exampleSet{answered: answered, nils: slices.Concat(nils, nils)}, zeros()))
	for i := range nils {
		nils[i].weight = 2
	}
	double := must.Get(fitWeights(&exampleSet{answered: answered, nils: nils}, zeros()))
	for i := range twice {
		// Both fits end where the gradient is about 1e-4, so a weight is off by at most 1e-4 divided by the precision
		// of the prior.
		if math.Abs(twice[i]-double[i]) > 1e-4 {
			t.Errorf("weight %d: %g with every NIL example twice, %g with double weight", i, twice[i], double[i])
		}
	}
	if slices.Equal(with[n:], double[n:]) {
		t.Error("the weight of NIL examples has no effect")
	}
}
