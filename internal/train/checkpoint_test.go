//go:build torch

package train

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// stopped runs a training up to its checkpoint after step 10.
func stopped(t *testing.T) Training {
	t.Helper()
	training := tinyTraining(t, 20)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	training.Progress = func(p contrastive.LogEntry, _ int) {
		if p.Step == 10 {
			cancel()
		}
	}
	_, err := Train(ctx, training)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "stopped after step 10 of 20, checkpoint in "+training.Checkpoints) {
		t.Fatalf("error %v, want one of stopping after step 10", err)
	}
	if entries, err := os.ReadDir(training.Out); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("a stopped training wrote %v, %v", entries, err)
	}
	training.Progress = nil
	return training
}

// TestOtherTraining: a checkpoint of another training is an error that names the difference.
func TestOtherTraining(t *testing.T) {
	config := func(change func(*contrastive.Config)) func(*Training) {
		return func(training *Training) { configure(t, training, change) }
	}
	for _, c := range []struct {
		change func(*Training)
		want   string
	}{
		{config(func(c *contrastive.Config) { c.ConceptsPerBatch = 5 }), "concepts_per_batch was 4 and is 5"},
		{config(func(c *contrastive.Config) { c.ContextLoss.Beta = 40 }), "config.context.beta was 60 and is 40"},
		{func(training *Training) { training.Task = otherData{training.Task} }, "exemplars was "},
		{func(training *Training) { training.Task = otherTask{training.Task} }, `recipe was "biocom" and is "other"`},
		{func(t *Training) { t.Base = "other" }, "base model was "},
	} {
		training := stopped(t)
		c.change(&training)
		if training.Base == "other" {
			training.Base = fixtures.ChangedBERT(t, func(fields map[string]any) { fields["layer_norm_eps"] = 1e-5 }, nil)
		}
		_, err := Train(t.Context(), training)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "step-00000010 belongs to another training") {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// otherData is a task with other data, and otherTask one with another name.
type (
	otherData struct{ contrastive.Task }
	otherTask struct{ contrastive.Task }
)

func (otherData) WriteData(w io.Writer) { io.WriteString(w, "other") }

func (t otherTask) Describe() *contrastive.Plan {
	plan := *t.Task.Describe()
	plan.Recipe = "other"
	return &plan
}

// TestDamagedCheckpoint: if the newest checkpoint is damaged, training continues from the one before; if all are, that
// is an error.
func TestDamagedCheckpoint(t *testing.T) {
	training := stopped(t)
	damage := func(step string) {
		path := filepath.Join(training.Checkpoints, step, stateTensors)
		data := must.Get(os.ReadFile(path))
		data[len(data)/2] ^= 1
		must.Succeed(t, os.WriteFile(path, data, 0o644))
	}
	damage("step-00000010")
	damage("step-00000005")
	_, err := Train(t.Context(), training)
	for _, step := range []string{"step-00000010", "step-00000005"} {
		want := filepath.Join(training.Checkpoints, step, stateTensors) + ": is damaged"
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	damage("step-00000005") // the same bit again: repaired

	partial := "step-00000012.tmp-elsewhere-1-1" // of a checkpoint that is being written
	must.Succeed(t, os.Mkdir(filepath.Join(training.Checkpoints, partial), 0o777))
	var skipped []error
	training.Skipped = func(err error) { skipped = append(skipped, err) }
	summary := must.Get(Train(t.Context(), training))
	if summary.Resumed != 5 {
		t.Errorf("resumed after %d steps, want 5", summary.Resumed)
	}
	if len(skipped) != 1 || !strings.Contains(skipped[0].Error(), "step-00000010") {
		t.Errorf("skipped are %v, want step-00000010", skipped)
	}
	names := must.Get(listCheckpoints(training.Checkpoints))
	if got := strings.Join(names, " "); got != "step-00000015 step-00000020" {
		t.Errorf("checkpoints %q, want the two newest", got)
	}
}

// wrongConfig is a task with an invalid configuration.
type wrongConfig struct{ contrastive.Task }

func (t wrongConfig) Describe() *contrastive.Plan {
	plan := *t.Task.Describe()
	plan.Config.ClipNorm = -1
	return &plan
}

func TestTrainErrors(t *testing.T) {
	for _, c := range []struct {
		change func(*Training)
		want   string
	}{
		{func(t *Training) { t.Task = wrongConfig{t.Task} }, "training.clip_norm is -1, want 0 (never) or more"},
		{func(t *Training) { t.Validation = t.Validation[:1] }, "training: validation: sampler: 0 of 1 concepts"},
		{func(t *Training) { t.Out = fixtures.TinyBERT() }, "training: " + fixtures.TinyBERT() + " exists and is not empty"},
		{func(t *Training) { t.Base = "testdata/none" }, "testdata/none"},
		{func(t *Training) { t.Device = "tpu" }, `training: device "tpu", want "cpu" or "cuda"`},
		{func(training *Training) {
			configure(t, training, func(c *contrastive.Config) { c.LearningRate = 1e30 })
		}, "training diverged"},
	} {
		training := tinyTraining(t, 5)
		c.change(&training)
		if _, err := Train(t.Context(), training); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// FuzzReadState reads states of checkpoints with matching checksums.
func FuzzReadState(f *testing.F) {
	f.Add([]byte("{\n  \"format\": 1,\n  \"steps\": 20,\n  \"step\": 10"))
	f.Add([]byte("{\n  \"step\": -1,\n  \"best\": {\"step\": 1}"))
	f.Fuzz(func(t *testing.T, members []byte) {
		path := filepath.Join(t.TempDir(), stateFile)
		must.Succeed(t, os.WriteFile(path, artifact.AppendCheckedObject(nil, append(members, "\n}"...)), 0o666))
		state, err := readStateFile(path)
		if err != nil {
			if _, ok := errors.AsType[*files.DamagedError](err); !ok {
				t.Fatalf("error is %v, want a DamagedError", err)
			}
			return
		}
		if state.Step < 1 || state.Step > state.Steps {
			t.Fatalf("step %d of %d", state.Step, state.Steps)
		}
	})
}
