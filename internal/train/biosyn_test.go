//go:build torch

package train

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/contrastive"
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
