package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"ctxnorm/bench/measure"
)

// table is a table of GitHub Flavored Markdown whose first columns hold words.
type table struct {
	title, note string
	header      []string
	words       int
	rows        [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) write(w io.Writer) error {
	if len(t.rows) == 0 {
		return nil
	}
	text := fmt.Sprintf("\n## %s\n\n", t.title)
	if t.note != "" {
		text += t.note + "\n\n"
	}
	_, err := io.WriteString(w, text+measure.Table(t.header, t.words, t.rows))
	return err
}

// writeTables writes all that was measured.
func writeTables(w io.Writer, seeds []seed, sets []string) error {
	var numbers []string
	for i := range seeds {
		numbers = append(numbers, strconv.Itoa(seeds[i].number))
	}
	if _, err := fmt.Fprintf(w, "# Accuracy\n\nSeeds %s: the mean and, in brackets, each where they differ. What one seed alone has was not measured with the others.\n", strings.Join(numbers, ", ")); err != nil {
		return err
	}
	all := []table{
		systemTable(seeds, sets), leadTable(seeds, sets), partTable(seeds, sets), contextTable(seeds, sets),
		corpusTable(seeds, sets), fractionTable(seeds, sets), mistakeTable(seeds, sets), confidenceTable(seeds, sets),
	}
	for _, set := range sets {
		all = append(all, nilTable(seeds, set))
	}
	all = append(all, minuteTable(seeds), commandTable(seeds))
	for i := range all {
		if err := all[i].write(w); err != nil {
			return err
		}
	}
	return nil
}

// title of a set, whose name is that of a file.
func title(set string) string { return strings.ReplaceAll(set, "_", " ") }

// overSets heads columns with each set.
func overSets(sets []string, heads ...string) []string {
	var columns []string
	for _, set := range sets {
		for _, head := range heads {
			columns = append(columns, strings.TrimSpace(title(set)+" "+head))
		}
	}
	return columns
}
