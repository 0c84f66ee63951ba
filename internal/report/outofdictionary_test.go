package report

import (
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/eval"
)

// TestOutOfDictionaryTable: both forms of the text have the thresholds.
func TestOutOfDictionaryTable(t *testing.T) {
	r := &eval.Report{
		Results: []eval.Result{{Linker: "nearest name", Policy: "all"}},
		OutOfDictionary: []eval.OutOfDictionary{{
			Policy: "all", Sample: 100, Rest: 687, Repeats: 20,
			Strategies: []eval.StrategyResult{{Strategy: "weighted mean of both", Mean: .85734, Deviation: .013}},
		}},
	}
	for name, write := range map[string]func(*strings.Builder) error{
		"brief": func(b *strings.Builder) error { return WriteBrief(b, r) },
		"full":  func(b *strings.Builder) error { return WriteText(b, r) },
	} {
		var b strings.Builder
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if row := "all weighted mean of both 0.8573 0.0130 20 100 687"; !strings.Contains(strings.Join(strings.Fields(b.String()), " "), row) {
			t.Errorf("%s: no row %q in\n%s", name, row, b.String())
		}
	}
}
