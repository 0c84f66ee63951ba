//go:build torch

package torch

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
	"ctxnorm/tokenizer"
)

// pythonVariable names a Python that has torch and transformers; python3 where
// it is not set.
const pythonVariable = "CTXNORM_PYTHON"

// python is that interpreter; the test is skipped where it lacks the packages.
func python(t testing.TB) string {
	t.Helper()
	interpreter := os.Getenv(pythonVariable)
	named := interpreter != ""
	if !named {
		interpreter = "python3"
	}
	out, err := exec.Command(interpreter, "-c", "import torch, transformers").CombinedOutput()
	switch {
	case err == nil:
	case named:
		t.Fatalf("%s=%s: %v\n%s", pythonVariable, interpreter, err, out)
	default:
		t.Skipf("python3 has no torch or no transformers: the folder is not opened by Python")
	}
	return interpreter
}

// TestPythonOpens: AutoModel and AutoTokenizer open what was trained, with every
// key in its place, and compute the same ids and hidden states.
func TestPythonOpens(t *testing.T) {
	interpreter := python(t)
	training := tinyTraining(t, 5)
	if _, err := Train(t.Context(), training); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(interpreter, "testdata/open_folder.py", training.Out, "the [ENT] breast cancer [/ENT] of a patient")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	data, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
	var got struct {
		Missing, Unexpected, Mismatched []string
		IDs                             []int32
		Rows                            int
		Hidden                          [][]float32
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Missing)+len(got.Unexpected)+len(got.Mismatched) > 0 {
		t.Errorf("missing keys %v, unexpected %v, mismatched %v", got.Missing, got.Unexpected, got.Mismatched)
	}
	tok, err := tokenizer.Open(training.Out)
	if err != nil {
		t.Fatal(err)
	}
	defer tok.Close()
	const text = "the breast cancer of a patient"
	doc := &ctxnorm.Document{Text: text}
	query := ctxnorm.Query{Document: doc, Mention: ctxnorm.Mention{Span: ctxnorm.Span{Start: 4, End: 17}}, Sentence: ctxnorm.Span{End: len(text)}}
	in, err := tok.Encode(&query, tokenizer.Options{MaxTokens: 64})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(in.IDs, got.IDs); diff != "" {
		t.Errorf("ids (-ours +Python):\n%s", diff)
	}
	if got.Rows != tok.Size() {
		t.Errorf("%d rows of the word table, want %d", got.Rows, tok.Size())
	}
	m := load(t, training.Out, false)
	if d := largest(t, hiddenStates(t, m, [][]int32{in.IDs})[0], got.Hidden); d > 1e-4 {
		t.Errorf("hidden states differ by %g", d)
	}
}
