//go:build torch

package torch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ctxnorm"
	"ctxnorm/contrastive"
	"ctxnorm/tokenizer"
)

// Training is what [Train] is given.
type Training struct {
	// Base is the folder of the base model: any BERT in the Hugging Face
	// layout, or an encoder that Train wrote.
	Base string

	// Out is the folder to write, in the same layout. It must not exist, or be
	// empty. It appears when training is done.
	Out string

	// Checkpoints is a folder for checkpoints, made if need be. Training goes
	// on from the newest whole one in it. Empty: none are written.
	Checkpoints string

	// Curve is the file that a point is appended to after each step, as JSON
	// lines; its drawing lies beside it, as .png. Empty: none is written.
	Curve string

	// Config is the manual of training; see there.
	Config contrastive.Config

	// Contexts and Names are the exemplars: mentions in sentences, and bare
	// dictionary names. Either may be empty if Config.NameShare asks for none.
	Contexts, Names []ctxnorm.Exemplar

	// Validation is held-out exemplars. If there are any, the weights written
	// are those that did best on them, and not the last.
	Validation []ctxnorm.Exemplar

	// Device is "cpu" (default) or "cuda".
	Device string

	// Workers is the number of CPU cores to use. Default all. In float32 the
	// same number gives the same weights, bit for bit.
	Workers int

	// Progress, if set, is called after each step, with the number of steps
	// there will be.
	Progress func(point contrastive.Point, steps int)
}

// Summary is what came of training.
type Summary struct {
	Steps     int     `json:"steps"`
	Resumed   int     `json:"resumed,omitempty"` // steps taken by earlier runs
	Sentences int     `json:"sentences"`         // encoded in all steps, validation aside
	Seconds   float64 `json:"seconds"`           // earlier runs included
	Precision string  `json:"precision"`         // of products, as it was chosen
	Loss      float64 `json:"loss"`              // of the last step
	Best      *Best   `json:"best,omitempty"`    // nil without validation
	// ContextConcepts and NameConcepts are the numbers of concepts with two
	// exemplars or more, which are the ones drawn.
	ContextConcepts int    `json:"context_concepts"`
	NameConcepts    int    `json:"name_concepts"`
	Base            string `json:"base"` // fingerprint of the base model
}

// Best is the validation that did best: the highest accuracy, then the lowest
// loss, then the first.
type Best struct {
	Step     int     `json:"step"` // after so many steps
	Loss     float64 `json:"val_loss"`
	Accuracy float64 `json:"val_acc"`
}

func (b *Best) beats(o *Best) bool {
	if o == nil || b.Accuracy != o.Accuracy {
		return o == nil || b.Accuracy > o.Accuracy
	}
	return b.Loss < o.Loss
}

// Train trains an encoder and writes it to t.Out. When ctx is cancelled it stops
// after the step under way, writes a checkpoint and returns an error that wraps
// ctx's; a call with the same Training then goes on as if it had never stopped.
func Train(ctx context.Context, t Training) (*Summary, error) {
	summary, err := train(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	return summary, nil
}

func train(ctx context.Context, t Training) (_ *Summary, err error) {
	r, err := newRun(t)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	if err := r.train(ctx); err != nil {
		return nil, err
	}
	return r.summary, r.write()
}

// run is one training under way.
type run struct {
	Training
	drawer      *drawer
	learner     *learner
	validation  *validation // nil where there is none
	checkpoints *checkpoints
	curve       *contrastive.Curve // nil where there is none
	summary     *Summary
	steps       int // in all
	done        int // steps taken
	saved       int // steps taken at the last checkpoint of this run
	best        []float32
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
	d := &drawer{config: r.Config, settings: settingsOf(r.Config)}
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

func (r *run) validate(p *contrastive.Point) error {
	loss, accuracy, err := r.validation.measure(r.learner)
	if err != nil {
		return fmt.Errorf("validation: %w", err)
	}
	p.ValLoss, p.ValAcc = &loss, &accuracy
	this := &Best{Step: r.done, Loss: loss, Accuracy: accuracy}
	if !this.beats(r.summary.Best) {
		return nil
	}
	values, err := r.learner.model.trained.memory()
	if err != nil {
		return err
	}
	r.summary.Best = this
	r.best = append(r.best[:0], values...)
	return nil
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
	if r.best != nil {
		values, err := r.learner.model.trained.memory()
		if err != nil {
			return err
		}
		copy(values, r.best)
	}
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

// writeFolder writes an encoder in the Hugging Face layout, beside its place
// first.
func writeFolder(out string, m *model, settings Settings, t *tokenizer.Tokenizer) error {
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(out), "."+filepath.Base(out)+"-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) // of what a failure left
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	if err := m.write(dir); err != nil {
		return err
	}
	if err := settings.write(dir); err != nil {
		return err
	}
	if err := t.Save(dir); err != nil {
		return err
	}
	return os.Rename(dir, out)
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
