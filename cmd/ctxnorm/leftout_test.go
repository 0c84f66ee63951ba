//go:build !torch

package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dustin/go-humanize/english"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/papers"
)

// TestModelWhoseEncoderIsLeftOut checks that a build that cannot run a model's encoder does everything that needs no
// encoder, and reports what it leaves out. For the rest, it names the build that is needed.
func TestModelWhoseEncoderIsLeftOut(t *testing.T) {
	dir := modeltest.Build(t, fixtures.GutEncoder(), nil)
	input := filepath.Join(t.TempDir(), "texts.jsonl")
	const texts = `{"id":"1","text":"A gastric ulcer bled.","mentions":[{"start":2,"end":15,"ids":["G2"]}]}` + "\n"
	writeFile(t, input, texts)
	const (
		leftOut = "ctxnorm: warning: this build of ctxnorm cannot run the model's encoder: its vectors are left out"
		needed  = "this build of ctxnorm cannot run the model's encoder"
	)
	hint := "ctxnorm: hint: --method " + english.WordSeries(papers.MethodNames(comparesStrings), "and") +
		" need none; ctxnorm-train, which make build makes (Linux on amd64), has the same commands with libtorch"
	for _, c := range []struct {
		args           string
		code           int
		stdout, stderr string
	}{
		{"link --method lexical --input " + input, exitDone, `"candidates":[{"id":"G2"`, leftOut},
		{"link --method exact --input " + input, exitDone, `"candidates":[{"id":"G2"`, leftOut},
		{"link --method tfidf --input " + input, exitDone, `"candidates":[{"id":"G2"`, leftOut},
		{"link --method exact --tag --input " + input, exitDone, `"candidates":[{"id":"G2"`, leftOut},
		{"eval --method lexical --baselines exact --gold " + input, exitDone, "Acc@1", leftOut},
		{"inspect", exitDone, `"fingerprint"`, ""},
		{"verify", exitDone, "files are as the manifest says", ""},
		{"link --input " + input, exitFailed, "", "ctxnorm: --method ranked: " + needed + "\n" + hint},
		{"link --method count --input " + input, exitFailed, "", "ctxnorm: --method count: " + needed + "\n" + hint},
		{"eval --gold " + input, exitFailed, "", "ctxnorm: --method ranked: " + needed + "\n" + hint},
		{"eval --method exact --baselines weighted --gold " + input, exitFailed, "", "ctxnorm: --baselines has \"weighted\": " + needed},
		{"eval --method exact --baselines strings --gold " + input, exitFailed, "", "ctxnorm: --baselines has \"strings\": " + needed},
		{"calibrate", exitFailed, "", "ctxnorm: " + needed + "\nctxnorm: hint: ctxnorm-train, which make build makes"},
	} {
		t.Run(c.args[:min(20, len(c.args))], func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := run(t.Context(), append(strings.Fields(c.args), "--model", dir), strings.NewReader(""), &stdout, &stderr)
			if code != c.code || !strings.Contains(stdout.String(), c.stdout) || !strings.Contains(stderr.String(), c.stderr) {
				t.Errorf("exit code %d, want %d\nstdout %s want %q\nstderr %s want %q", code, c.code, &stdout, c.stdout, &stderr, c.stderr)
			}
		})
	}
}
