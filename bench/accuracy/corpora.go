package main

import (
	"cmp"
	"slices"
	"strconv"
)

// rankings are the final system and what it is without contexts, the words of the text,
// and both, as the reports on parts of the corpus call them.
var rankings = []string{final, "all-contexts", "all-text", "all-contexts-text"}

// ablated are the names of rankings in the report on all of the corpus, where the
// ablation has them already.
var ablated = map[string]string{"all-contexts": "ranked without contexts", "all-text": "ranked without text"}

// corpusTable says what contexts are worth by the size of the corpus that they come
// from.
func corpusTable(seeds []seed, sets []string) table {
	t := table{
		title: "By the size of the corpus",
		note: "Acc@1 of the contexts of a part of the text as the trained encoder sees them: counted, in `ranked`, and in turn " +
			"`ranked` without contexts, without the words of the text and without both.",
		header: append([]string{"records"}, overSets(sets, "`count`", "`ranked`", "no contexts", "no text", "neither")...),
	}
	for _, records := range corpora(seeds) {
		t.add(corpusRow(seeds, sets, strconv.Itoa(records), "records"+strconv.Itoa(records), nil)...)
	}
	if len(t.rows) > 0 {
		t.add(corpusRow(seeds, sets, "all", "model", ablated)...)
	}
	return t
}

func corpusRow(seeds []seed, sets []string, title, what string, called map[string]string) []string {
	row := []string{title}
	for _, set := range sets {
		for _, linker := range append([]string{"count"}, rankings...) {
			row = append(row, figures(seeds, what, set, policy, cmp.Or(called[linker], linker), "Acc@1").String())
		}
	}
	return row
}

// corpora are the sizes of parts of the text that were measured, in records, ascending.
func corpora(seeds []seed) []int {
	var sizes []int
	for records := range measured(seeds, "records") {
		if size, err := strconv.Atoi(records); err == nil {
			sizes = append(sizes, size)
		}
	}
	slices.Sort(sizes)
	return sizes
}
