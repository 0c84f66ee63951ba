//go:build torch

package train

import (
	"context"
	"errors"
	"fmt"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/text"
)

// Training is the input of [Train].
type Training struct {
	// Base is the folder of the base model: any BERT in the Hugging Face layout, or one that Train wrote. For a
	// [bne.Task] it is the folder of the word vectors.
	Base string

	// Out is the folder to write, in the same layout or in that of package bne. It must be absent or empty. It
	// appears when training is done.
	Out string

	// Checkpoints is a folder for checkpoints, which is created if it does not exist. Training continues from its
	// newest undamaged checkpoint. If Checkpoints is empty, none are written.
	Checkpoints string

	// Skipped, if not nil, is called with the error of each damaged checkpoint that is newer than the one that training
	// continues from.
	Skipped func(error)

	// LogFile is the training log, to which a line of JSON is appended after each step. If it is empty, no log is
	// written.
	LogFile string

	// Task determines the samples and the loss, and holds the hyperparameters.
	Task contrastive.Task

	// Validation holds held-out exemplars. If there are any, Train writes the weights with the best validation instead
	// of the last ones.
	Validation []text.Exemplar

	// Device is "cpu" (default) or "cuda".
	Device string

	// Workers is the number of CPU cores to use; default all. In float32, equal numbers of workers give the same
	// weights, bit for bit.
	Workers int

	// Progress, if not nil, is called after each step, with the total number of steps.
	Progress func(point contrastive.LogEntry, steps int)
}

// Summary is the result of training.
type Summary struct {
	Steps     int     `json:"steps"`
	Resumed   int     `json:"resumed,omitempty"` // steps taken by earlier runs
	Sentences int     `json:"sentences"`         // sentences encoded in all steps, without validation
	Seconds   float64 `json:"seconds"`           // including earlier runs
	Precision string  `json:"precision"`         // chosen number format of matrix products
	Loss      float64 `json:"loss"`              // of the last step
	Best      *Best   `json:"best,omitempty"`    // nil without validation
	Base      string  `json:"base"`              // fingerprint of the base model

	// Parameters holds the trained numbers outside the encoder, by name, that belong to the weights that were written.
	Parameters map[string]float64 `json:"parameters,omitempty"`
}

// Best is the best validation: the one with the highest accuracy, then the lowest loss, then the fewest steps.
type Best struct {
	Step     int     `json:"step"` // number of steps before it
	Loss     float64 `json:"val_loss"`
	Accuracy float64 `json:"val_acc"`
}

func (b *Best) isBetterThan(o *Best) bool {
	if o == nil || b.Accuracy != o.Accuracy {
		return o == nil || b.Accuracy > o.Accuracy
	}
	return b.Loss < o.Loss
}

// Train trains an encoder and writes it to t.Out. When ctx is canceled it stops after the current step, writes a
// checkpoint and returns an error that wraps the error of ctx. A later call with the same Training then continues as if
// it had never stopped.
func Train(ctx context.Context, t Training) (*Summary, error) {
	r, err := newTrainer(t)
	if err == nil {
		if err = r.train(ctx); err == nil {
			err = r.write()
		}
		err = errors.Join(err, r.close())
	}
	if err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	return r.summary, nil
}
