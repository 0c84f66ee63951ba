package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/google/renameio/v2"
)

// row is what was run for a system, as row.json.
type row struct {
	Train *step `json:"train,omitempty"` // nil for a system that uses the model of another
	Eval  *step `json:"eval,omitempty"`
}

// step is a command that has ended.
type step struct {
	Args    []string `json:"args"`
	Shown   string   `json:"shown"`   // Args without the folders of this machine
	Version string   `json:"version"` // of the program, its commit
	Minutes float64  `json:"minutes"` // of wall time, runs that were stopped left out
	CPU     float64  `json:"cpu_minutes"`
	PeakMB  float64  `json:"peak_mb"` // largest resident set
}

const (
	rowFile    = "row.json"
	answerFile = "answers.jsonl"
)

// readRow returns the row of a system, an empty one if none was run.
func (s *settings) readRow(e *experiment, name string) (r row, err error) {
	data, err := os.ReadFile(filepath.Join(s.folder(e, name), rowFile))
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("%s: %w", filepath.Join(s.folder(e, name), rowFile), err)
	}
	return r, nil
}

func (s *settings) writeRow(e *experiment, name string, r row) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return renameio.WriteFile(filepath.Join(s.folder(e, name), rowFile), append(data, '\n'), 0o666)
}

// runRow trains and measures a system, as far as that was not done with the same commands. It
// reports whether there was anything to do.
func (s *settings) runRow(ctx context.Context, e *experiment, y system) (ran bool, err error) {
	of, trained := owner(e, &y)
	own := of == e && trained.name == y.name
	if !own {
		if ran, err = s.runRow(ctx, of, *trained); err != nil {
			return ran, fmt.Errorf("model of %s/%s: %w", of.name, trained.name, err)
		}
	}
	if err := os.MkdirAll(s.folder(e, y.name), 0o777); err != nil {
		return ran, err
	}
	r, err := s.readRow(e, y.name)
	if err != nil {
		return ran, err
	}
	switch {
	case !own:
		r.Train = nil
	case y.trains():
		labels, err := s.labels(e, y.labels)
		if err != nil {
			return ran, err
		}
		args := s.trainArgs(e, &y, labels)
		if r.Train == nil || !slices.Equal(r.Train.Args, args) {
			made, err := s.execute(ctx, args)
			if err != nil {
				return true, err
			}
			ran, r = true, row{Train: made}
			if err := s.writeRow(e, y.name, r); err != nil {
				return true, err
			}
		}
	}
	args := s.evalArgs(e, &y, filepath.Join(s.folder(e, y.name), answerFile))
	if !ran && r.Eval != nil && slices.Equal(r.Eval.Args, args) {
		return false, nil
	}
	if r.Eval, err = s.execute(ctx, args); err != nil {
		return true, err
	}
	return true, s.writeRow(e, y.name, r)
}

// execute runs ctxnorm. When ctx is canceled it is interrupted, so that training writes a checkpoint.
func (s *settings) execute(ctx context.Context, args []string) (*step, error) {
	version, err := exec.CommandContext(ctx, s.Program, "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("%s --version: %w", s.Program, err)
	}
	logf("ctxnorm %s", strings.Join(args, " "))
	cmd := exec.CommandContext(ctx, s.Program, args...)
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("ctxnorm %s: %w", args[0], err)
	}
	made := &step{Args: args, Shown: s.show(args), Version: lastField(string(version)), Minutes: time.Since(start).Minutes()}
	made.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Minutes()
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		made.PeakMB = float64(usage.Maxrss) / 1024 // Linux reports kB
	}
	return made, nil
}

func lastField(s string) string {
	fields := strings.Fields(s)
	if len(fields) == 0 {
		return "unknown"
	}
	return fields[len(fields)-1]
}

// labels returns the file of labeled mentions of the first documents, which it makes; -1 stands for all
// documents and 0 for none.
func (s *settings) labels(e *experiment, documents int) (string, error) {
	path := filepath.Join(s.Data, e.train)
	if documents <= 0 {
		return path, nil
	}
	few := filepath.Join(s.Out, "gold", fmt.Sprintf("%s-%d.pubtator", strings.TrimSuffix(filepath.Base(path), ".pubtator.gz"), documents))
	if _, err := os.Stat(few); err == nil {
		return few, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	text, err := io.ReadAll(unzipped)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(few), 0o777); err != nil {
		return "", err
	}
	return few, renameio.WriteFile(few, []byte(firstDocuments(string(text), documents)), 0o666)
}

// firstDocuments returns the first documents of a PubTator file, in which they are separated by blank lines.
func firstDocuments(pubtator string, n int) string {
	var kept []string
	for document := range strings.SplitSeq(strings.ReplaceAll(pubtator, "\r\n", "\n"), "\n\n") {
		if document = strings.Trim(document, "\n"); document != "" && len(kept) < n {
			kept = append(kept, document)
		}
	}
	return strings.Join(kept, "\n\n") + "\n\n"
}
