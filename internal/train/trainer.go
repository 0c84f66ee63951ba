//go:build torch

package train

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/text"
)

// trainer carries out one training.
type trainer struct {
	Training
	*contrastive.Plan
	network    network
	data       *dataLoader
	state      *trainState
	validation *validation // nil without validation exemplars
	run        runIdentity
	log        *contrastive.TrainingLog // nil if no log is written
	summary    *Summary
	done       int       // steps taken
	saved      int       // steps taken before this run's last checkpoint
	base       []float32 // the trained weights before the first step
	best       []float32 // the weights with the best validation, to be written
	bestExtra  []float32 // the parameters that belong to them
	// the weights at the start of the epoch, on which its samples depend; nil if the task does not resample
	epochStart []float32
	earlier    time.Duration // spent by earlier runs
	started    time.Time
	busy       time.Duration // spent in steps by this run
	sentences  int           // encoded by this run
}

func newTrainer(t Training) (_ *trainer, err error) {
	plan := t.Task.Describe()
	if err := plan.Config.Validate(); err != nil {
		return nil, err
	}
	if entries, err := os.ReadDir(t.Out); err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s exists and is not empty", t.Out)
	}
	device, err := tensor.ParseDevice(t.Device)
	if err != nil {
		return nil, err
	}
	dtype, err := tensor.ParsePrecision(string(plan.Config.Precision), device)
	if err != nil {
		return nil, err
	}
	r := &trainer{Training: t, Plan: plan, summary: &Summary{}, started: time.Now()}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.close())
		}
	}()
	if r.network, err = openNetwork(&t); err != nil {
		return nil, err
	}
	r.data = &dataLoader{t.Task, r.network}
	r.base = slices.Clone(r.network.trained().Values())
	if r.state, err = newTrainState(plan, r.network, dtype, device, t.Workers); err != nil {
		return nil, err
	}
	r.summary.Precision = strings.ToLower(r.state.dtype.String())
	if len(t.Validation) > 0 {
		if r.validation, err = newValidation(t.Validation, plan.Config, r.data); err != nil {
			return nil, err
		}
	}
	return r, r.resume()
}

// train takes the remaining steps.
func (r *trainer) train(ctx context.Context) error {
	for first := r.done; r.done < r.Steps; {
		if ctx.Err() != nil {
			return r.stop(context.Cause(ctx))
		}
		if r.done == first || r.startsEpoch(r.done) {
			if err := r.resample(ctx); ctx.Err() != nil {
				return r.stop(context.Cause(ctx))
			} else if err != nil {
				return fmt.Errorf("before step %d: %w", r.done+1, err)
			}
		}
		batch, err := r.data.batch(r.done)
		if err != nil {
			return err
		}
		if err := r.step(batch); err != nil {
			return fmt.Errorf("step %d: %w", r.done+1, err)
		}
	}
	return nil
}

// startsEpoch reports whether the task resamples before a step, counted from 0.
func (r *trainer) startsEpoch(step int) bool { return r.EpochSteps > 0 && step%r.EpochSteps == 0 }

// resample draws the samples for the epoch of the next step, with the weights at the start of the epoch: the current
// ones or, in the middle of an epoch, those of the checkpoint.
func (r *trainer) resample(ctx context.Context) error {
	if r.EpochSteps == 0 {
		return nil
	}
	values := r.network.trained().Values()
	if r.startsEpoch(r.done) {
		r.epochStart = append(r.epochStart[:0], values...)
	}
	current := slices.Clone(values)
	copy(values, r.epochStart)
	defer copy(values, current)
	return r.Task.Resample(ctx, r.done/r.EpochSteps, func(queries []*text.Query) ([]float32, int, error) {
		texts, spans, err := r.data.distinctTexts(queries)
		if err != nil {
			return nil, 0, err
		}
		vectors, err := r.state.encode(ctx, texts, spans)
		return vectors, r.network.dim(), err
	})
}

// step takes one step, and then validates, logs and writes a checkpoint if these are due.
func (r *trainer) step(b *trainBatch) error {
	began := time.Now()
	rate := r.Config.LearningRateAt(r.done, r.Steps)
	loss, err := r.state.step(b, rate)
	if err != nil {
		return err
	}
	r.done++
	r.busy += time.Since(began)
	r.sentences += b.texts.count()
	r.summary.Sentences += b.texts.count()
	r.summary.Loss = loss
	entry := contrastive.LogEntry{
		Step: r.done, NameBatch: b.names, Loss: loss, LearningRate: rate,
		SentencesPerSecond: float64(r.sentences) / r.busy.Seconds(),
		Seconds:            r.elapsed().Seconds(),
	}
	if r.isValidationDue() {
		if err := r.validate(&entry); err != nil {
			return err
		}
	}
	if r.log != nil {
		if err := r.log.Append(entry); err != nil {
			return err
		}
	}
	if r.Progress != nil {
		r.Progress(entry, r.Steps)
	}
	if every := r.Config.CheckpointEvery; every > 0 && (r.done%every == 0 || r.done == r.Steps) {
		return r.checkpoint()
	}
	return nil
}

// isValidationDue reports whether to validate after the steps done: at the end, and every
// [contrastive.Config.ValidateEvery] steps.
func (r *trainer) isValidationDue() bool {
	every := r.Config.ValidateEvery
	if r.validation == nil || every < 0 {
		return false
	}
	if every == 0 {
		every = max(1, r.Steps/20)
	}
	return r.done%every == 0 || r.done == r.Steps
}

// validate measures the weights that would be written now and keeps them if they are the best so far.
func (r *trainer) validate(entry *contrastive.LogEntry) error {
	values := r.network.trained().Values()
	trained := slices.Clone(values)
	interpolate(values, r.base, r.Config.WeightInterpolation)
	loss, accuracy, err := r.validation.measure(r.state)
	if err != nil {
		return fmt.Errorf("validation: %w", err)
	}
	entry.ValLoss, entry.ValAcc = &loss, &accuracy
	result := &Best{Step: r.done, Loss: loss, Accuracy: accuracy}
	if result.isBetterThan(r.summary.Best) {
		r.summary.Best = result
		r.best = append(r.best[:0], values...)
		r.bestExtra = append(r.bestExtra[:0], r.state.extra.values...)
	}
	copy(values, trained)
	return nil
}

// interpolate moves the values toward others by a share of their difference.
func interpolate(values, others []float32, share float64) {
	for i, other := range others {
		values[i] += float32(share) * (other - values[i])
	}
}

func (r *trainer) elapsed() time.Duration { return r.earlier + time.Since(r.started) }

// stop writes a checkpoint and returns an error that tells where training stopped.
func (r *trainer) stop(cause error) error {
	if r.Checkpoints == "" {
		return fmt.Errorf("stopped after step %d of %d: %w", r.done, r.Steps, cause)
	}
	if err := r.checkpoint(); err != nil {
		return errors.Join(cause, err)
	}
	return fmt.Errorf("stopped after step %d of %d, checkpoint in %s: %w", r.done, r.Steps, r.Checkpoints, cause)
}

// write writes the encoder, with the best weights if there was a validation.
func (r *trainer) write() error {
	r.summary.Steps = r.Steps
	r.summary.Seconds = r.elapsed().Seconds()
	values := r.network.trained().Values()
	if r.best == nil {
		interpolate(values, r.base, r.Config.WeightInterpolation)
	}
	copy(values, r.best)
	copy(r.state.extra.values, r.bestExtra)
	r.summary.Parameters = r.state.extra.byName()
	return r.network.write(r.Out)
}

func (r *trainer) close() error {
	var err error
	if r.log != nil {
		err = r.log.Close()
	}
	if r.state != nil {
		r.state.scope.Drop()
	}
	if r.network != nil {
		err = errors.Join(err, r.network.drop())
	}
	return err
}
