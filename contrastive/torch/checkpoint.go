//go:build torch

package torch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ctxnorm/contrastive"
	"ctxnorm/contrastive/torch/safetensors"
)

// A checkpoint is a folder of the folder of checkpoints:
//
//	step-00000100/
//	    state.safetensors   weights, mean and square of the optimizer; best, if there was a validation
//	    state.json          checkpointState; written last
//
// It is made beside its place and renamed, so a folder of that name is whole
// unless the disk damaged it, which the hash in state.json shows. The two newest
// are kept. Batches are a function of the step, so nothing else has to be saved.
const (
	stateTensors = "state.safetensors"
	stateFile    = "state.json"
	stepPrefix   = "step-"
	keptNumber   = 2
)

// checkpointState is a checkpoint's state.json.
type checkpointState struct {
	Run       identity `json:"run"`
	Step      int      `json:"step"`
	Adam      int      `json:"adam_steps"`
	Best      *Best    `json:"best,omitempty"`
	Sentences int      `json:"sentences"`
	Loss      float64  `json:"loss"`
	Seconds   float64  `json:"seconds"`
	Hash      string   `json:"sha256"` // of state.safetensors
}

// checkpoints is the folder and what identifies the run.
type checkpoints struct {
	dir string
	run identity
}

// resume goes on from the newest whole checkpoint, if there is one, and opens
// the curve.
func (r *run) resume() (err error) {
	r.summary.Base, err = fingerprint(r.Base, r.drawer.tokenizer, r.drawer.settings)
	if err != nil {
		return err
	}
	if r.Checkpoints != "" {
		r.checkpoints = &checkpoints{dir: r.Checkpoints, run: identity{
			Config: r.Config, Steps: r.steps, Base: r.summary.Base,
			Data: hashExemplars(r.Contexts, r.Names, r.Validation),
		}}
		if err := os.MkdirAll(r.Checkpoints, 0o755); err != nil {
			return err
		}
		if err := r.loadNewest(); err != nil {
			return err
		}
	}
	if r.Curve != "" {
		r.curve, err = contrastive.OpenCurve(r.Curve, r.done)
	}
	return err
}

// loadNewest loads the newest checkpoint that is whole. A damaged one is passed
// over; if all are damaged, that is an error, as hours may hang on it.
func (r *run) loadNewest() error {
	names, err := r.checkpoints.list()
	if err != nil {
		return err
	}
	var damage error
	for _, name := range slices.Backward(names) {
		state, err := r.checkpoints.state(name)
		if err == nil {
			if what := state.Run.differs(r.checkpoints.run); what != "" {
				return fmt.Errorf("%s is of another training: %s; remove the folder to begin anew", filepath.Join(r.Checkpoints, name), what)
			}
			if err = r.load(name, state); err == nil {
				return nil
			}
		}
		damage = errors.Join(damage, err)
	}
	return damage
}

// list names the checkpoints, oldest first.
func (c *checkpoints) list() ([]string, error) {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries { // sorted by name, and so by step
		if e.IsDir() && strings.HasPrefix(e.Name(), stepPrefix) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// state reads the state of a checkpoint and checks the hash of its tensors.
func (c *checkpoints) state(name string) (*checkpointState, error) {
	path := filepath.Join(c.dir, name, stateFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	state := &checkpointState{}
	if err := json.Unmarshal(data, state); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	path = filepath.Join(c.dir, name, stateTensors)
	hash, err := hashFile(path)
	if err != nil {
		return nil, err
	}
	if hash != state.Hash {
		return nil, fmt.Errorf("%s is damaged: its SHA-256 is %s, want %s", path, hash, state.Hash)
	}
	return state, nil
}

// Names of the vectors in state.safetensors.
const (
	weightsVector = "weights"
	meanVector    = "mean"
	squareVector  = "square"
	bestVector    = "best"
)

// load takes the run to where the checkpoint was written.
func (r *run) load(name string, state *checkpointState) (err error) {
	file, err := safetensors.Open(filepath.Join(r.Checkpoints, name, stateTensors))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	weights, err := r.learner.model.trained.memory()
	if err != nil {
		return err
	}
	vectors := map[string][]float32{weightsVector: weights, meanVector: r.learner.adam.mean, squareVector: r.learner.adam.square}
	if state.Best != nil {
		r.best = make([]float32, len(weights))
		vectors[bestVector] = r.best
	}
	for key, dst := range vectors {
		t := file.Tensor(key)
		if t == nil || t.Len() != len(dst) {
			return fmt.Errorf("%s: vector %q is missing or not of %d numbers", filepath.Join(r.Checkpoints, name, stateTensors), key, len(dst))
		}
		if err := file.Float32(dst, t); err != nil {
			return err
		}
	}
	r.done, r.learner.adam.steps = state.Step, state.Adam
	r.earlier = time.Duration(state.Seconds * float64(time.Second))
	r.summary.Resumed, r.summary.Best = state.Step, state.Best
	r.summary.Sentences, r.summary.Loss = state.Sentences, state.Loss
	return nil
}

// checkpoint writes a checkpoint and removes old ones.
func (r *run) checkpoint() error {
	if r.checkpoints == nil || r.saved == r.done {
		return nil
	}
	name := fmt.Sprintf("%s%08d", stepPrefix, r.done)
	place := filepath.Join(r.Checkpoints, name)
	dir, err := os.MkdirTemp(r.Checkpoints, ".new-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) // of what a failure left
	if err := r.save(dir); err != nil {
		return err
	}
	if err := os.RemoveAll(place); err != nil { // a damaged one that was passed over
		return err
	}
	if err := os.Rename(dir, place); err != nil {
		return err
	}
	r.saved = r.done
	return r.checkpoints.prune()
}

// save writes the two files of a checkpoint.
func (r *run) save(dir string) error {
	weights, err := r.learner.model.trained.memory()
	if err != nil {
		return err
	}
	shape := []int64{int64(len(weights))}
	adam := r.learner.adam
	vectors := []safetensors.Named{
		{Name: weightsVector, Shape: shape, Data: weights},
		{Name: meanVector, Shape: shape, Data: adam.mean},
		{Name: squareVector, Shape: shape, Data: adam.square},
	}
	if r.best != nil {
		vectors = append(vectors, safetensors.Named{Name: bestVector, Shape: shape, Data: r.best})
	}
	path := filepath.Join(dir, stateTensors)
	if err := safetensors.Write(path, vectors, nil); err != nil {
		return err
	}
	hash, err := hashFile(path)
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(checkpointState{
		Run: r.checkpoints.run, Step: r.done, Adam: adam.steps, Best: r.summary.Best,
		Sentences: r.summary.Sentences, Loss: r.summary.Loss, Seconds: r.elapsed().Seconds(), Hash: hash,
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, stateFile), data, 0o644)
}

// prune removes all but the newest checkpoints, and what broken-off writes left.
func (c *checkpoints) prune() error {
	names, err := c.list()
	if err != nil {
		return err
	}
	for _, name := range names[:max(0, len(names)-keptNumber)] {
		if err := os.RemoveAll(filepath.Join(c.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
