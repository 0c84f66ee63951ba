//go:build torch

package ctxnorm

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/train"
	"github.com/ctxnorm/ctxnorm/papers/bne"
	"github.com/ctxnorm/ctxnorm/papers/bne/nameencoder"
)

// CanTrain reports whether this build trains encoders: it was made with -tags torch.
const CanTrain = true

// openNameEncoder opens the name encoder of a folder.
func (o EncoderOptions) openNameEncoder(dir string) (Encoder, error) {
	return nameencoder.Open(dir, nameencoder.Options{Device: o.Device, Workers: o.Workers})
}

// trainingInfo goes into the manifest of the model.
type trainingInfo struct {
	Method   string             `json:"method"`
	Settings any                `json:"settings,omitempty"` // of the recipe
	Config   contrastive.Config `json:"config"`
	Summary  *train.Summary     `json:"summary"`
}

// trainEncoder trains into enc.dir. Checkpoints and the log go to the folder work.
func (o *TrainOptions) trainEncoder(ctx context.Context, base, work string, set *trainingSet, enc *modelEncoder) error {
	log := filepath.Join(work, "curve.jsonl")
	task, err := o.Recipe.New(o.Config, contrastive.Data{
		Dictionary: set.dict, Names: set.names, Contexts: set.contexts, Labeled: o.Labeled,
		WordVectors: o.WordVectors, LabeledNames: model.SynonymExemplars(set.labeled, set.dict),
	})
	if err != nil {
		return err
	}
	if m, ok := task.(bne.EncoderTask); ok {
		_, words := m.NameEncoder()
		o.Observer.logf("%s: %d words with vectors of %d numbers", base, words.Len(), words.Dim())
	}
	summary, err := train.Train(ctx, train.Training{
		Base: base, Out: enc.dir, Checkpoints: filepath.Join(work, "checkpoints"), LogFile: log, PlotLogs: o.PlotLogs,
		Task: task, Validation: set.validation,
		Device: o.Run.Device, Workers: o.Run.Workers,
		Skipped: func(err error) {
			o.Observer.error(fmt.Errorf("%w; training goes on from the checkpoint before", err))
		},
		Progress: func(entry contrastive.LogEntry, steps int) {
			o.Observer.progress(Progress{Task: "train", Unit: "steps", Done: int64(entry.Step), Total: int64(steps),
				Note: describe(entry)})
		},
	})
	if err != nil {
		return err
	}
	enc.log = []string{log}
	for _, extension := range slices.Sorted(maps.Keys(o.PlotLogs)) {
		enc.log = append(enc.log, filepath.Join(work, "curve"+extension))
	}
	enc.training, err = json.Marshal(trainingInfo{task.Name(), task.Settings(), o.Config, summary})
	return err
}

// describe returns the entry of a training log in a few words.
func describe(e contrastive.LogEntry) string {
	s := fmt.Sprintf("loss %.3f, %.0f sentences/s", e.Loss, e.SentencesPerSecond)
	if e.ValAcc != nil {
		s += fmt.Sprintf(", validation %.3f", *e.ValAcc)
	}
	return s
}
