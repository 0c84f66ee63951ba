//go:build torch

package train

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
)

// A checkpoint is a folder in the folder of checkpoints:
//
//	step-00000100/
//	    state.safetensors   weights; mean and square of the optimizer; best, if there was a validation;
//	                        the same four of the task's parameters, if it has any; in the middle of
//	                        an epoch of a task that resamples, the weights at its start
//	    state.json          checkpointState; written last
//
// It is written under another name and renamed, so a folder with this name is complete. The hash in state.json reveals
// damage to the tensors, and the checksum at its end damage to state.json itself. The two newest checkpoints are kept.
// Batches are a function of the step and of the weights at the start of its epoch, so nothing else has to be saved.
//
// checkpointFormat is the format of state.json.
const (
	checkpointFormat = 1

	stateTensors    = "state.safetensors"
	stateFile       = "state.json"
	stepPrefix      = "step-"
	keptCheckpoints = 2
)

// checkpointState is the content of state.json.
type checkpointState struct {
	Format    int         `json:"format"`
	Run       runIdentity `json:"run"`
	Steps     int         `json:"steps"` // of the whole training
	Step      int         `json:"step"`
	Adam      int         `json:"adam_steps"`
	Best      *Best       `json:"best,omitempty"`
	Sentences int         `json:"sentences"`
	Loss      float64     `json:"loss"`
	Seconds   float64     `json:"seconds"`
	Hash      string      `json:"sha256"` // of state.safetensors
}

// resume loads the newest undamaged checkpoint, if there is one, and opens the training log.
func (r *trainer) resume() (err error) {
	r.summary.Base, err = r.network.fingerprint(r.Base)
	if err != nil {
		return err
	}
	if r.Checkpoints != "" {
		if r.run, err = newIdentity(&r.Training, r.Steps, r.summary.Base); err != nil {
			return err
		}
		if err := artifact.MkdirAll(r.Checkpoints); err != nil {
			return err
		}
		if err := r.loadNewest(); err != nil {
			return err
		}
	}
	if r.LogFile != "" {
		r.log, err = contrastive.OpenTrainingLog(r.LogFile, r.done)
	}
	return err
}

// loadNewest loads the newest undamaged checkpoint. It returns an error if all are damaged, because starting again
// could waste hours of work.
func (r *trainer) loadNewest() error {
	names, err := listCheckpoints(r.Checkpoints)
	if err != nil {
		return err
	}
	var skipped []error
	for _, name := range slices.Backward(names) {
		dir := filepath.Join(r.Checkpoints, name)
		state, err := readState(dir)
		if err == nil {
			if difference := state.Run.difference(r.run); difference != "" {
				return fmt.Errorf("%s belongs to another training: %s; remove the folder to start again", dir, difference)
			}
			err = r.loadCheckpoint(dir, state)
		}
		if err == nil {
			for _, err := range skipped {
				if r.Skipped != nil {
					r.Skipped(err)
				}
			}
			return nil
		}
		skipped = append(skipped, err)
	}
	if len(skipped) > 0 {
		return fmt.Errorf("no checkpoint in %s is undamaged, remove the folder to start again: %w", r.Checkpoints,
			errors.Join(skipped...))
	}
	return nil
}

// listCheckpoints returns the names of the checkpoints in a folder, oldest first.
func listCheckpoints(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries { // sorted by name, and so by step
		step, isStep := strings.CutPrefix(e.Name(), stepPrefix)
		if _, err := strconv.Atoi(step); e.IsDir() && isStep && err == nil { // not one that is being written
			names = append(names, e.Name())
		}
	}
	return names, err
}

// readState reads the state of a checkpoint and checks the hash of its tensors.
func readState(dir string) (*checkpointState, error) {
	state, err := readStateFile(filepath.Join(dir, stateFile))
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, stateTensors)
	digest, err := artifact.DigestFile(path)
	if err == nil && digest.SHA256 != state.Hash {
		err = artifact.Damaged(path, "is damaged: its SHA-256 is %s, want %s", digest.SHA256, state.Hash)
	}
	return state, err
}

// readStateFile reads state.json and checks its checksum and its numbers.
func readStateFile(path string) (*checkpointState, error) {
	state := &checkpointState{}
	if err := artifact.ReadManifest(path, "checkpoint", checkpointFormat, state); err != nil {
		return nil, err
	}
	switch {
	case state.Step < 1 || state.Step > state.Steps:
		return nil, artifact.Damaged(path, "step is %d, want 1 to %d", state.Step, state.Steps)
	case state.Adam < 0 || state.Adam > state.Step:
		return nil, artifact.Damaged(path, "adam_steps is %d, want 0 to %d", state.Adam, state.Step)
	}
	return state, nil
}

// Names of the vectors in state.safetensors.
const (
	weightsVector = "weights"
	meanVector    = "mean"
	squareVector  = "square"
	bestVector    = "best"
	epochVector   = "epoch_start"

	parametersPrefix = "parameters." // before the names of the first four vectors
)

// vectors returns the vectors, by name, of a checkpoint after the given number of steps.
func (r *trainer) vectors(step int) map[string][]float32 {
	values, mean, square := r.state.extra.state()
	vectors := map[string][]float32{
		weightsVector: r.network.trained().Values(), meanVector: r.state.adam.mean, squareVector: r.state.adam.square,
		bestVector: r.best, parametersPrefix + weightsVector: values, parametersPrefix + meanVector: mean,
		parametersPrefix + squareVector: square, parametersPrefix + bestVector: r.bestExtra,
	}
	if r.EpochSteps > 0 && !r.startsEpoch(step) {
		vectors[epochVector] = r.epochStart
	}
	maps.DeleteFunc(vectors, func(_ string, v []float32) bool { return len(v) == 0 })
	return vectors
}

// loadCheckpoint restores the state in which the checkpoint was written.
func (r *trainer) loadCheckpoint(dir string, state *checkpointState) (err error) {
	file, err := safetensors.Open(filepath.Join(dir, stateTensors))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	size := r.network.trained().Len()
	r.best, r.bestExtra, r.epochStart = nil, nil, make([]float32, size) // discard those of a damaged checkpoint
	if state.Best != nil {
		r.best, r.bestExtra = make([]float32, size), make([]float32, len(r.state.extra.values))
	}
	vectors := r.vectors(state.Step)
	for key, dst := range vectors {
		if want := []int64{int64(len(dst))}; !slices.Equal(file.Shape(key), want) {
			return artifact.Damaged(file.Path(), "tensor %q has shape %v, want %v", key, file.Shape(key), want)
		}
		if err := file.Float32(dst, key); err != nil {
			return err
		}
	}
	for i, a := range r.state.extra.adam {
		a.mean[0], a.square[0] = vectors[parametersPrefix+meanVector][i], vectors[parametersPrefix+squareVector][i]
		a.steps = state.Adam
	}
	r.done, r.state.adam.steps = state.Step, state.Adam
	r.earlier = time.Duration(state.Seconds * float64(time.Second))
	r.summary.Resumed, r.summary.Best = state.Step, state.Best
	r.summary.Sentences, r.summary.Loss = state.Sentences, state.Loss
	return nil
}

// checkpoint writes a checkpoint and removes all but the newest ones.
func (r *trainer) checkpoint() error {
	if r.Checkpoints == "" || r.saved == r.done {
		return nil
	}
	path := filepath.Join(r.Checkpoints, fmt.Sprintf("%s%08d", stepPrefix, r.done))
	replaceable := func(string) error { return nil } // a damaged checkpoint that was skipped
	if err := artifact.ReplaceFolder(path, replaceable, r.writeCheckpoint); err != nil {
		return err
	}
	r.saved = r.done
	names, err := listCheckpoints(r.Checkpoints)
	for _, name := range names[:max(0, len(names)-keptCheckpoints)] {
		err = errors.Join(err, artifact.RemoveFolder(filepath.Join(r.Checkpoints, name)))
	}
	return err
}

// writeCheckpoint writes the two files of a checkpoint.
func (r *trainer) writeCheckpoint(dir string) error {
	vectors := r.vectors(r.done)
	var named []safetensors.Named
	for _, name := range slices.Sorted(maps.Keys(vectors)) {
		data := vectors[name]
		named = append(named, safetensors.Named{Name: name, Shape: []int64{int64(len(data))}, Data: data})
	}
	path := filepath.Join(dir, stateTensors)
	if err := safetensors.Write(path, named); err != nil {
		return err
	}
	digest, err := artifact.DigestFile(path)
	if err != nil {
		return err
	}
	return artifact.WriteCheckedJSON(filepath.Join(dir, stateFile), checkpointState{
		Format: checkpointFormat, Run: r.run, Steps: r.Steps, Step: r.done, Adam: r.state.adam.steps, Best: r.summary.Best,
		Sentences: r.summary.Sentences, Loss: r.summary.Loss, Seconds: r.elapsed().Seconds(), Hash: digest.SHA256,
	})
}
