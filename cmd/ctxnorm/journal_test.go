package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ctxnorm/ctxnorm"
)

// A run of link that ends at any moment loses the batch at hand at most, and the same command
// goes on from there to the same output.
func TestLinkResumes(t *testing.T) {
	if ctxnorm.CanTrain {
		t.Skip("the encoder does not matter")
	}
	_, dir := stringModel(t)
	folder := t.TempDir()
	input, output := filepath.Join(folder, "in.jsonl"), filepath.Join(folder, "out.tsv")
	var lines strings.Builder
	for i := range 40 {
		fmt.Fprintf(&lines, "{\"id\": \"%d\", \"text\": \"Case %d: a [ENT] stomach ulcer [/ENT].\"}\n", i, i)
	}
	if err := os.WriteFile(input, []byte(lines.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"link", "--model", dir, "--batch", "4", "--input", input, "--output", output}
	link := func(wantCode int) (stderr string) {
		t.Helper()
		var out bytes.Buffer
		if code := run(t.Context(), args, nil, &out, &out); code != wantCode {
			t.Fatalf("exit %d, want %d: %s", code, wantCode, &out)
		}
		return out.String()
	}
	link(exitDone)
	want, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	// A malformed line at the end of the input stops a strict run; its journal has every batch.
	if err := os.WriteFile(input, []byte(lines.String()+"{\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	args = append(args, "--strict")
	link(exitFailed)
	args = args[:len(args)-1]
	whole, err := os.ReadFile(output + journalExtension)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(input, []byte(lines.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	// kill -9 leaves any prefix of the journal. 40 documents are batches of 1, 2, 4, 4, …
	// A damaged disk leaves one that has the form of a journal, here with another concept in all batches.
	damaged := bytes.ReplaceAll(whole, []byte(`"A"`), []byte(`"B"`))
	if bytes.Equal(damaged, whole) {
		t.Fatalf("the journal does not name the concept: %.500s", whole)
	}
	for length := range map[int]bool{-1: true, 0: true, 1: true, 30: true, len(whole) / 3: true, len(whole) / 2: true, len(whole) - 1: true, len(whole): true} {
		journal, batches := damaged, 0
		if length >= 0 {
			journal = whole[:length]
			batches = max(0, bytes.Count(journal, []byte("\n"))-1)
		}
		if err := os.WriteFile(output+journalExtension, journal, 0o666); err != nil {
			t.Fatal(err)
		}
		os.Remove(output)
		stderr := link(exitDone)
		if got, err := os.ReadFile(output); err != nil || !bytes.Equal(got, want) {
			t.Errorf("journal of %d bytes: another output (%v):\n%s", length, err, got)
		}
		documents := 0
		for i := range batches {
			documents += min(1<<i, 4)
		}
		message := fmt.Sprintf("linked by an earlier run: %d of 40 documents\n", documents)
		if strings.Contains(stderr, message) != (documents > 0) {
			t.Errorf("journal of %d bytes: %q, want %q if it is not 0", length, stderr, message)
		}
		if _, err := os.Stat(output + journalExtension); !os.IsNotExist(err) {
			t.Errorf("the journal is still there: %v", err)
		}
	}
}

// A run that a signal ends has the exit code that shells give to the signal.
func TestSignalExit(t *testing.T) {
	if err := fmt.Errorf("stopped after step 3: %w", &signalError{syscall.SIGTERM}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v is no interruption", err)
	}
	for number, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(&signalError{number})
		if got := exitInterrupted(ctx); got != want {
			t.Errorf("%v: exit %d, want %d", number, got, want)
		}
	}
}

// A journal of which a loss of power left the beginning, or zeros, is begun anew; another file is the user's.
func TestJournalAfterPowerLoss(t *testing.T) {
	for content, ours := range map[string]bool{
		"": true, journalStart[:5]: true, strings.Repeat("\x00", 700): true, "\x00\x00mine": false, "mine": false,
	} {
		path := filepath.Join(t.TempDir(), "out.tsv"+journalExtension)
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		j, _, err := openJournal(path, "settings")
		if (err == nil) != ours {
			t.Errorf("a journal of %.20q: %v, want that it is one: %t", content, err, ours)
		}
		if err == nil {
			if err := j.close(false); err != nil {
				t.Error(err)
			}
		}
	}
}
