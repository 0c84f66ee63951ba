package wordvec

import "math/rand/v2"

// sampler samples the training steps of documents.
type sampler struct {
	window, negatives int
	keep              []float64 // by word: the probability that subsampling keeps it
	noise             noise
	random            *rand.Rand
	kept              []int // the words of a document that are kept
}

func newSampler(v *Vocabulary, c *Config) *sampler {
	s := &sampler{window: c.Window, negatives: c.Negatives, noise: v.noise(c.NoiseExponent), random: rand.New(rand.NewPCG(c.Seed, 0))}
	for i := range v.words {
		s.keep = append(s.keep, v.keepProbability(i, c.Subsample))
	}
	return s
}

// sample calls take for the steps of a document, in the order of its words. Each step is one term of the objective: a
// word, another word, and 1 if they occurred together or 0 for a noise word.
func (s *sampler) sample(words []int, take func(word, other int, label float32)) {
	s.kept = s.kept[:0]
	for _, word := range words {
		if s.random.Float64() < s.keep[word] {
			s.kept = append(s.kept, word)
		}
	}
	for i, word := range s.kept {
		width := 1 + s.random.IntN(s.window)
		for j := max(0, i-width); j <= min(len(s.kept)-1, i+width); j++ {
			if j == i {
				continue
			}
			context := s.kept[j]
			take(word, context, 1)
			for range s.negatives {
				if n := s.noise.word(s.random.Float64()); n != context {
					take(word, n, 0)
				}
			}
		}
	}
}
