package main

import (
	"slices"
	"strconv"
	"strings"

	"ctxnorm/eval"
)

// partTable is the ablation: linkers of the first report that rank by parts.
func partTable(seeds []seed, sets []string) table {
	t := table{
		title:  "What each part is worth",
		note:   "Every row is a system of its own, its weights learnt for what it has. In turn Acc@1, and what it lacks to the whole. A part alone reads no abbreviations and takes no mention apart.",
		header: append([]string{"ranking"}, overSets(sets, "Acc@1", "lacks")...), words: 1,
	}
	for _, linker := range parts(seeds, sets) {
		row := []string{linker}
		for _, set := range sets {
			lacks := collect(seeds, func(s *seed) (float64, bool) {
				c := s.lead(set, linker, eval.AllMentions().Name)
				if c == nil {
					return 0, false
				}
				return c.Difference.Value, true
			})
			row = append(row, figures(seeds, "model", set, policy, linker, "Acc@1").String(), meanSigned(lacks))
		}
		t.add(row...)
	}
	return t
}

// parts lists the rankings of the reports, in their order.
func parts(seeds []seed, sets []string) []string {
	var found []string
	for report := range modelReports(seeds, sets) {
		for _, r := range report.Results {
			if isRanking := r.Linker == final || strings.HasPrefix(r.Linker, "ranked "); isRanking && !slices.Contains(found, r.Linker) {
				found = append(found, r.Linker)
			}
		}
	}
	return found
}

func meanSigned(v values) string {
	if len(v) == 0 {
		return "-"
	}
	return signed(v.mean())
}

// contextTable says where contexts help: the ranking with them and without, by slices.
func contextTable(seeds []seed, sets []string) table {
	t := table{
		title: "What contexts add, and where", note: "Acc@1 of `ranked` less that without contexts; mentions that only the one or only the other has right, of all seeds.",
		header: append([]string{"slice"}, overSets(sets, "", "only with", "only without")...), words: 1,
	}
	const without = "ranked without contexts"
	for _, slice := range comparedSlices(seeds, sets, without) {
		row := []string{slice}
		for _, set := range sets {
			with, alone := 0, 0
			differences := collect(seeds, func(s *seed) (float64, bool) {
				c := s.lead(set, without, slice)
				if c == nil || c.Difference.Denominator == 0 {
					return 0, false
				}
				with, alone = with+c.OnlyA, alone+c.OnlyB
				return c.Difference.Value, true
			})
			row = append(row, meanSigned(differences), strconv.Itoa(with), strconv.Itoa(alone))
		}
		t.add(row...)
	}
	return t
}

// comparedSlices lists the slices in which the final system is compared with another,
// in their order, those without a mention left out.
func comparedSlices(seeds []seed, sets []string, other string) []string {
	var found []string
	for report := range modelReports(seeds, sets) {
		for _, c := range report.Comparisons {
			if c.B == other && c.Policy == policy && c.Difference.Denominator > 0 && !slices.Contains(found, c.Slice) {
				found = append(found, c.Slice)
			}
		}
	}
	return found
}
