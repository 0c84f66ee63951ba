// Command accuracy writes each report of scripts/accuracy.sh in Markdown, beside its JSON, and prints tables of all
// linkers, with the mean over the seeds.
//
//	accuracy FOLDER
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

func main() {
	var o struct {
		Folders []string `args:"folder of the reports"`
	}
	harness.Main("accuracy", &o, func(context.Context) {
		harness.Require(len(o.Folders) == 1, "the arguments are %q, want a folder", o.Folders)
		run(os.Stdout, o.Folders[0])
	})
}

// table holds the figures of each linker under the first policy, by seed, from the reports of one name, such as model.
type table struct {
	name             string
	linkers, columns []string // in the reports' order
	values           map[[2]string][]float64
}

func run(w io.Writer, dir string) {
	files, err := filepath.Glob(filepath.Join(dir, "seed*", "eval", "*.json"))
	harness.Require(err == nil && len(files) > 0, "%s: no folder seed1, seed2, … has reports", dir)
	var tables []*table
	for _, file := range files {
		r, path := &eval.Report{}, strings.TrimSuffix(file, ".json")
		harness.Check(artifact.ReadJSON(file, r))
		harness.Require(len(r.Results) > 0, "%s has no results", file)
		harness.Check(artifact.Write(path+".md", r.WriteMarkdown))
		at := strings.LastIndex(path, ".") // fraction.25.NCBI_Disease
		name, set := filepath.Base(path[:at]), strings.ReplaceAll(path[at+1:], "_", " ")
		i := slices.IndexFunc(tables, func(t *table) bool { return t.name == name })
		if i < 0 {
			i, tables = len(tables), append(tables, &table{name: name, values: map[[2]string][]float64{}})
		}
		tables[i].add(set, r)
	}
	text := "# Accuracy\n\nOf each linker the mean over the seeds and, in brackets, each seed if they differ. A report is called by what was measured: model is all of it, " +
		"untrained has an encoder as it comes, nil lacks a tenth of the concepts, records40 has that many records of the corpus, fraction.25 that share of the names. " +
		"`seed*/eval/*.md` have intervals, comparisons, mistakes, probabilities and thresholds, `seed*/minutes.tsv` the commands.\n"
	for _, t := range tables {
		text += fmt.Sprintf("\n## %s\n\n%s", t.name, t.markdown())
	}
	harness.Get(io.WriteString(w, text))
}

// add takes the metrics of a report on a set.
func (t *table) add(set string, r *eval.Report) {
	for _, result := range r.Results {
		if result.Policy != r.Results[0].Policy {
			continue
		}
		if !slices.Contains(t.linkers, result.Linker) {
			t.linkers = append(t.linkers, result.Linker)
		}
		for _, m := range result.Metrics {
			column := set + " " + m.Name
			if m.Denominator == 0 {
				continue
			}
			if !slices.Contains(t.columns, column) {
				t.columns = append(t.columns, column)
			}
			t.values[[2]string{result.Linker, column}] = append(t.values[[2]string{result.Linker, column}], m.Value)
		}
	}
}

func (t *table) markdown() string {
	var rows [][]string
	for _, linker := range t.linkers {
		row := []string{linker}
		for _, column := range t.columns {
			row = append(row, cell(t.values[[2]string{linker, column}]))
		}
		rows = append(rows, row)
	}
	return harness.Table(append([]string{"linker"}, t.columns...), 1, rows)
}

// cell formats the mean of a figure and, of several values that differ, each in brackets: ".812 (.810 .814)".
func cell(values []float64) string {
	var each []string
	for _, v := range values {
		each = append(each, eval.Decimals(v))
	}
	switch {
	case len(values) == 0:
		return "-"
	case slices.Min(values) < slices.Max(values):
		return eval.Decimals(stat.Mean(values, nil)) + " (" + strings.Join(each, " ") + ")"
	}
	return each[0]
}
