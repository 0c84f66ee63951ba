package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/eval"
)

// markdown returns the tables of all reports.
func (m *measurements) markdown() string {
	var numbers []string
	var keys []key // of all seeds, in order
	for _, s := range m.seeds {
		numbers = append(numbers, strconv.Itoa(s.number))
		keys = append(keys, s.keys...)
	}
	text := fmt.Sprintf("# Accuracy\n\nSeeds %s: the mean and, in brackets, each seed if they differ. What one seed alone has was not measured with the others. "+
		"A report is called by what was measured: model is all of it, untrained has an encoder as it comes, nil lacks a tenth of the concepts, "+
		"records40 has that many records of the corpus, fraction.25 that share of the names.\n", strings.Join(numbers, ", "))
	type title struct{ report, table string }
	for _, t := range distinct(keys, func(k key) title { return title{k.report, k.table} }) {
		text += fmt.Sprintf("\n## %s: %s\n\n%s\n\n", t.report, t.table, notes[t.table])
		text += m.table(slices.DeleteFunc(slices.Clone(keys), func(k key) bool { return k.report != t.report || k.table != t.table }))
	}
	return text + m.stepTables()
}

// table returns the table of keys: a row for each of theirs, and for each set a column for each of theirs.
func (m *measurements) table(keys []key) string {
	type column struct{ set, name string }
	columns := distinct(keys, func(k key) column { return column{k.set, k.column} })
	slices.SortStableFunc(columns, func(a, b column) int { return slices.Index(m.sets, a.set) - slices.Index(m.sets, b.set) })
	header := []string{""}
	for _, c := range columns {
		header = append(header, strings.ReplaceAll(c.set, "_", " ")+" "+c.name)
	}
	var rows [][]string
	for _, row := range distinct(keys, func(k key) string { return k.row }) {
		cells := []string{row}
		for _, c := range columns {
			k := keys[0]
			k.row, k.set, k.column = row, c.set, c.name
			cells = append(cells, m.cell(k))
		}
		rows = append(rows, cells)
	}
	return harness.Table(header, 1, rows)
}

// distinct returns the value of each key, without repeats, in the order of the keys.
func distinct[T comparable](keys []key, of func(key) T) (all []T) {
	seen := map[T]bool{}
	for _, k := range keys {
		if v := of(k); !seen[v] {
			seen[v], all = true, append(all, v)
		}
	}
	return all
}

// cell formats the mean of a figure and, of several values that differ, each in brackets:
// ".812 (.810 .814)".
func (m *measurements) cell(k key) string {
	var values []float64
	var each []string
	for _, s := range m.seeds {
		if v, ok := s.figures[k]; ok {
			values, each = append(values, v), append(each, decimals(v))
		}
	}
	switch {
	case len(values) == 0:
		return "-"
	case slices.Min(values) < slices.Max(values):
		return decimals(stat.Mean(values, nil)) + " (" + strings.Join(each, " ") + ")"
	}
	return each[0]
}

// decimals formats a share or, of 2 and more, a count.
func decimals(v float64) string {
	if v >= 2 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return eval.Decimals(v)
}

// stepTables returns the minutes of the commands that were run, and the commands of the first
// seed that ran them.
func (m *measurements) stepTables() string {
	header := []string{"step"}
	var minutes, commands [][]string
	for i, s := range m.seeds {
		header = append(header, "seed "+strconv.Itoa(s.number), "version")
		for _, step := range s.steps {
			row := slices.IndexFunc(minutes, func(cells []string) bool { return cells[0] == step[0] })
			if row < 0 {
				row = len(minutes)
				minutes = append(minutes, append([]string{step[0]}, slices.Repeat([]string{"-"}, 2*len(m.seeds))...))
				commands = append(commands, []string{step[0], "`" + step[3] + "`"})
			}
			copy(minutes[row][1+2*i:], step[1:3])
		}
	}
	return "\n## Minutes\n\n" + harness.Table(header, 1, minutes) + "\n## Commands\n\n" + harness.Table([]string{"step", "command"}, 2, commands)
}
