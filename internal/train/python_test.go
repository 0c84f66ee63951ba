//go:build torch

package train

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// pythonVariable is the environment variable that names a Python with torch and transformers. Default python3.
const pythonVariable = "CTXNORM_PYTHON"

// python returns that interpreter. It skips the test if python3 lacks the packages.
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

// TestPythonOpens: AutoModel and AutoTokenizer open a trained encoder without a missing or unexpected key, and compute
// the same ids and the same hidden states, up to length.
func TestPythonOpens(t *testing.T) {
	interpreter := python(t)
	training := tinyTraining(t, 5)
	must.Get(Train(t.Context(), training))
	command := exec.Command(interpreter, fixtures.BERTFile("open_folder.py"), training.Out, "the [ENT] breast cancer [/ENT] of a patient")
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
	must.Succeed(t, json.Unmarshal(data, &got))
	if len(got.Missing)+len(got.Unexpected)+len(got.Mismatched) > 0 {
		t.Errorf("missing keys %v, unexpected %v, mismatched %v", got.Missing, got.Unexpected, got.Mismatched)
	}
	tok := must.Get(tokenizer.Open(training.Out))
	defer tok.Close()
	const s = "the breast cancer of a patient"
	doc := &text.Document{Text: s}
	query := text.Query{Document: doc, Mention: text.Mention{Span: text.Span{Start: 4, End: 17}}, Sentence: text.Span{End: len(s)}}
	in := must.Get(tok.Encode(&query, 64, false))
	if diff := cmp.Diff(in.IDs, got.IDs); diff != "" {
		t.Errorf("ids (-ours +Python):\n%s", diff)
	}
	if got.Rows != tok.Size() {
		t.Errorf("%d rows of the word table, want %d", got.Rows, tok.Size())
	}
	vectors := tokenVectors(t, training.Out, tok, &in)
	for _, state := range got.Hidden {
		squares := 0.0
		for _, v := range state {
			squares += float64(v) * float64(v)
		}
		for i := range state {
			state[i] /= float32(math.Sqrt(squares))
		}
	}
	if d := fixtures.MaxDifference(t, vectors, got.Hidden); d > 1e-4 {
		t.Errorf("hidden states differ by %g", d)
	}
}

// tokenVectors returns the hidden state of each token, scaled to unit length.
func tokenVectors(t *testing.T, dir string, tok *tokenizer.Tokenizer, in *tokenizer.Input) [][]float32 {
	t.Helper()
	m := must.Get(bert.LoadModel(dir, tok, false, 1))
	inf := must.Get(bert.NewInference(m, tensor.Float32, tensor.CPU))
	defer inf.Close()
	var spans []bert.PooledSpan
	for i := range in.IDs {
		spans = append(spans, bert.PooledSpan{Row: 0, Tokens: tokenizer.TokenSpan{Start: i, End: i + 1}})
	}
	values := must.Get(inf.Vectors([]*tokenizer.Input{in}, spans))
	return slices.Collect(slices.Chunk(values, int(m.Config.Hidden)))
}
