package contrastive

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/google/renameio/v2"
)

// Point is a row of the training curve.
type Point struct {
	Step         int      `json:"step"`               // steps done, counted from 1
	Names        bool     `json:"names,omitempty"`    // a batch of bare names, not of contexts: its loss is on another scale
	Loss         float64  `json:"loss"`               // of this step's batch
	ValLoss      *float64 `json:"val_loss,omitempty"` // of the held-out exemplars; absent at steps that do not validate
	ValAcc       *float64 `json:"val_acc,omitempty"`  // share of them whose nearest neighbour is of their concept
	LearningRate float64  `json:"lr"`
	Rate         float64  `json:"sentences_per_s"`
	Seconds      float64  `json:"seconds"` // since training began, earlier runs included
}

// Curve is the file that training appends its points to: JSON, one object a
// line, readable while training runs.
type Curve struct {
	path string
	file *os.File
}

// OpenCurve opens the curve at path for a run that goes on after so many steps,
// 0 for a new one. Points of later steps, left by a run that went on past its
// last checkpoint, are dropped, as is a last line cut short.
func OpenCurve(path string, steps int) (*Curve, error) {
	points, err := ReadCurve(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var kept bytes.Buffer
	for _, p := range points {
		if p.Step <= steps {
			if err := writePoint(&kept, p); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		}
	}
	if err := renameio.WriteFile(path, kept.Bytes(), 0o644); err != nil {
		return nil, fmt.Errorf("curve: %w", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return nil, fmt.Errorf("curve: %w", err)
	}
	return &Curve{path: path, file: file}, nil
}

// Append adds a point. A number that JSON cannot hold, as the loss of a run
// that diverged, is an error that names the step.
func (c *Curve) Append(p Point) error {
	var line bytes.Buffer
	if err := writePoint(&line, p); err != nil {
		return fmt.Errorf("%s: %w", c.path, err)
	}
	if _, err := c.file.Write(line.Bytes()); err != nil {
		return fmt.Errorf("curve: %w", err)
	}
	return nil
}

// Close closes the file.
func (c *Curve) Close() error { return c.file.Close() }

func writePoint(w *bytes.Buffer, p Point) error {
	line, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("step %d: loss %v: %w", p.Step, p.Loss, err)
	}
	w.Write(line)
	w.WriteByte('\n')
	return nil
}

// ReadCurve reads the points of a curve. A last line without its end is left
// out: it is being written, or was when the program was killed.
func ReadCurve(path string) ([]Point, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("curve: %w", err)
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	var points []Point
	lines := bufio.NewScanner(bytes.NewReader(whole))
	for number := 1; lines.Scan(); number++ {
		var p Point
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		points = append(points, p)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return points, nil
}
