//go:build torch

package torch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ctxnorm/contrastive"
	"ctxnorm/tokenizer"
)

// run is one training under way.
type run struct {
	Training
	drawer      *drawer
	learner     *learner
	validation  *validation // nil where there is none
	checkpoints *checkpoints
	curve       *contrastive.Curve // nil where there is none
	summary     *Summary
	steps       int           // in all
	done        int           // steps taken
	saved       int           // steps taken at the last checkpoint of this run
	base        []float32     // weights before the first step
	best        []float32     // weights to write, of the validation that did best
	earlier     time.Duration // spent by earlier runs
	started     time.Time
	busy        time.Duration // spent in steps by this run
	sentences   int           // encoded by this run
}

func newRun(t Training) (_ *run, err error) {
	if err := t.Config.Validate(); err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "training: "))
	}
	if entries, err := os.ReadDir(t.Out); err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s is there already, and is not empty", t.Out)
	}
	device, err := parseDevice(t.Device)
	if err != nil {
		return nil, err
	}
	dtype, err := parsePrecision(t.Config.Precision, device)
	if err != nil {
		return nil, err
	}
	r := &run{Training: t, summary: &Summary{Precision: strings.ToLower(dtype.String())}, started: time.Now()}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.close())
		}
	}()
	if err := r.openData(); err != nil {
		return nil, err
	}
	markers, err := markerIDs(r.drawer.tokenizer)
	if err != nil {
		return nil, err
	}
	m, err := loadModel(t.Base, r.drawer.tokenizer.Size(), markers, t.Config.FreezeEmbeddings, t.Config.Seed)
	if err != nil {
		return nil, err
	}
	if r.base, err = m.trained.memory(); err != nil {
		return nil, errors.Join(err, m.drop())
	}
	r.base = slices.Clone(r.base)
	r.drawer.settings.MaxTokens = min(t.Config.MaxTokens, int(m.config.Positions))
	if r.learner, err = newLearner(t.Config, m, dtype, device, t.Workers); err != nil {
		return nil, err
	}
	if len(t.Validation) > 0 {
		if r.validation, err = newValidation(t.Validation, r.drawer); err != nil {
			return nil, err
		}
	}
	r.steps = t.Config.StepsFor(len(t.Contexts), len(t.Names))
	return r, r.resume()
}

// openData opens the tokenizer and groups the exemplars by concept.
func (r *run) openData() (err error) {
	d := &drawer{config: r.Config, settings: settingsOf(r.Config), wordings: newWordings(r.Names)}
	if d.tokenizer, err = tokenizer.Open(r.Base); err != nil {
		return err
	}
	r.drawer = d
	if r.Config.NameShare < 1 {
		if d.contexts, err = newCollection(r.Contexts, r.Config); err != nil {
			return fmt.Errorf("contexts: %w", err)
		}
		r.summary.ContextConcepts = d.contexts.sampler.Concepts()
	}
	if r.Config.NameShare > 0 {
		if d.names, err = newCollection(r.Names, r.Config); err != nil {
			return fmt.Errorf("names: %w", err)
		}
		r.summary.NameConcepts = d.names.sampler.Concepts()
	}
	return nil
}

// train takes the steps that are left. The batch of the next step is drawn and
// tokenized while one is computed.
func (r *run) train(ctx context.Context) error {
	next := r.draw(r.done)
	defer func() { <-next }() // the tokenizer must not be closed under it
	for r.done < r.steps {
		if ctx.Err() != nil {
			return r.stop(context.Cause(ctx))
		}
		this := <-next
		next = r.draw(r.done + 1)
		if this.err != nil {
			return this.err
		}
		if err := r.step(this.batch); err != nil {
			return fmt.Errorf("step %d: %w", r.done+1, err)
		}
	}
	return nil
}

type drawn struct {
	batch *examples
	err   error
}

// draw makes the batch of a step, if there is such a step, in the background.
func (r *run) draw(step int) <-chan drawn {
	result := make(chan drawn, 1)
	if step >= r.steps {
		close(result)
		return result
	}
	go func() {
		batch, err := r.drawer.draw(step)
		result <- drawn{batch, err}
	}()
	return result
}

// step takes one step and does what is due after it.
func (r *run) step(b *examples) error {
	began := time.Now()
	rate := r.Config.LearningRateAt(r.done, r.steps)
	loss, err := r.learner.step(b, rate)
	if err != nil {
		return err
	}
	r.done++
	r.busy += time.Since(began)
	r.sentences += len(b.inputs)
	r.summary.Sentences += len(b.inputs)
	r.summary.Loss = loss
	point := contrastive.Point{
		Step: r.done, Names: b.names, Loss: loss, LearningRate: rate,
		Rate:    float64(r.sentences) / r.busy.Seconds(),
		Seconds: r.elapsed().Seconds(),
	}
	if r.validates() {
		if err := r.validate(&point); err != nil {
			return err
		}
	}
	if r.curve != nil {
		if err := r.curve.Append(point); err != nil {
			return err
		}
	}
	if r.Progress != nil {
		r.Progress(point, r.steps)
	}
	if every := r.Config.CheckpointEvery; every > 0 && (r.done%every == 0 || r.done == r.steps) {
		return r.checkpoint()
	}
	return nil
}

// validates reports whether a validation is due after the steps done: at the
// end, and every so many steps.
func (r *run) validates() bool {
	every := r.Config.ValidateEvery
	if r.validation == nil || every < 0 {
		return false
	}
	if every == 0 {
		every = max(1, r.steps/20)
	}
	return r.done%every == 0 || r.done == r.steps
}

// validate measures the weights that would be written now.
func (r *run) validate(p *contrastive.Point) error {
	values, err := r.learner.model.trained.memory()
	if err != nil {
		return err
	}
	trained := slices.Clone(values)
	mix(values, r.base, r.Config.BaseShare)
	loss, accuracy, err := r.validation.measure(r.learner)
	if err != nil {
		return fmt.Errorf("validation: %w", err)
	}
	p.ValLoss, p.ValAcc = &loss, &accuracy
	this := &Best{Step: r.done, Loss: loss, Accuracy: accuracy}
	if this.beats(r.summary.Best) {
		r.summary.Best = this
		r.best = append(r.best[:0], values...)
	}
	copy(values, trained)
	return nil
}

// mix moves the values towards others by a share of their difference.
func mix(values, others []float32, share float64) {
	for i, other := range others {
		values[i] += float32(share) * (other - values[i])
	}
}

func (r *run) elapsed() time.Duration { return r.earlier + time.Since(r.started) }

// stop writes a checkpoint and says where training stopped.
func (r *run) stop(cause error) error {
	if r.checkpoints == nil {
		return fmt.Errorf("stopped after step %d of %d: %w", r.done, r.steps, cause)
	}
	if err := r.checkpoint(); err != nil {
		return errors.Join(cause, err)
	}
	return fmt.Errorf("stopped after step %d of %d, checkpoint in %s: %w", r.done, r.steps, r.Checkpoints, cause)
}

// write writes the encoder, with the best weights if there was a validation,
// and draws the curve.
func (r *run) write() error {
	r.summary.Steps = r.steps
	r.summary.Seconds = r.elapsed().Seconds()
	values, err := r.learner.model.trained.memory()
	if err != nil {
		return err
	}
	if r.best == nil {
		mix(values, r.base, r.Config.BaseShare)
	}
	copy(values, r.best)
	if r.Curve != "" {
		points, err := contrastive.ReadCurve(r.Curve)
		if err != nil {
			return err
		}
		if err := contrastive.WritePNG(strings.TrimSuffix(r.Curve, filepath.Ext(r.Curve))+".png", points); err != nil {
			return err
		}
	}
	return writeFolder(r.Out, r.learner.model, r.drawer.settings, r.drawer.tokenizer)
}

func (r *run) close() error {
	var err error
	if r.curve != nil {
		err = r.curve.Close()
	}
	if r.learner != nil {
		err = errors.Join(err, r.learner.drop())
	}
	if r.drawer != nil {
		err = errors.Join(err, r.drawer.tokenizer.Close())
	}
	return err
}
