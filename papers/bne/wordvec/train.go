package wordvec

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
)

// Train trains a vector for each sufficiently frequent word in docs. It reads docs once to count the words and once in
// each epoch.
func Train(ctx context.Context, docs Documents, config Config) (*Vectors, error) {
	if err := config.validate(); err != nil {
		return nil, err
	}
	vocabulary, err := newVocabulary(docs, config.MinCount)
	if err != nil {
		return nil, err
	}
	t := newTrainer(vocabulary, &config)
	for epoch := range config.Epochs {
		if err := t.pass(ctx, docs, epoch); err != nil {
			return nil, err
		}
	}
	return &Vectors{vocabulary, config, t.input}, nil
}

// trainer holds the vectors being trained.
type trainer struct {
	config        *Config
	vocabulary    *Vocabulary
	sampler       *sampler
	kernel        dot.Kernel
	input, output []float32 // row-major, a row per word
	done          int64     // words read so far
}

func newTrainer(v *Vocabulary, c *Config) *trainer {
	t := &trainer{
		config: c, vocabulary: v, sampler: newSampler(v, c), kernel: dot.Best(),
		input: make([]float32, v.Len()*c.Dim), output: make([]float32, v.Len()*c.Dim),
	}
	for i, word := range v.words {
		// Uniform between -.5 and .5, divided by the dimension, as in the authors' program; depends only on the word
		// and the seed.
		random := rand.New(rand.NewPCG(c.Seed, sampling.Hash(c.Seed, word)))
		for k := range c.Dim {
			t.input[i*c.Dim+k] = (random.Float32() - .5) / float32(c.Dim)
		}
	}
	return t
}

// pass trains on all documents once.
func (t *trainer) pass(ctx context.Context, docs Documents, epoch int) error {
	total := t.vocabulary.Total()
	all, before := total*int64(t.config.Epochs), t.done
	var words []int
	for document, err := range docs {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		words = words[:0]
		for _, word := range document {
			if i, known := t.vocabulary.index[word]; known {
				words = append(words, i)
			}
		}
		rate := float32(t.config.LearningRate - (t.config.LearningRate-t.config.MinLearningRate)*float64(t.done)/float64(all))
		t.sampler.sample(words, func(word, other int, label float32) { t.step(word, other, label, rate) })
		t.done += int64(len(words))
		if t.config.OnProgress != nil {
			t.config.OnProgress(t.done, all)
		}
	}
	if read := t.done - before; read != total {
		return fmt.Errorf("the documents have %d words of the vocabulary in epoch %d, and had %d when they were "+
			"counted; want the same documents each time", read, epoch+1, total)
	}
	return nil
}

// step is a step of gradient descent on one term. The derivative of log s(x) for a word that occurred, and of log s(-x)
// for a noise word, with respect to x = v · u is 1 - s(x) and -s(x). The derivative of x with respect to u is v, and
// with respect to v it is u.
func (t *trainer) step(word, other int, label, rate float32) {
	dim := t.config.Dim
	u, v := t.input[word*dim:(word+1)*dim], t.output[other*dim:(other+1)*dim]
	gradient := (label - float32(dot.Sigmoid(float64(t.kernel.Dot(u, v))))) * rate
	for i, x := range u {
		y := v[i]
		u[i], v[i] = x+gradient*y, y+gradient*x
	}
}

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
