package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestTables has reports of two seeds. The second policy of a report is in its own Markdown alone.
func TestTables(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, results ...eval.Result) {
		data := must.Get(json.Marshal(&eval.Report{Results: results}))
		path := filepath.Join(dir, name)
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must.Succeed(t, os.WriteFile(path, data, 0o666))
	}
	result := func(linker, policy string, right float64) eval.Result {
		return eval.Result{Linker: linker, Policy: policy, Metrics: []eval.Metric{
			{Name: "Acc@1", Ratio: eval.Ratio{Numerator: right, Denominator: 100, Value: right / 100}}, {Name: "none"}}}
	}
	must.Fail(t, harness.Try(func() { run(&bytes.Buffer{}, dir) }), "", "no error without reports")
	write("seed1/eval/model.Some_set.json", result("ranked", "paper", 80), result("lexical", "paper", 70), result("ranked", "strict", 1))
	write("seed2/eval/model.Some_set.json", result("ranked", "paper", 83), result("lexical", "paper", 70))
	write("seed2/eval/model.Other_set.json", result("ranked", "paper", 50))
	write("seed1/eval/fraction.25.Some_set.json", result("ranked", "paper", 60))
	var got bytes.Buffer
	run(&got, dir)
	const want = `## fraction.25

| linker | Some set Acc@1 |
| --- | ---: |
| ranked | .600 |

## model

| linker | Some set Acc@1 | Other set Acc@1 |
| --- | ---: | ---: |
| ranked | .815 (.800 .830) | .500 |
| lexical | .700 | - |
`
	if !strings.HasSuffix(got.String(), want) {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
	if markdown, err := os.ReadFile(filepath.Join(dir, "seed1/eval/model.Some_set.md")); err != nil || !strings.Contains(string(markdown), "strict") {
		t.Errorf("the report is %q, %v", markdown, err)
	}
	write("seed3/eval/model.Some_set.json")
	must.Fail(t, harness.Try(func() { run(&got, dir) }), "model.Some_set.json")
}
