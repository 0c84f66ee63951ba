package wordvec

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"golang.org/x/sync/errgroup"

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
	return newVectors(vocabulary, t.input, config), nil
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

// run trains all epochs. One goroutine reads documents while batches are trained.
func (t *trainer) run(ctx context.Context, docs Documents) error {
	full, empty := make(chan []*chunk), make(chan []*chunk, 2)
	empty <- nil
	empty <- nil
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(full)
		r := &reader{trainer: t, send: func(batch []*chunk) ([]*chunk, error) {
			select {
			case full <- batch:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			select {
			case batch = <-empty:
				return batch, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}}
		r.spare = <-empty
		return r.readAll(docs)
	})
	group.Go(func() error {
		var done int64
		for batch := range full {
			words, err := t.trainBatch(ctx, batch)
			if err != nil {
				return err
			}
			done += words
			if t.config.OnProgress != nil {
				t.config.OnProgress(done, t.vocabulary.Total()*int64(t.config.Epochs))
			}
			empty <- batch // has room: there are two batches
		}
		return nil
	})
	return group.Wait()
}

// learningRate returns the learning rate after a number of words, of all epochs.
func (t *trainer) learningRate(done int64) float32 {
	progress := float64(done) / (float64(t.vocabulary.Total()) * float64(t.config.Epochs))
	return float32(t.config.LearningRate - (t.config.LearningRate-t.config.MinLearningRate)*progress)
}

// reader divides documents into chunks and batches, by their words alone.
type reader struct {
	trainer *trainer
	send    func(batch []*chunk) (spare []*chunk, err error) // hands a batch over and returns one to be used again

	spare []*chunk // chunks of a batch that was trained
	batch []*chunk // the last chunk is being filled
	done  int64    // words that were read
	// pieces is the number of documents, or pieces of long ones, that were read in this epoch.
	pieces uint64
}

func (r *reader) readAll(docs Documents) error {
	total := r.trainer.vocabulary.Total()
	for epoch := range r.trainer.config.Epochs {
		r.pieces = 0
		r.startChunk(epoch)
		for words, err := range docs {
			if err != nil {
				return err
			}
			if err := r.add(words, epoch); err != nil {
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

// add adds a document to the last chunk, in pieces of maxDocument words of the vocabulary.
func (r *reader) add(words []string, epoch int) error {
	index := r.trainer.vocabulary.index
	c := r.batch[len(r.batch)-1]
	start := len(c.words)
	end := func() {
		if len(c.words) > start {
			c.ends = append(c.ends, len(c.words))
			r.done += int64(len(c.words) - start)
			r.pieces++
		}
	}
	for _, word := range words {
		if i, known := index[word]; known {
			c.words = append(c.words, i)
			if len(c.words)-start == maxDocument {
				end()
				if err := r.nextChunk(epoch); err != nil {
					return err
				}
				c = r.batch[len(r.batch)-1]
				start = len(c.words)
			}
		}
	}
	end()
	if len(c.words) >= chunkWords {
		return r.nextChunk(epoch)
	}
	return nil
}

func (r *reader) nextChunk(epoch int) error {
	if len(r.batch) == chunksPerBatch {
		if err := r.flush(); err != nil {
			return err
		}
	}
	r.startChunk(epoch)
	return nil
}

func (r *reader) startChunk(epoch int) {
	c := new(chunk)
	if n := len(r.spare); n > 0 {
		c, r.spare = r.spare[n-1], r.spare[:n-1]
	}
	c.reset(uint64(epoch), r.pieces, r.trainer.learningRate(r.done))
	r.batch = append(r.batch, c)
}

// flush hands the batch over.
func (r *reader) flush() (err error) {
	r.spare, err = r.send(r.batch)
	r.batch = nil
	return err
}

// trainBatch samples the steps of a batch and takes them. It returns the number of words.
func (t *trainer) trainBatch(ctx context.Context, batch []*chunk) (words int64, err error) {
	if err := parallel.For(ctx, len(batch), t.config.Workers, func(i int) { t.sampler.sample(batch[i]) }); err != nil {
		return 0, err
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
			return 0, err
		}
	}
	for _, c := range batch {
		words += int64(len(c.words))
	}
	return words, nil
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
