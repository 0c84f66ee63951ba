package contrastive

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

func TestLearningRateAt(t *testing.T) {
	c := Config{LearningRate: 1, WarmupRatio: 0.3}
	// 10 steps, 3 of warm-up: quarters up to 3/4, then 7/7 falling by sevenths.
	want := []float64{1. / 4, 2. / 4, 3. / 4, 7. / 7, 6. / 7, 5. / 7, 4. / 7, 3. / 7, 2. / 7, 1. / 7}
	var got []float64
	for step := range 10 {
		got = append(got, c.LearningRateAt(step, 10))
	}
	must.EqualBy(t, cmpopts.EquateApprox(0, 1e-12), got, want, "learning rates")
	for _, step := range []int{-1, 10, 11} {
		must.Equal(t, c.LearningRateAt(step, 10), 0, "rate at step", step, "of 10")
	}
	c.WarmupRatio = 0
	must.Equal(t, c.LearningRateAt(0, 10), 1, "first rate without warm-up")
}

func TestStepsFor(t *testing.T) {
	tests := []struct {
		steps           int
		ratio           float64
		contexts, names int
		want            int
	}{
		{30, 0.5, 1e6, 1e6, 30},
		{0, 0, 16000, 1e6, 500},       // 16000 contexts / 32 a batch
		{0, 0.5, 16000, 6400, 1000},   // 500 batches of contexts are half
		{0, 0.75, 3200, 24000, 1000},  // 750 batches of names are three quarters
		{0, 1, 1e6, 8000, 250},        // names only
		{0, 0.5, 100, 100, minSteps},  // 3.125 / .5, raised to the minimum
		{0, 0.5, 1e6, 1e6, 2000},      // 31,250 / .5, lowered to 64,000 rows / 32 a batch
		{0, 0.5, 8001, 6400, 501},     // 500.06, rounded up
		{0, 0.1, 16000, 0, 556},       // 500 / .9 = 555.6
		{0, 0, 0, 0, minSteps},        // no exemplars
		{1, 0.5, 16000, 16000, 1},     // set, below the minimum
		{9999, 0.5, 16000, 100, 9999}, // set, above the maximum
	}
	for _, test := range tests {
		c := DefaultConfig()
		c.ConceptsPerBatch, c.Steps, c.NameBatchRatio = 16, test.steps, test.ratio
		must.Equal(t, c.stepsFor(test.contexts, test.names), test.want, "steps", test.steps, "name batch ratio", test.ratio,
			"stepsFor", test.contexts, test.names)
	}
}

// TestBatchAt checks that the batches of each kind are numbered without gaps, and that the number of batches of names
// is right after any number of steps.
func TestBatchAt(t *testing.T) {
	for _, ratio := range []float64{0, 0.1, 1. / 3, 0.5, 0.7, 1} {
		c := Config{NameBatchRatio: ratio}
		next := map[bool]int{}
		for step := range 1000 {
			names, number := c.batchAt(step)
			if number != next[names] {
				t.Fatalf("ratio %v, step %d: number %d of names=%v, want %d", ratio, step, number, names, next[names])
			}
			next[names]++
			if want := int(math.Floor(float64(step+1) * ratio)); next[true] != want {
				t.Fatalf("ratio %v: %d batches of names after step %d, want %d", ratio, next[true], step, want)
			}
		}
	}
}

func TestReplacesMention(t *testing.T) {
	c := Config{Seed: 3, SynonymReplaceProb: 0.3}
	const steps, rows = 500, 64
	count := 0
	for step := range steps {
		for row := range rows {
			number, replaced := c.replacesMention(step, row)
			if replaced {
				count++
				if again, _ := c.replacesMention(step, row); again != number || row%2 == 0 {
					t.Fatalf("step %d, row %d: numbers %d and %d", step, row, number, again)
				}
			}
			if _, never := (Config{Seed: 3}).replacesMention(step, row); never {
				t.Fatal("a mention is replaced with probability 0")
			}
			if _, always := (Config{Seed: 3, SynonymReplaceProb: 1}).replacesMention(step, row); always != (row%2 == 1) {
				t.Fatalf("row %d: replaced with probability 1: %v", row, always)
			}
		}
	}
	// There are 16,000 second rows; .3 of them is 4,800, with a standard deviation of
	// sqrt(16000 * .3 * .7) = 58.
	if count < 4500 || count > 5100 {
		t.Errorf("%d of %d mentions replaced, want about 4,800", count, steps*rows/2)
	}
}
