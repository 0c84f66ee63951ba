//go:build torch

package train

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/bert/berttest"
	"github.com/ctxnorm/ctxnorm/papers/biosyn"
	"github.com/ctxnorm/ctxnorm/text"
)

// tinyBioSyn returns a training of BioSyn on the names of a small corpus: every third is a
// labeled mention.
func tinyBioSyn(t testing.TB, change func(*biosyn.Settings)) Training {
	t.Helper()
	r := biosyn.Recipe()
	r.Config.LearningRate = 3e-3
	r.Config.Precision = contrastive.PrecisionFloat32
	r.Config.CheckpointEvery, r.Config.ValidateEvery = 2, -1
	s := r.Values.(*biosyn.Settings)
	s.Candidates.PerMention = 6
	s.MentionsPerBatch, s.Epochs = 4, 4
	s.DenseScale = 10
	if change != nil {
		change(s)
	}
	_, all := corpusOf(6, 0, 1)
	var mentions, names []text.Exemplar
	for i := range all {
		if i%3 == 0 {
			mentions = append(mentions, all[i])
		} else {
			names = append(names, all[i])
		}
	}
	task, err := r.Task(r.Config, contrastive.Data{Labeled: mentions, Names: names})
	if err != nil {
		t.Fatal(err)
	}
	training := tinyTraining(t, 1)
	training.Task, training.Validation = task, nil
	return training
}

// TestBioSynLearns trains on labeled mentions: the loss falls, and the sparse weight moves.
func TestBioSynLearns(t *testing.T) {
	for name, change := range map[string]func(*biosyn.Settings){
		biosyn.Name: func(s *biosyn.Settings) { s.Epochs = 20 },
		biosyn.BERTRankingName: func(s *biosyn.Settings) {
			s.Sparse, s.Candidates.DenseRatio, s.Epochs = false, 1, 20
		},
	} {
		training := tinyBioSyn(t, change)
		perEpoch := training.Task.Describe().EpochSteps
		var losses []float64
		training.Progress = func(p contrastive.LogEntry, _ int) { losses = append(losses, p.Loss) }
		summary, err := Train(t.Context(), training)
		if err != nil {
			t.Fatal(err)
		}
		mean := func(losses []float64) (sum float64) {
			for _, loss := range losses {
				sum += loss / float64(len(losses))
			}
			return sum
		}
		first, last := mean(losses[:perEpoch]), mean(losses[len(losses)-perEpoch:])
		if last > first/2 {
			t.Errorf("%s: mean loss of the first epoch %.3f, of the last %.3f; want half", name, first, last)
		}
		if weight, ok := summary.Parameters[biosyn.SparseWeight]; ok != (name == biosyn.Name) || ok && weight == 0 {
			t.Errorf("%s: parameters are %v", name, summary.Parameters)
		}
	}
}

// TestBioSynResume stops a training within and between epochs: weights, sparse weight and curve
// are those of a training that never stopped, with candidates of every epoch and of the first.
func TestBioSynResume(t *testing.T) {
	for name, fixed := range map[string]bool{"iterative": false, "fixed": true} {
		change := func(s *biosyn.Settings) { s.Candidates.Fixed = fixed }
		whole := tinyBioSyn(t, change)
		want, err := Train(t.Context(), whole)
		if err != nil {
			t.Fatal(err)
		}
		broken := tinyBioSyn(t, change)
		for _, stopAfter := range []int{1, 4, 7} {
			ctx, cancel := context.WithCancel(context.Background())
			broken.Task = tinyBioSyn(t, change).Task // nothing is left of the run before
			broken.Progress = func(p contrastive.LogEntry, _ int) {
				if p.Step == stopAfter {
					cancel()
				}
			}
			if _, err := Train(ctx, broken); !errors.Is(err, context.Canceled) {
				t.Fatalf("%s, stopped after %d: %v", name, stopAfter, err)
			}
			cancel()
		}
		broken.Progress, broken.Task = nil, tinyBioSyn(t, change).Task
		got, err := Train(t.Context(), broken)
		if err != nil {
			t.Fatal(err)
		}
		if got.Resumed != 7 {
			t.Errorf("%s: resumed after %d steps, want 7", name, got.Resumed)
		}
		if !cmp.Equal(berttest.Weights(t, whole.Out), berttest.Weights(t, broken.Out)) {
			t.Errorf("%s: weights differ from those of a training that was not interrupted", name)
		}
		if !maps.Equal(want.Parameters, got.Parameters) {
			t.Errorf("%s: parameters are %v, want %v", name, got.Parameters, want.Parameters)
		}
		losses := func(path string) (losses []float64) {
			for _, entry := range curveOf(t, path) {
				losses = append(losses, entry.Loss)
			}
			return losses
		}
		if !slices.Equal(losses(whole.LogFile), losses(broken.LogFile)) {
			t.Errorf("%s: losses differ", name)
		}
	}
}
