//go:build torch

package torch

import (
	"context"
	"errors"
	"fmt"

	"ctxnorm"
	"ctxnorm/contrastive"
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
