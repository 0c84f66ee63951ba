package model

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// failAt makes the nth change of the file system, counted from 1, and all later ones fail as on a full disk. Removals
// make room and do not fail. The returned function ends this and reports whether there was an nth change.
func failAt(n int) (end func() bool) {
	steps := 0
	artifact.Intercept(func(s artifact.Step) error {
		if s.Op == "remove" {
			return nil
		}
		if steps++; steps < n {
			return nil
		}
		return syscall.ENOSPC
	})
	return func() bool {
		artifact.Intercept(nil)
		return steps >= n
	}
}

// A model that is replaced on a disk that becomes full either stays or is replaced: it is complete either way, and
// nothing is left next to it.
func TestBuildOnAFullDisk(t *testing.T) {
	testOnAFullDisk(t, func(dir string) error {
		o := gutOptions(t, dir)
		o.PerConcept = 1 // unlike the existing model
		_, err := Build(t.Context(), o)
		return err
	})
}

// The same for the calibration of a model, which takes two files.
func TestWriteCalibrationOnAFullDisk(t *testing.T) {
	testOnAFullDisk(t, func(dir string) error {
		m, err := Open(dir, nil)
		if err != nil {
			return err
		}
		return errors.Join(m.WriteCalibration(&Calibration{Weights: map[string]float64{"a": 1}}), m.Close())
	})
}

func testOnAFullDisk(t *testing.T, write func(dir string) error) {
	t.Helper()
	states := make(map[string]int)
	for n, failed := 1, true; failed; n++ {
		dir := buildGut(t, nil, nil)
		old := must.Get(os.ReadFile(filepath.Join(dir, manifestFile)))
		end := failAt(n)
		err := write(dir)
		failed = end()
		if failed != errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("step %d: %v, want the error of the disk: %v", n, err, failed)
		}
		if _, err := Verify(dir); err != nil {
			t.Errorf("step %d: %v", n, err)
		}
		if m, err := Open(dir, nil); err != nil {
			t.Errorf("step %d: %v", n, err)
		} else if err := m.Close(); err != nil {
			t.Error(err)
		}
		switch now, err := os.ReadFile(filepath.Join(dir, manifestFile)); {
		case err != nil:
			t.Error(err)
		case string(now) == string(old):
			states["old"]++
		default:
			states["new"]++
		}
		if err := artifact.RemoveStale(dir); err != nil { // the old model, if the new one may not be on disk
			t.Error(err)
		}
		if beside, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(beside) != 1 {
			t.Errorf("step %d: beside the model there are %v, %v", n, beside, err)
		}
	}
	if states["old"] < 10 || states["new"] != 2 {
		t.Errorf("the model was the old or the new one in %v cases, want the new one twice: not flushed, and flushed", states)
	}
}

// A model that an earlier version left between the two files of its calibration can be calibrated again.
func TestHalfCalibratedModel(t *testing.T) {
	dir := buildGut(t, nil, nil)
	calibrate := func() {
		t.Helper()
		m := must.Get(OpenUncalibrated(dir, nil))
		must.Succeed(t,
			errors.Join(m.WriteCalibration(&Calibration{Queries: 7, Weights: map[string]float64{"a": 1}}), m.Close()))
		if _, err := Verify(dir); err != nil {
			t.Error(err)
		}
		if c := open(t, dir, nil).Calibration; c.Queries != 7 {
			t.Errorf("the calibration is %+v, want the one written", c)
		}
	}
	calibrate()
	must.Succeed(t, os.WriteFile(filepath.Join(dir, CalibrationFile), []byte(`{"queries": 12345}`), 0o666))
	_, err := Open(dir, nil)
	must.Fail(t, err, "", "the model opens with a calibration that its manifest does not list")
	calibrate()
}

// Foreign files in the folder of a model are named in the error, and stay.
func TestForeignFilesInAModel(t *testing.T) {
	for _, name := range []string{"notes.txt", "runs/eval.txt", "index/mine.npy", "manifest.json.bak", "empty/"} {
		dir := buildGut(t, nil, nil)
		path := filepath.Join(dir, filepath.FromSlash(name))
		want := path
		if name == "runs/eval.txt" || name == "empty/" {
			want = filepath.Join(dir, filepath.Dir(name))
		}
		err := os.MkdirAll(filepath.Dir(path), 0o777)
		if name == "empty/" {
			err = os.Mkdir(path, 0o777)
		} else if err == nil {
			err = os.WriteFile(path, []byte("mine"), 0o666)
		}
		must.Succeed(t, err)
		_, built := Build(t.Context(), gutOptions(t, dir))
		for what, err := range map[string]error{
			"CheckTarget": CheckTarget(dir), "Build": built, "WriteCalibration": open(t, dir, nil).WriteCalibration(&Calibration{}),
		} {
			var foreign *files.ForeignError
			if !errors.As(err, &foreign) || foreign.Path != want {
				t.Errorf("%s with %s: %v, want an error that names %s", what, name, err, want)
			}
		}
		must.Get(os.Stat(path))
	}
}

// A file that appears while a model is being built also stays.
func TestForeignFileDuringABuild(t *testing.T) {
	dir := buildGut(t, nil, nil)
	notes := filepath.Join(dir, "notes.txt")
	o := gutOptions(t, dir)
	o.Calibrate = func(context.Context, *Model) (*Calibration, error) {
		return &Calibration{}, os.WriteFile(notes, []byte("mine"), 0o666)
	}
	var foreign *files.ForeignError
	if _, err := Build(t.Context(), o); !errors.As(err, &foreign) || foreign.Path != notes {
		t.Errorf("error is %v, want one that names %s", err, notes)
	}
	must.Get(os.Stat(notes))
}

// A calibration with impossible numbers is rejected when the model is opened, even if its digest matches.
func TestImpossibleCalibration(t *testing.T) {
	row := func(least float64) ThresholdRow { return ThresholdRow{MinProbability: least} }
	for want, c := range map[string]*Calibration{
		"":                         {Abstention: &Abstention{Rows: []ThresholdRow{row(0), row(.5), row(.5)}}, MinProbability: 1},
		"abstention has no rows":   {Abstention: &Abstention{Queries: 30}},
		"do not ascend":            {Abstention: &Abstention{Rows: []ThresholdRow{row(.5), row(0)}}},
		"more queries than":        {Abstention: &Abstention{Queries: 1, NIL: 2, Rows: []ThresholdRow{row(0)}}},
		"counts more queries":      {Abstention: &Abstention{Queries: 9, Rows: []ThresholdRow{{Answered: 3, Correct: 4}}}},
		"more queries than there":  {WithoutEncoder: &Calibration{Abstention: &Abstention{Queries: -1, NIL: -1, Rows: []ThresholdRow{row(0)}}}},
		"min_probability is 1.5,":  {MinProbability: 1.5},
		"min_probability is -0.5,": {WithoutEncoder: &Calibration{MinProbability: -.5}},
	} {
		dir := buildGut(t, nil, nil)
		m := open(t, dir, nil)
		must.Succeed(t, m.WriteCalibration(c))
		again, err := Open(dir, nil)
		if err == nil {
			again.Close()
		}
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
}
