package main

import (
	"maps"
	"slices"
	"strconv"

	"ctxnorm/eval"
)

const (
	policy = "paper"         // under which linkers are held beside each other
	final  = "model: ranked" // the whole of the program, as its report calls it
)

// systems are held beside each other: what they are called, and where they are found.
// Those joined by a plus are rankings by these parts alone.
var systems = []struct{ name, what, linker string }{
	{"equal names (`exact`)", "model", "exact"},
	{"TF-IDF, characters and pairs (`tfidf`)", "model", "tfidf"},
	{"strings alone, mentions as they stand", "model", "ranked by strings alone"},
	{"strings, abbreviations of the document", "model", "strings+abbreviations"},
	{"the same, abbreviations and names of the corpus", "model", "strings+abbreviations+table+mined"},
	{"strings, not weighed (`lexical`)", "model", "lexical"},
	{"contexts, counted (`count`), untrained", "untrained", "count"},
	{"contexts, counted (`count`): the paper's vote", "model", "count"},
	{"names, abbreviations of the document, untrained", "untrained", "names+abbreviations"},
	{"names, abbreviations of the document", "model", "names+abbreviations"},
	{"names and contexts (`weighted`), untrained", "untrained", "model: names and contexts, weighted vote"},
	{"names and contexts (`weighted`)", "model", "weighted"},
	{"names and strings, all ways to read a mention", "model", "names+strings+abbreviations+table+mined+composites"},
	{"`ranked` without tree", "model", "ranked without tree"},
	{"`ranked`", "model", final},
}

func systemTable(seeds []seed, sets []string) table {
	t := table{title: "Linkers", header: append([]string{"linker"}, overSets(sets, "Acc@1", "Acc@5")...), words: 1}
	for _, system := range systems {
		row := []string{system.name}
		for _, set := range sets {
			for _, name := range []string{"Acc@1", "Acc@5"} {
				row = append(row, figures(seeds, system.what, set, policy, system.linker, name).String())
			}
		}
		t.add(row...)
	}
	return t
}

// leadTable holds the final system against the lexical one, seed by seed.
func leadTable(seeds []seed, sets []string) table {
	t := table{
		title: "`ranked` against `lexical`", note: "Acc@1 with 95 % intervals over documents; paired tests.",
		header: []string{"set", "seed", "`ranked`", "interval", "mentions", "less `lexical`", "interval", "p bootstrap", "p McNemar"}, words: 1,
	}
	for _, set := range sets {
		for i := range seeds {
			s := &seeds[i]
			r, c := s.result("model", set, policy, final), s.lead(set, "lexical", eval.AllMentions().Name)
			if r == nil || c == nil {
				continue
			}
			acc := r.Figures[0]
			t.add(title(set), strconv.Itoa(s.number), eval.Decimals(acc.Value), acc.Interval(), acc.Fraction(),
				signed(c.Difference.Value), c.Difference.Interval(), probability(c.Bootstrap), probability(c.McNemar))
		}
	}
	return t
}

func fractionTable(seeds []seed, sets []string) table {
	t := table{
		title: "By the share of names", note: "`ranked`, and `lexical` after it, with a share of the names of the whole dictionary.",
		header: append([]string{"share"}, overSets(sets, "`ranked`", "`lexical`")...), words: 1,
	}
	for _, share := range slices.Sorted(maps.Keys(measured(seeds, "fraction"))) {
		row := []string{share}
		for _, set := range sets {
			for _, linker := range []string{final, "lexical"} {
				row = append(row, figures(seeds, "fraction"+share, set, policy, linker, "Acc@1").String())
			}
		}
		t.add(row...)
	}
	return t
}
