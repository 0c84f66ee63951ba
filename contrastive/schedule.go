package contrastive

import (
	"math"
	"strconv"

	"ctxnorm"
)

// Bounds of what StepsFor derives.
const (
	minSteps = 40 // fewer do not get past the warm-up
	// maxRows is 500 batches of 64 pairs. With 250 the ranking linked no better or worse
	// than another seed does: Acc@1 on the dev sets of NCBI Disease, BC5CDR and
	// MedMentions .852, .755 and .843, with 500 .852, .761 and .850, and .851, .750 and
	// .841 by seed 2.
	maxRows = 64_000
)

// StepsFor is Steps, or, where that is 0, what one pass over the exemplars
// takes: enough batches that the contexts and the names given are each drawn
// once, whichever takes longer at NameShare, but no more than draw 64,000 rows,
// and 40 at least.
func (c Config) StepsFor(contexts, names int) int {
	if c.Steps > 0 {
		return c.Steps
	}
	pass := 0.0
	for _, part := range []struct {
		items int
		share float64
	}{{contexts, 1 - c.NameShare}, {names, c.NameShare}} {
		if part.share > 0 {
			pass = max(pass, float64(part.items)/float64(2*c.Pairs)/part.share)
		}
	}
	return int(max(minSteps, min(math.Ceil(pass), math.Ceil(maxRows/float64(2*c.Pairs)))))
}

// LearningRateAt is the learning rate of a step, counted from 0, of total. It
// climbs linearly over the first WarmupShare of the steps and then falls
// linearly, to reach 0 at the step after the last: no step has rate 0.
func (c Config) LearningRateAt(step, total int) float64 {
	if step < 0 || step >= total {
		return 0
	}
	warmup := int(c.WarmupShare * float64(total))
	if step < warmup {
		return c.LearningRate * float64(step+1) / float64(warmup+1)
	}
	return c.LearningRate * float64(total-step) / float64(total-warmup)
}

// BatchAt says whether the batch of a step, counted from 0, is made of bare
// names, and its number among the batches of its kind, for [Sampler.Batch].
// Batches of names are spread evenly: after any n steps there were
// floor(n*NameShare) of them.
func (c Config) BatchAt(step int) (names bool, number int) {
	before := int(math.Floor(float64(step) * c.NameShare))
	after := int(math.Floor(float64(step+1) * c.NameShare))
	if after > before {
		return true, before
	}
	return false, step - before
}

// RewordsMention reports whether the mention of a row of a step's batch of contexts
// is replaced by another name of its concept, and gives a number to choose the
// name by: both are drawn from the seed, the step and the row alone. The first row
// of each pair stays as its text has it.
func (c Config) RewordsMention(step, row int) (number uint64, reword bool) {
	at := []string{strconv.Itoa(step), strconv.Itoa(row)}
	if row%2 == 0 || ctxnorm.HashUnit(c.Seed, append(at, "reword")...) >= c.RewordMention {
		return 0, false
	}
	return ctxnorm.Hash(c.Seed, append(at, "wording")...), true
}
