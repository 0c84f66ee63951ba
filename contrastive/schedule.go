package contrastive

import (
	"math"
	"strconv"

	"github.com/ctxnorm/ctxnorm/internal/sampling"
)

// Bounds of the number of steps that stepsFor derives.
const (
	minSteps = 40 // with fewer, training does not get past the warm-up
	// maxRows is 500 batches of 64 concepts. With 250 batches, linking was no better or worse than with another seed:
	// Acc@1 on the dev sets of NCBI Disease, BC5CDR and MedMentions was .852, .755 and .843; with 500 it was .852, .761
	// and .850, and .851, .750 and .841 with seed 2.
	maxRows = 64_000
)

// stepsFor returns c.Steps or, if that is 0, the number of steps for one pass over the exemplars: enough to sample the
// given numbers of contexts and of names once, whichever takes longer at NameBatchRatio. The pass has at most 64,000
// rows and at least 40 steps.
func (c Config) stepsFor(contexts, names int) int {
	if c.Steps > 0 {
		return c.Steps
	}
	pass := 0.0
	for _, kind := range []struct {
		examples   int
		batchRatio float64
	}{{contexts, 1 - c.NameBatchRatio}, {names, c.NameBatchRatio}} {
		if kind.batchRatio > 0 {
			pass = max(pass, float64(kind.examples)/float64(2*c.ConceptsPerBatch)/kind.batchRatio)
		}
	}
	return int(max(minSteps, min(math.Ceil(pass), math.Ceil(maxRows/float64(2*c.ConceptsPerBatch)))))
}

// LearningRateAt returns the learning rate of a step, counted from 0, of total. It rises linearly over the first
// WarmupRatio of the steps and then falls linearly to 0, which it reaches at the step after the last: no step has rate
// 0.
func (c Config) LearningRateAt(step, total int) float64 {
	if step < 0 || step >= total {
		return 0
	}
	warmup := int(c.WarmupRatio * float64(total))
	if step < warmup {
		return c.LearningRate * float64(step+1) / float64(warmup+1)
	}
	return c.LearningRate * float64(total-step) / float64(total-warmup)
}

// batchAt reports whether the batch of a step, counted from 0, holds bare names, and returns its number among the
// batches of its kind, for [Sampler.Batch]. Batches of names are spread evenly: the first n steps have
// floor(n*NameBatchRatio) of them.
func (c Config) batchAt(step int) (names bool, number int) {
	before := int(math.Floor(float64(step) * c.NameBatchRatio))
	after := int(math.Floor(float64(step+1) * c.NameBatchRatio))
	if after > before {
		return true, before
	}
	return false, step - before
}

// replacesMention reports whether the mention of a row, in a step's batch of contexts, is replaced by another name of
// its concept. number chooses the name. Both depend only on the seed, the step and the row. The first row of each pair
// is never replaced.
func (c Config) replacesMention(step, row int) (number uint64, replace bool) {
	at := []string{strconv.Itoa(step), strconv.Itoa(row)}
	if row%2 == 0 || sampling.Unit(c.Seed, append(at, "reword")...) >= c.SynonymReplaceProb {
		return 0, false
	}
	return sampling.Hash(c.Seed, append(at, "wording")...), true
}
