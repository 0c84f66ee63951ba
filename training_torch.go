//go:build torch

package ctxnorm

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/train"
	"github.com/ctxnorm/ctxnorm/papers/bne"
	"github.com/ctxnorm/ctxnorm/text"
)

// CanTrain reports whether this build trains encoders: it was made with -tags torch.
const CanTrain = true

// openNameEncoder opens the name encoder in a folder.
func openNameEncoder(dir string, o EncoderOptions) (Encoder, error) {
	return bne.Open(dir, o.Device, o.Workers)
}

// trainingInfo is part of the model's manifest.
type trainingInfo struct {
	Method   string             `json:"method"`
	Settings any                `json:"settings,omitempty"` // of the recipe
	Config   contrastive.Config `json:"config"`
	Summary  *train.Summary     `json:"summary"`
}

// trainEncoder trains an encoder and writes it to its folder. Checkpoints and the log go to the folder work.
func (t *training) trainEncoder(ctx context.Context, base, work string) error {
	b, set, log := &t.made, t.splitValidation(), filepath.Join(work, "curve.jsonl")
	task, err := t.Recipe.Task(t.Config, contrastive.Data{
		Dictionary: set.dict, Names: set.names, Contexts: set.contexts, Labeled: t.Labeled,
		WordVectors: t.WordVectors, LabeledNames: model.SynonymExemplars(set.labeled, set.dict),
	})
	if err != nil {
		return err
	}
	if m, ok := task.(*bne.Task); ok {
		t.Observer.logf("%s: %d words with vectors of %d numbers", base, m.Words.Len(), m.Words.Dim())
	}
	summary, err := train.Train(ctx, train.Training{
		Base: base, Out: b.EncoderDir, Checkpoints: filepath.Join(work, "checkpoints"), LogFile: log,
		Task: task, Validation: set.validation,
		Device: t.Run.Device, Workers: t.Run.Workers,
		Skipped: func(err error) {
			t.Observer.error(fmt.Errorf("%w; training goes on from the checkpoint before", err))
		},
		Progress: func(entry contrastive.LogEntry, steps int) {
			t.Observer.progress(Progress{Task: "train", Unit: "steps", Done: int64(entry.Step), Total: int64(steps),
				Note: describe(entry)})
		},
	})
	if err != nil {
		return err
	}
	b.TrainingLog = log
	b.Training, err = json.Marshal(trainingInfo{task.Describe().Recipe, task.Describe().Settings, t.Config, summary})
	return err
}

// describe describes an entry of a training log in a few words.
func describe(e contrastive.LogEntry) string {
	s := fmt.Sprintf("loss %.3f, %.0f sentences/s", e.Loss, e.SentencesPerSecond)
	if e.ValAcc != nil {
		s += fmt.Sprintf(", validation %.3f", *e.ValAcc)
	}
	return s
}

// trainingSet holds the data for training and validating an encoder.
type trainingSet struct {
	dict                        *Dictionary // with the names in use
	contexts, names, validation []text.Exemplar
	labeled                     []mine.Synonym // names from labeled mentions
}

// splitValidation holds out exemplars for validation. If batches of names are used for training, it holds out all names
// of some concepts: whether these find each other shows what was learned for unseen phrases, whereas in contexts the
// words of a mention give it away. Otherwise it holds out contexts by document, so that no sentence of a training
// document is used for validation.
//
// Without validation, the names that it would hold out come last, as when the published numbers were measured.
func (t *training) splitValidation() trainingSet {
	set := trainingSet{dict: t.made.Dictionary, contexts: model.WithConcepts(t.made.Contexts),
		names: model.NameExemplars(t.made.Dictionary), labeled: t.labeled}
	if t.Config.NameBatchRatio > 0 {
		set.names, set.validation = splitNames(set.names, t.Config.Seed)
	} else {
		set.contexts, set.validation = splitContexts(set.contexts, t.Config.Seed)
	}
	if !t.Recipe.Needs.Validation {
		set.names, set.validation = append(slices.Clip(set.names), set.validation...), nil
	}
	return set
}
