package wordvec

import "math/rand/v2"

// step is one term of the objective: an input vector, an output vector, and whether their
// words appeared together. See the package comment.
type step struct {
	input  uint32
	output uint32 // with the bit positive if the words appeared together, without for a noise word
}

const positive = 1 << 31

const (
	blocks    = 16 // of input vectors, and of output vectors
	blockBits = 4
	cells     = blocks * blocks
)

// cell returns the cell of a step. A word's block is its rank by frequency modulo blocks, so
// that all blocks have about as much to do.
func (s step) cell() uint32 { return s.input%blocks<<blockBits | s.output%blocks }

// chunk is a run of documents and the steps sampled from them.
type chunk struct {
	words        []uint32 // positions in the vocabulary
	ends         []int    // of each document, or piece of a long one, in words
	firstPiece   uint64   // number of the first of them in its epoch, from 0
	epoch        uint64
	learningRate float32

	steps  []step           // by cell, then in the order of the text
	starts [cells + 1]int32 // of each cell in steps
}

// cell returns the steps of cell number i.
func (c *chunk) cell(i int) []step { return c.steps[c.starts[i]:c.starts[i+1]] }

// sampler samples the steps of documents. It is safe for concurrent use.
type sampler struct {
	seed      uint64
	window    uint64
	negatives int
	keep      []uint32 // by word: the probability that subsampling keeps it, times 2^32; alwaysKeep for 1
	noise     noise
}

const alwaysKeep = 1<<32 - 1

func newSampler(v *Vocabulary, c *Config) *sampler {
	s := &sampler{seed: c.Seed, window: uint64(c.Window), negatives: c.Negatives, noise: v.noise(c.NoiseExponent)}
	s.keep = make([]uint32, v.Len())
	for i := range s.keep {
		s.keep[i] = uint32(min(alwaysKeep, v.keepProbability(i, c.Subsample)*(1<<32)))
	}
	return s
}

// sample returns the steps of a chunk in the order of its words.
func (s *sampler) sample(c *chunk) (sampled []step) {
	var (
		kept   []uint32 // the words of a document that are not dropped
		random rand.PCG
		start  int
	)
	for i, end := range c.ends {
		random.Seed(s.seed, c.epoch<<40+c.firstPiece+uint64(i))
		kept = s.subsample(kept[:0], c.words[start:end], &random)
		sampled = s.appendSteps(sampled, kept, &random)
		start = end
	}
	return sampled
}

// subsample appends the words that are not dropped to dst.
func (s *sampler) subsample(dst, words []uint32, random *rand.PCG) []uint32 {
	for _, word := range words {
		if keep := s.keep[word]; keep == alwaysKeep || uint32(random.Uint64()>>32) < keep {
			dst = append(dst, word)
		}
	}
	return dst
}

// appendSteps appends the steps of a document to dst.
func (s *sampler) appendSteps(dst []step, words []uint32, random *rand.PCG) []step {
	for i, word := range words {
		width := 1 + int(random.Uint64()>>32*s.window>>32)
		for j := max(0, i-width); j <= min(len(words)-1, i+width); j++ {
			if j == i {
				continue
			}
			context := words[j]
			dst = append(dst, step{word, context | positive})
			for range s.negatives {
				if n := s.noise.sample(random.Uint64()); n != context {
					dst = append(dst, step{word, n})
				}
			}
		}
	}
	return dst
}

// sortByCell sets steps and starts, by a counting sort, which keeps the order of the steps of a cell.
func (c *chunk) sortByCell(sampled []step) {
	var counts [cells]int32
	for _, s := range sampled {
		counts[s.cell()]++
	}
	var next [cells]int32
	for i, n := range counts {
		next[i] = c.starts[i]
		c.starts[i+1] = c.starts[i] + n
	}
	c.steps = make([]step, len(sampled))
	for _, s := range sampled {
		cell := s.cell()
		c.steps[next[cell]] = s
		next[cell]++
	}
}
