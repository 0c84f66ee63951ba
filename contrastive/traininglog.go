package contrastive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// LogEntry is an entry of the training log: one training step.
type LogEntry struct {
	Step int `json:"step"` // steps done, counted from 1
	// the batch holds bare names, not contexts: its loss is on another scale
	NameBatch bool    `json:"names,omitempty"`
	Loss      float64 `json:"loss"` // training loss of the step's batch
	// loss on the held-out exemplars; nil at steps without validation
	ValLoss *float64 `json:"val_loss,omitempty"`
	// share of the held-out exemplars whose nearest neighbor has their concept; nil at steps without validation
	ValAcc             *float64 `json:"val_acc,omitempty"`
	LearningRate       float64  `json:"lr"`
	SentencesPerSecond float64  `json:"sentences_per_s"`
	Seconds            float64  `json:"seconds"` // time since training began, including earlier runs
}

// TrainingLog appends entries to a file of JSON, one object per line, which can be read during training.
type TrainingLog struct{ file *os.File }

// OpenTrainingLog opens the log at path for a run that continues after the given number of steps, 0 for a new run. It
// drops entries of later steps, left by a run that stopped after its last checkpoint, and a truncated last line.
func OpenTrainingLog(path string, steps int) (*TrainingLog, error) {
	entries, err := ReadTrainingLog(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	kept := slices.DeleteFunc(entries, func(e LogEntry) bool { return e.Step > steps })
	if err := artifact.WriteJSONLines(path, kept); err != nil {
		return nil, fmt.Errorf("training log: %w", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return nil, fmt.Errorf("training log: %w", err)
	}
	return &TrainingLog{file}, nil
}

// Append appends an entry. If the entry has a number that JSON cannot hold, such as the loss NaN of a run that
// diverged, it returns an error that names the step.
func (l *TrainingLog) Append(e LogEntry) error {
	if err := json.NewEncoder(l.file).Encode(e); err != nil {
		return fmt.Errorf("%s: step %d: loss %v: %w", l.file.Name(), e.Step, e.Loss, err)
	}
	return nil
}

// Close closes the file.
func (l *TrainingLog) Close() error { return l.file.Close() }

// ReadTrainingLog returns the entries of a log. It ignores a last line without a line break, which is still being
// written, or was when the program was killed.
func ReadTrainingLog(path string) ([]LogEntry, error) {
	data, err := artifact.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("training log: %w", err)
	}
	complete := data[:bytes.LastIndexByte(data, '\n')+1]
	var entries []LogEntry
	number := 0
	for line := range bytes.Lines(complete) {
		number++
		var e LogEntry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		entries = append(entries, e)
	}
	return entries, nil
}
