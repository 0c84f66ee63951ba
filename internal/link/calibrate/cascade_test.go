package calibrate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
)

// TestCascadeBounds compares the bounds with all others that a sample allows.
func TestCascadeBounds(t *testing.T) {
	const minProbability = .4
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		sample := &link.CascadeSample{ByOrder: make([]int, len(cascadeOrders))}
		for range random.IntN(60) {
			p := float64(random.IntN(21)) / 20
			nilProbability := (1 - p) * float64(random.IntN(11)) / 10
			first := link.FirstProbability{OfAll: p}
			if p > 0 {
				first.AgainstNIL = p / (p + nilProbability)
			}
			sample.Quick = append(sample.Quick, []link.FirstProbability{first})
			sample.Same = append(sample.Same, random.Float64() < .7+.6*max(p-.5, .5-p))
		}
		for i := range sample.ByOrder {
			sample.ByOrder[i] = random.IntN(6)
		}
		budget := []float64{0, .05, .1, .5}[random.IntN(4)]
		allowed := int(budget/2*float64(len(sample.Same))) - 1
		row := cascadeBounds(sample, budget, minProbability)
		if settled, changed := countOutside(sample, row.Low, row.High); settled != row.Settled || changed != row.Changed || changed > max(0, allowed) || allowed < 0 && settled > 0 {
			t.Errorf("seed %d: %+v settles %d and changes %d, want at most %d changed", seed, row, settled, changed, allowed)
		}
		for i := range 21 {
			high := float64(i) / 20
			if _, changed := countOutside(sample, settlesNIL, high); high >= .5 && high < row.High && changed <= allowed && slices.ContainsFunc(sample.Quick, func(quick []link.FirstProbability) bool { return quick[0].OfAll == high }) {
				// A higher probability may be the end of the budget only if all above it fits.
				t.Errorf("seed %d: the upper bound is %g, though %g changes %d of %d allowed", seed, row.High, high, changed, allowed)
			}
		}
		for _, quick := range sample.Quick {
			low := quick[0].AgainstNIL
			if _, changed := countOutside(sample, low, row.High); low < .5 && low > row.Low && changed <= allowed {
				t.Errorf("seed %d: the lower bound is %g, though %g changes %d of %d allowed", seed, row.Low, low, changed, allowed)
			}
		}
		for i, order := range cascadeOrders {
			if want := sample.ByOrder[i] <= allowed; order < row.Order && want || order == row.Order && !want {
				t.Errorf("seed %d: the order is settled from %g, though %g changes %d of %d allowed", seed, row.Order, order, sample.ByOrder[i], allowed)
			}
		}
	}
}

// countOutside counts the mentions of a sample outside bounds, and those whose answer changes.
func countOutside(sample *link.CascadeSample, low, high float64) (settled, changed int) {
	for i, quick := range sample.Quick {
		if quick[0].AgainstNIL <= low || quick[0].OfAll >= high {
			settled++
			if !sample.Same[i] {
				changed++
			}
		}
	}
	return settled, changed
}

// TestLearnWithoutEncoder: a model with an encoder is calibrated without it, too, as if it had
// been built so.
func TestLearnWithoutEncoder(t *testing.T) {
	t.Parallel()
	encoder := linktest.GutEncoder()
	with := modeltest.Open(t, buildCalibrated(t, encoder, modeltest.Ulcer), encoder)
	without := modeltest.Open(t, buildCalibrated(t, nil, modeltest.Ulcer), nil)
	got, want := with.Calibration.WithoutEncoder, without.Calibration
	if got == nil || got.WithoutEncoder != nil || got.MinProbability != want.MinProbability || got.Queries != want.Queries {
		t.Fatalf("calibration without the encoder %+v, want %+v", got, want)
	}
	for name, weight := range want.Weights {
		if got.Weights[name] != weight {
			t.Errorf("weight of %s is %g, want %g", name, got.Weights[name], weight)
		}
	}
	if with.Calibration.Cascade != nil { // three concepts have too few mentions
		t.Errorf("cascade %+v, want none", with.Calibration.Cascade)
	}
}

// TestCascadeWithin: the row of the largest budget that is not above what is asked for.
func TestCascadeWithin(t *testing.T) {
	c := &model.CascadeCalibration{Rows: []model.CascadeRow{{Budget: .001, High: .9}, {Budget: .01, High: .8}}}
	for _, test := range []struct {
		budget, high float64
		ok           bool
	}{{0, 0, false}, {.0005, 0, false}, {.001, .9, true}, {.005, .9, true}, {.5, .8, true}} {
		if row, ok := c.Within(test.budget); ok != test.ok || row.High != test.high {
			t.Errorf("budget %g: %+v, %v, want the upper bound %g, %v", test.budget, row, ok, test.high, test.ok)
		}
	}
	if _, ok := (*model.CascadeCalibration)(nil).Within(1); ok {
		t.Error("a model without a cascade has bounds")
	}
}
