package wordvec

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
)

const (
	chunkWords     = 2048  // words of a chunk, at least, but for the last: they share a learning rate
	chunksPerBatch = 16    // a batch is trained at once
	maxDocument    = 10000 // words: longer documents are split, as in the authors' program
)

// Train trains a vector for each word that is frequent enough in docs, which it reads once to
// count the words and once in each epoch.
func Train(ctx context.Context, docs Documents, config Config) (*Vectors, error) {
	if err := config.validate(); err != nil {
		return nil, err
	}
	vocabulary, err := newVocabulary(docs, config.MinCount)
	if err != nil {
		return nil, err
	}
	t := newTrainer(vocabulary, &config)
	if err := t.run(ctx, docs); err != nil {
		return nil, err
	}
	return &Vectors{vocabulary, config, t.input}, nil
}

// trainer holds the vectors under training.
type trainer struct {
	config        *Config
	vocabulary    *Vocabulary
	sampler       *sampler
	kernel        dot.Kernel
	sigmoid       *sigmoidTable
	input, output []float32 // row-major, a row per word
}

func newTrainer(v *Vocabulary, c *Config) *trainer {
	t := &trainer{
		config: c, vocabulary: v, sampler: newSampler(v, c), kernel: dot.Best(), sigmoid: newSigmoidTable(),
		input: make([]float32, v.Len()*c.Dim), output: make([]float32, v.Len()*c.Dim),
	}
	parallel.Ranges(v.Len(), c.Workers, func(start, end int) {
		for i := start; i < end; i++ {
			initialize(t.input[i*c.Dim:(i+1)*c.Dim], c.Seed, v.Word(i))
		}
	})
	return t
}

// initialize sets the first input vector of a word: uniform between -.5 and .5, over the
// dimension, as in the authors' program. Output vectors are 0 at first. The vector
// depends on the word and the seed alone.
func initialize(row []float32, seed uint64, word string) {
	random := rand.New(rand.NewPCG(seed, sampling.Hash(seed, word)))
	for i := range row {
		row[i] = (random.Float32() - .5) / float32(len(row))
	}
}

// learningRate returns the learning rate after a number of words, of all epochs.
func (t *trainer) learningRate(done int64) float32 {
	progress := float64(done) / (float64(t.vocabulary.Total()) * float64(t.config.Epochs))
	return float32(t.config.LearningRate - (t.config.LearningRate-t.config.MinLearningRate)*progress)
}

// run trains all epochs.
func (t *trainer) run(ctx context.Context, docs Documents) error {
	r := &reader{trainer: t, train: func(batch []*chunk) error { return t.trainBatch(ctx, batch) }}
	total := t.vocabulary.Total()
	for epoch := range t.config.Epochs {
		r.epoch, r.pieces = uint64(epoch), 0
		r.startChunk()
		for words, err := range docs {
			if err == nil {
				err = r.add(words)
			}
			if err != nil {
				return err
			}
		}
		if err := r.flush(); err != nil {
			return err
		}
		if read := r.done - int64(epoch)*total; read != total {
			return fmt.Errorf("the documents have %d words of the vocabulary in epoch %d, and had %d when they were "+
				"counted; want the same documents each time", read, epoch+1, total)
		}
	}
	return nil
}

// reader divides documents into chunks and batches, by their words alone.
type reader struct {
	trainer *trainer
	train   func(batch []*chunk) error

	batch  []*chunk // the last chunk is being filled
	done   int64    // words that were read
	epoch  uint64
	pieces uint64 // number of documents, or pieces of long ones, that were read in this epoch
}

// add adds a document to the last chunk, in pieces of maxDocument words of the vocabulary.
func (r *reader) add(words []string) error {
	var known []uint32
	for _, word := range words {
		if i, ok := r.trainer.vocabulary.index[word]; ok {
			known = append(known, i)
		}
	}
	for piece := range slices.Chunk(known, maxDocument) {
		c := r.batch[len(r.batch)-1]
		c.words = append(c.words, piece...)
		c.ends = append(c.ends, len(c.words))
		r.done += int64(len(piece))
		r.pieces++
		if len(piece) < maxDocument && len(c.words) < chunkWords {
			continue
		}
		if len(r.batch) == chunksPerBatch {
			if err := r.flush(); err != nil {
				return err
			}
		}
		r.startChunk()
	}
	return nil
}

func (r *reader) startChunk() {
	r.batch = append(r.batch, &chunk{
		epoch: r.epoch, firstPiece: r.pieces, learningRate: r.trainer.learningRate(r.done),
	})
}

// flush trains the batch.
func (r *reader) flush() error {
	batch := r.batch
	r.batch = nil
	if err := r.train(batch); err != nil {
		return err
	}
	if t := r.trainer; t.config.OnProgress != nil {
		t.config.OnProgress(r.done, t.vocabulary.Total()*int64(t.config.Epochs))
	}
	return nil
}

// trainBatch samples the steps of a batch and takes them.
func (t *trainer) trainBatch(ctx context.Context, batch []*chunk) error {
	err := parallel.For(ctx, len(batch), t.config.Workers, func(i int) { batch[i].sortByCell(t.sampler.sample(batch[i])) })
	if err != nil {
		return err
	}
	for round := range blocks {
		// INVARIANT: the cells of a round share no input vector and no output vector.
		err := parallel.For(ctx, blocks, t.config.Workers, func(input int) {
			output := (input + round) % blocks
			for _, c := range batch {
				t.take(c.cell(input<<blockBits|output), c.learningRate)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// take takes steps in order. The gradient of log s(x) for a word that appeared, and of
// log s(-x) for a noise word, by x = v · u is 1 - s(x) and -s(x); that of x by u is v, and by
// v is u.
func (t *trainer) take(steps []step, learningRate float32) {
	dim := t.config.Dim
	for _, s := range steps {
		output := int(s.output &^ positive)
		u := t.input[int(s.input)*dim : (int(s.input)+1)*dim]
		v := t.output[output*dim : (output+1)*dim]
		label := float32(s.output >> 31)
		t.kernel.AddCross(u, v, (label-t.sigmoid.at(t.kernel.Dot(u, v)))*learningRate)
	}
}

// sigmoidTable is the function 1/(1+e^-x) from -sigmoidRange to sigmoidRange, interpolated
// linearly: the error is below 1e-6. Beyond, it is that at the ends.
type sigmoidTable [sigmoidSteps + 2]float32

const (
	sigmoidRange = 16
	sigmoidSteps = 1 << 13
)

func newSigmoidTable() *sigmoidTable {
	var t sigmoidTable
	for i := range t {
		t[i] = float32(1 / (1 + math.Exp(sigmoidRange-float64(i)*2*sigmoidRange/sigmoidSteps)))
	}
	return &t
}

// at returns the value of the function at x; NaN for NaN.
func (t *sigmoidTable) at(x float32) float32 {
	position := (min(max(x, -sigmoidRange), sigmoidRange) + sigmoidRange) * (sigmoidSteps / (2 * sigmoidRange))
	i := uint32(position) & (2*sigmoidSteps - 1)
	if i > sigmoidSteps { // NaN
		return x
	}
	return t[i] + (position-float32(i))*(t[i+1]-t[i])
}
