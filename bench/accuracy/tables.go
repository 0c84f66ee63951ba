package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/eval"
)

const (
	policy    = "paper"         // under which linkers are compared
	nilPolicy = "strict"        // counts mentions of held-out concepts, for which NIL is right
	final     = "model: ranked" // the whole program, as its report calls it
)

// systems are the compared linkers: their names here, the report and the name there.
// Names joined by a plus are rankings by these components alone.
var systems = []struct{ name, report, linker string }{
	{"equal names (`exact`)", "model", "exact"},
	{"TF-IDF, characters and pairs (`tfidf`)", "model", "tfidf"},
	{"strings alone, mentions unresolved", "model", "ranked by strings alone"},
	{"strings, abbreviations of the document", "model", "strings+document_abbreviations"},
	{"the same, abbreviations and names of the corpus", "model", "strings+document_abbreviations+corpus_abbreviations+corpus_synonyms"},
	{"strings, unweighted (`lexical`)", "model", "lexical"},
	{"contexts, counted (`count`), untrained", "untrained", "count"},
	{"contexts, counted (`count`): the paper's vote", "model", "count"},
	{"names, abbreviations of the document, untrained", "untrained", "names+document_abbreviations"},
	{"names, abbreviations of the document", "model", "names+document_abbreviations"},
	{"names and contexts (`weighted`), untrained", "untrained", "model: names and contexts, weighted vote"},
	{"names and contexts (`weighted`)", "model", "weighted"},
	{"names and strings, mentions fully resolved", "model", "names+strings+document_abbreviations+corpus_abbreviations+corpus_synonyms+composites"},
	{"`ranked` without hierarchy", "model", "ranked without hierarchy"},
	{"`ranked`", "model", final},
}

// markdown returns all tables that have rows.
func (m *measurements) markdown() string {
	var numbers []string
	for _, s := range m.seeds {
		numbers = append(numbers, strconv.Itoa(s.number))
	}
	text := fmt.Sprintf("# Accuracy\n\nSeeds %s: the mean and, in brackets, each seed if they differ. What one seed alone has was not measured with the others.\n",
		strings.Join(numbers, ", "))
	all := m.grids()
	all = slices.Insert(all, 1, m.leads())
	for _, set := range m.sets {
		all = append(all, m.nils(set))
	}
	all = append(all, m.context()...)
	for _, t := range append(all, m.steps()...) {
		if len(t.rows) == 0 {
			continue
		}
		text += "\n## " + t.title + "\n\n"
		if t.note != "" {
			text += t.note + "\n\n"
		}
		text += harness.Table(t.header, t.words, t.rows)
	}
	return text
}

// table is a table of Markdown. Its first columns hold words.
type table struct {
	title, note string
	header      []string
	words       int
	rows        [][]string
}

// grids returns the tables that have columns for every set.
func (m *measurements) grids() []table {
	grid := func(title, note, head string, columns, rows []string, cells func(row, set string) []string) table {
		t := table{title: title, note: note, header: []string{head}, words: 1}
		for _, set := range m.sets {
			for _, column := range columns {
				t.header = append(t.header, strings.TrimSpace(spaced(set)+" "+column))
			}
		}
		for _, row := range rows {
			line := []string{row}
			for _, set := range m.sets {
				line = append(line, cells(row, set)...)
			}
			t.rows = append(t.rows, line)
		}
		return t
	}
	figure := func(report, set, linker, name string) string {
		return m.values(key{report, set, linker, name}).String()
	}

	names := make([]string, len(systems))
	for i := range systems {
		names[i] = systems[i].name
	}
	linkers := grid("Linkers", "", "linker", []string{"Acc@1", "Acc@5"}, names, func(name, set string) []string {
		s := systems[slices.Index(names, name)]
		return []string{figure(s.report, set, s.linker, "Acc@1"), figure(s.report, set, s.linker, "Acc@5")}
	})

	rankings := m.list(func(k key) (string, bool) {
		return k.linker, k.report == "model" && k.figure == "Acc@1" && (k.linker == final || strings.HasPrefix(k.linker, "ranked "))
	})
	components := grid("What each component is worth", "Every row is a system of its own, with weights learned for what it has. The second figure is what it lacks to the whole. "+
		"A component alone expands no abbreviations and splits no composite mentions.", "ranking", []string{"Acc@1", "lacks"}, rankings, func(linker, set string) []string {
		return []string{figure("model", set, linker, "Acc@1"), m.values(key{"model", set, linker, leadIn + eval.AllMentions().Name}).mean(signed)}
	})

	const without = "ranked without contexts"
	slicesFound := m.list(func(k key) (string, bool) {
		slice, ok := strings.CutPrefix(k.figure, leadIn)
		return slice, ok && k.report == "model" && k.linker == without
	})
	contexts := grid("What contexts add, and where", "Acc@1 of `ranked` less that without contexts; mentions that only the one or only the other has right, of all seeds.",
		"slice", []string{"", "only with", "only without"}, slicesFound, func(slice, set string) []string {
			return []string{m.values(key{"model", set, without, leadIn + slice}).mean(signed),
				m.values(key{"model", set, without, onlyWith + slice}).sum(), m.values(key{"model", set, without, onlyWithout + slice}).sum()}
		})

	reports := func(prefix string) []string {
		return m.list(func(k key) (string, bool) { return strings.CutPrefix(k.report, prefix) })
	}
	sizes := reports("records")
	slices.SortFunc(sizes, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	if len(sizes) > 0 {
		sizes = append(sizes, "all")
	}
	// The report on the whole corpus calls two rankings by their names in the ablation.
	ablation := map[string]string{"all-contexts": without, "all-document_context": "ranked without document_context"}
	corpora := grid("By the size of the corpus", "Acc@1 of the contexts of a part of the corpus as the trained encoder sees them: counted, in `ranked`, and then "+
		"`ranked` without contexts, without the words of the document and without both.",
		"records", []string{"`count`", "`ranked`", "no contexts", "no document context", "neither"}, sizes, func(size, set string) (cells []string) {
			for _, linker := range []string{"count", final, "all-contexts", "all-document_context", "all-contexts-document_context"} {
				report := "records" + size
				if size == "all" {
					report, linker = "model", cmp.Or(ablation[linker], linker)
				}
				cells = append(cells, figure(report, set, linker, "Acc@1"))
			}
			return cells
		})
	corpora.words = 0

	shares := slices.Sorted(slices.Values(reports("fraction")))
	fractions := grid("By the share of names", "`ranked`, and `lexical` after it, with a share of the names of the whole dictionary.",
		"share", []string{"`ranked`", "`lexical`"}, shares, func(share, set string) []string {
			return []string{figure("fraction"+share, set, final, "Acc@1"), figure("fraction"+share, set, "lexical", "Acc@1")}
		})

	kinds := m.list(func(k key) (string, bool) {
		kind, ok := strings.CutPrefix(k.figure, mistake)
		return kind, ok && k.report == "model" && k.linker == final && slices.ContainsFunc(m.seeds, func(s *seed) bool { return s.figures[k] > 0 })
	})
	// Whether the right concept is among the candidates, and how the first candidate
	// relates to it in the hierarchy.
	mistakes := grid("Mistakes of `ranked`", "Shares of all mentions: how it fails and, if there is a candidate, how the first one relates to the gold.",
		"mistake", []string{""}, kinds, func(kind, set string) []string { return []string{figure("model", set, final, mistake+kind)} })

	confidence := grid("Probabilities of `ranked`", "Expected calibration error (15 bins); eval --help explains the others.",
		"figure", []string{""}, []string{"ECE", "overconfidence", "AURC", "AUROC", "Acc@1 at coverage .8"},
		func(name, set string) []string { return []string{figure("model", set, final, name)} })
	return []table{linkers, components, contexts, corpora, fractions, mistakes, confidence}
}

// list returns the distinct names that pick finds in the keys, in order.
func (m *measurements) list(pick func(key) (string, bool)) (names []string) {
	for _, s := range m.seeds {
		for _, k := range s.keys {
			if name, ok := pick(k); ok && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// result returns what the final system reached on a set, and nil if it was not measured.
func (s *seed) result(report, set, policy string) (*eval.Report, *eval.Result) {
	if r := s.reports[report+"."+set]; r != nil {
		for i := range r.Results {
			if found := &r.Results[i]; found.Policy == policy && found.Linker == final {
				return r, found
			}
		}
	}
	return nil, nil
}

// leads compares the final system with the lexical one, seed by seed.
func (m *measurements) leads() table {
	t := table{title: "`ranked` against `lexical`", note: "Acc@1 with 95 % intervals over documents; paired tests.", words: 1,
		header: []string{"set", "seed", "`ranked`", "interval", "mentions", "less `lexical`", "interval", "p bootstrap", "p McNemar"}}
	for _, set := range m.sets {
		for _, s := range m.seeds {
			report, r := s.result("model", set, policy)
			if r == nil {
				continue
			}
			for _, c := range report.Comparisons {
				if c.Policy == policy && c.A == final && c.B == "lexical" && c.Slice == eval.AllMentions().Name {
					acc := r.Metrics[0]
					t.rows = append(t.rows, []string{spaced(set), strconv.Itoa(s.number), eval.Decimals(acc.Value), acc.Interval(), acc.Fraction(),
						signed(c.Difference.Value), c.Difference.Interval(), harness.Probability(c.Bootstrap), harness.Probability(c.McNemar)})
				}
			}
		}
	}
	return t
}

// context returns the tables on whether the context decides: all linkers on all sets, the
// slices of the short forms, and coverage and risk of the final system on them.
func (m *measurements) context() []table {
	linkers := table{title: "Context", words: 2, header: []string{"set", "linker", "seed", "Acc@1", "interval", "mentions", "groups right", "groups"},
		note: "Policy strict: NIL is right for a sense outside the dictionary. Intervals of 95 % over documents. " +
			"Short forms: at most as many mentions of each sense as the gold has, and as frequent as they are. A sentence pair is a group."}
	for _, set := range contextSets {
		for _, s := range m.seeds {
			report := s.reports[contextReport+"."+set]
			if report == nil {
				continue
			}
			for i := range report.Results {
				r := &report.Results[i]
				if r.Policy != nilPolicy {
					continue
				}
				acc, groups := eval.MetricNamed(r.Metrics, "Acc@1"), []string{"-", "-"}
				if g := eval.MetricNamed(r.Metrics, "groups right"); g.Denominator > 0 {
					groups = []string{eval.Decimals(g.Value), g.Fraction()}
				}
				linkers.rows = append(linkers.rows, append([]string{spaced(set), r.Linker, strconv.Itoa(s.number), eval.Decimals(acc.Value), acc.Interval(), acc.Fraction()}, groups...))
			}
		}
	}
	set := contextSets[0]
	names := m.list(func(k key) (string, bool) {
		return k.linker, k.report == contextReport && k.set == set && k.figure == "Acc@1"
	})
	slicesOf := table{title: "Context, by slice", note: "Acc@1 of the short forms.", words: 1, header: append([]string{"slice"}, names...)}
	for _, slice := range m.list(func(k key) (string, bool) {
		slice, ok := strings.CutPrefix(k.figure, inSlice)
		return slice, ok && k.report == contextReport && k.set == set
	}) {
		row := []string{slice}
		for _, linker := range names {
			row = append(row, m.values(key{contextReport, set, linker, inSlice + slice}).String())
		}
		slicesOf.rows = append(slicesOf.rows, row)
	}
	thresholds := table{title: "Context, by minimal probability", note: "`ranked` on the short forms. Thresholds below the one in use change nothing.", words: 1,
		header: append([]string{"minimal probability"}, thresholdColumns...), rows: m.thresholds(contextReport, set)}
	return []table{linkers, slicesOf, thresholds}
}

// thresholds returns a row for each minimal probability of the final system on a set.
func (m *measurements) thresholds(report, set string) (rows [][]string) {
	for _, p := range m.list(func(k key) (string, bool) {
		p, ok := strings.CutPrefix(k.figure, thresholdColumns[0]+" at ")
		return p, ok && k.report == report && k.set == set
	}) {
		row := []string{p}
		for _, column := range thresholdColumns {
			row = append(row, m.values(key{report, set, final, column + " at " + p}).mean(eval.Decimals))
		}
		rows = append(rows, row)
	}
	return rows
}

// nils shows the effect of a minimal probability on a set when a tenth of the concepts
// is held out of the model.
func (m *measurements) nils(set string) table {
	t := table{title: "NIL: " + spaced(set) + ", a tenth of the concepts held out", words: 1,
		header: append([]string{"minimal probability"}, thresholdColumns...)}
	held, outside, mentions, n := 0, 0, 0, 0
	for _, s := range m.seeds {
		if report, r := s.result("nil", set, nilPolicy); r != nil {
			held, outside, mentions, n = held+report.HeldOut, outside+report.Outside, mentions+report.Mentions, n+1
		}
	}
	t.rows = m.thresholds("nil", set)
	t.note = fmt.Sprintf("All mentions, with all sub-mentions of composite ones. On average over %d seeds %d concepts are held out, so that %d of %d mentions have none.",
		n, held/max(1, n), outside/max(1, n), mentions/max(1, n))
	return t
}

// steps returns the minutes of the commands that were run, and the commands of the first
// seed that ran them.
func (m *measurements) steps() []table {
	minutes := table{title: "Minutes", header: []string{"step"}, words: 1}
	commands := table{title: "Commands", header: []string{"step", "command"}, words: 2}
	rows := map[string]int{}
	for i, s := range m.seeds {
		minutes.header = append(minutes.header, "seed "+strconv.Itoa(s.number), "version")
		for _, step := range s.steps {
			row, ok := rows[step[0]]
			if !ok {
				row, rows[step[0]] = len(rows), len(rows)
				minutes.rows = append(minutes.rows, append([]string{step[0]}, slices.Repeat([]string{"-"}, 2*len(m.seeds))...))
				commands.rows = append(commands.rows, []string{step[0], "`" + step[3] + "`"})
			}
			minutes.rows[row][1+2*i], minutes.rows[row][2+2*i] = step[1], step[2]
		}
	}
	return []table{minutes, commands}
}

// values are one figure of each seed that has it.
type values []float64

func (m *measurements) values(k key) (all values) {
	for _, s := range m.seeds {
		if v, ok := s.figures[k]; ok {
			all = append(all, v)
		}
	}
	return all
}

// mean formats the mean.
func (v values) mean(format func(float64) string) string {
	if len(v) == 0 {
		return "-"
	}
	return format(stat.Mean(v, nil))
}

// sum formats a sum of counts.
func (v values) sum() string { return strconv.FormatFloat(floats.Sum(v), 'f', 0, 64) }

// String formats the mean and, of several values that differ, each in brackets:
// ".812 (.810 .814)".
func (v values) String() string {
	text := v.mean(eval.Decimals)
	if len(v) > 0 && slices.Min(v) < slices.Max(v) {
		each := make([]string, len(v))
		for i, x := range v {
			each[i] = eval.Decimals(x)
		}
		text += " (" + strings.Join(each, " ") + ")"
	}
	return text
}

// signed formats a difference with its sign.
func signed(x float64) string {
	if x > 0 {
		return "+" + eval.Decimals(x)
	}
	return eval.Decimals(x)
}

// spaced returns the name of a set with spaces. In file names it has underscores.
func spaced(set string) string { return strings.ReplaceAll(set, "_", " ") }
