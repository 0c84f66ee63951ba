package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"ctxnorm/bench/harness"
	"ctxnorm/eval"
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
	{"strings alone, mentions as they stand", "model", "ranked by strings alone"},
	{"strings, abbreviations of the document", "model", "strings+abbreviations"},
	{"the same, abbreviations and names of the corpus", "model", "strings+abbreviations+table+mined"},
	{"strings, unweighted (`lexical`)", "model", "lexical"},
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

// markdown returns all tables that have rows.
func (m *measurements) markdown() string {
	var numbers []string
	for i := range m.seeds {
		numbers = append(numbers, strconv.Itoa(m.seeds[i].number))
	}
	text := fmt.Sprintf("# Accuracy\n\nSeeds %s: the mean and, in brackets, each seed if they differ. What one seed alone has was not measured with the others.\n",
		strings.Join(numbers, ", "))
	all := []table{m.systems(), m.leads(), m.components(), m.contexts(), m.corpora(), m.fractions(), m.mistakes(), m.confidence()}
	for _, set := range m.sets {
		all = append(all, m.nils(set))
	}
	for _, t := range append(all, m.minutes(), m.commands()) {
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

// grid makes a table with columns for every set.
func (m *measurements) grid(title, note, head string, columns, rows []string, cells func(row, set string) []string) table {
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

func (m *measurements) systems() table {
	var names []string
	for _, system := range systems {
		names = append(names, system.name)
	}
	return m.grid("Linkers", "", "linker", []string{"Acc@1", "Acc@5"}, names, func(name, set string) []string {
		s := systems[slices.Index(names, name)]
		return []string{m.figure(s.report, set, s.linker, "Acc@1"), m.figure(s.report, set, s.linker, "Acc@5")}
	})
}

func (m *measurements) leads() table {
	t := table{title: "`ranked` against `lexical`", note: "Acc@1 with 95 % intervals over documents; paired tests.", words: 1,
		header: []string{"set", "seed", "`ranked`", "interval", "mentions", "less `lexical`", "interval", "p bootstrap", "p McNemar"}}
	for _, set := range m.sets {
		for i := range m.seeds {
			s := &m.seeds[i]
			r, c := s.result("model", set, policy, final), s.lead(set, "lexical", eval.AllMentions().Name)
			if r == nil || c == nil {
				continue
			}
			acc := r.Figures[0]
			t.rows = append(t.rows, []string{spaced(set), strconv.Itoa(s.number), eval.Decimals(acc.Value), acc.Interval(), acc.Fraction(),
				signed(c.Difference.Value), c.Difference.Interval(), probability(c.Bootstrap), probability(c.McNemar)})
		}
	}
	return t
}

// components compares rankings by components of the final system.
func (m *measurements) components() table {
	var rankings []string
	m.eachModelReport(func(r *eval.Report) {
		for _, r := range r.Results {
			if r.Linker == final || strings.HasPrefix(r.Linker, "ranked ") {
				rankings = appendNew(rankings, r.Linker)
			}
		}
	})
	return m.grid("What each component is worth", "Every row is a system of its own, with weights learned for what it has. The second figure is what it lacks to the whole. "+
		"A component alone reads no abbreviations and splits no composite mention.", "ranking", []string{"Acc@1", "lacks"}, rankings, func(linker, set string) []string {
		lacks := m.collect(func(s *seed) (float64, bool) {
			c := s.lead(set, linker, eval.AllMentions().Name)
			return difference(c), c != nil
		})
		return []string{m.figure("model", set, linker, "Acc@1"), lacks.signedMean()}
	})
}

// contexts compares the final system with the ranking without contexts, slice by slice.
func (m *measurements) contexts() table {
	const without = "ranked without contexts"
	var found []string
	m.eachModelReport(func(r *eval.Report) {
		for _, c := range r.Comparisons {
			if c.B == without && c.Policy == policy && c.Difference.Denominator > 0 {
				found = appendNew(found, c.Slice)
			}
		}
	})
	return m.grid("What contexts add, and where", "Acc@1 of `ranked` less that without contexts; mentions that only the one or only the other has right, of all seeds.",
		"slice", []string{"", "only with", "only without"}, found, func(slice, set string) []string {
			with, alone := 0, 0
			differences := m.collect(func(s *seed) (float64, bool) {
				c := s.lead(set, without, slice)
				if c == nil || c.Difference.Denominator == 0 {
					return 0, false
				}
				with, alone = with+c.OnlyA, alone+c.OnlyB
				return c.Difference.Value, true
			})
			return []string{differences.signedMean(), strconv.Itoa(with), strconv.Itoa(alone)}
		})
}

// corpora shows what contexts are worth by the number of records they come from.
func (m *measurements) corpora() table {
	sizes := m.reportsCalled("records")
	slices.SortFunc(sizes, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	if len(sizes) > 0 {
		sizes = append(sizes, "all")
	}
	// The report on the whole corpus calls two rankings by their names in the ablation.
	ablation := map[string]string{"all-contexts": "ranked without contexts", "all-text": "ranked without text"}
	t := m.grid("By the size of the corpus", "Acc@1 of the contexts of a part of the text as the trained encoder sees them: counted, in `ranked`, and then "+
		"`ranked` without contexts, without the words of the text and without both.",
		"records", []string{"`count`", "`ranked`", "no contexts", "no text", "neither"}, sizes, func(size, set string) (cells []string) {
			for _, linker := range []string{"count", final, "all-contexts", "all-text", "all-contexts-text"} {
				report := "records" + size
				if size == "all" {
					report, linker = "model", cmp.Or(ablation[linker], linker)
				}
				cells = append(cells, m.figure(report, set, linker, "Acc@1"))
			}
			return cells
		})
	t.words = 0
	return t
}

func (m *measurements) fractions() table {
	fractions := m.reportsCalled("fraction")
	slices.Sort(fractions)
	return m.grid("By the share of names", "`ranked`, and `lexical` after it, with a share of the names of the whole dictionary.",
		"share", []string{"`ranked`", "`lexical`"}, fractions, func(share, set string) []string {
			return []string{m.figure("fraction"+share, set, final, "Acc@1"), m.figure("fraction"+share, set, "lexical", "Acc@1")}
		})
}

// mistakes splits the mistakes of the final system: whether the right concept is among
// the candidates, and how the first candidate relates to it in the tree.
func (m *measurements) mistakes() table {
	type share struct {
		kind string
		of   float64
	}
	shares := func(r *eval.Result) (all []share) {
		for _, f := range r.Failures {
			all = append(all, share{string(f.Kind), float64(f.Mentions) / float64(max(1, f.Of))})
		}
		for _, f := range r.Relations {
			all = append(all, share{string(f.Relation), float64(f.Mentions) / float64(max(1, f.Of))})
		}
		return all
	}
	var kinds []string
	for i := range m.seeds {
		for _, set := range m.sets {
			if r := m.seeds[i].result("model", set, policy, final); r != nil {
				for _, s := range shares(r) {
					if s.of > 0 {
						kinds = appendNew(kinds, s.kind)
					}
				}
			}
		}
	}
	return m.grid("Mistakes of `ranked`", "Shares of all mentions: how it fails and, if there is a candidate, how the first one relates to the gold.",
		"mistake", []string{""}, kinds, func(kind, set string) []string {
			return []string{m.collect(func(s *seed) (float64, bool) {
				r := s.result("model", set, policy, final)
				if r == nil {
					return 0, false
				}
				for _, s := range shares(r) {
					if s.kind == kind {
						return s.of, true
					}
				}
				return 0, true
			}).String()}
		})
}

// confidence shows what the probabilities of the final system are worth.
func (m *measurements) confidence() table {
	names := []string{"ECE", "overconfidence", "AURC", "AUROC", "Acc@1 at coverage .8"}
	return m.grid("Probabilities of `ranked`", "Expected calibration error (15 bins); eval --help explains the others.",
		"figure", []string{""}, names, func(name, set string) []string {
			return []string{m.collect(func(s *seed) (float64, bool) {
				r := s.result("model", set, policy, final)
				switch {
				case r == nil || r.Confidence == nil:
					return 0, false
				case name == "ECE":
					return r.Confidence.ECE.Value, true
				}
				return figureOf(r.Confidence.Figures, name)
			}).String()}
		})
}

// nils shows the effect of a minimal probability on a set when a tenth of the concepts
// is held out of the model.
func (m *measurements) nils(set string) table {
	t := table{title: "NIL: " + spaced(set) + ", a tenth of the concepts held out", words: 1,
		header: []string{"minimal probability", "coverage", "risk", "Acc@1", "NIL precision", "NIL recall", "NIL F1"}}
	var results []*eval.Confidence
	held, outside, mentions := 0, 0, 0
	for i := range m.seeds {
		if r := m.seeds[i].result("nil", set, nilPolicy, final); r != nil && r.Confidence != nil {
			report := m.seeds[i].reports["nil."+set]
			held, outside, mentions = held+report.HeldOut, outside+report.Outside, mentions+report.Mentions
			results = append(results, r.Confidence)
		}
	}
	n := len(results)
	if n == 0 {
		return t
	}
	t.note = fmt.Sprintf("All mentions, with all sub-mentions of composite ones. On average over %d seeds %d concepts are held out, so that %d of %d mentions have none.",
		n, held/n, outside/n, mentions/n)
	for i, row := range results[0].Thresholds {
		cells := []string{strconv.FormatFloat(row.MinProbability, 'g', -1, 64)}
		for _, of := range []func(*eval.ThresholdRow) eval.Ratio{
			func(r *eval.ThresholdRow) eval.Ratio { return r.Coverage },
			func(r *eval.ThresholdRow) eval.Ratio { return r.Risk },
			func(r *eval.ThresholdRow) eval.Ratio { return r.Acc1 },
			func(r *eval.ThresholdRow) eval.Ratio { return r.NIL.Precision },
			func(r *eval.ThresholdRow) eval.Ratio { return r.NIL.Recall },
			func(r *eval.ThresholdRow) eval.Ratio { return r.NIL.F1 },
		} {
			var all values
			for _, r := range results {
				if ratio := of(&r.Thresholds[i]); ratio.Denominator > 0 {
					all = append(all, ratio.Value)
				}
			}
			cells = append(cells, all.mean())
		}
		t.rows = append(t.rows, cells)
	}
	return t
}

func (m *measurements) minutes() table {
	t := table{title: "Minutes", header: []string{"step"}, words: 1}
	for i := range m.seeds {
		t.header = append(t.header, "seed "+strconv.Itoa(m.seeds[i].number), "version")
	}
	for _, name := range m.steps() {
		row := []string{name}
		for i := range m.seeds {
			if s := m.seeds[i].step(name); s != nil {
				row = append(row, s.minutes, s.version)
			} else {
				row = append(row, "-", "-")
			}
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// commands lists the commands of the first seed that ran a step.
func (m *measurements) commands() table {
	t := table{title: "Commands", header: []string{"step", "command"}, words: 2}
	for _, name := range m.steps() {
		for i := range m.seeds {
			if s := m.seeds[i].step(name); s != nil {
				t.rows = append(t.rows, []string{name, "`" + s.command + "`"})
				break
			}
		}
	}
	return t
}

// steps lists the steps of all seeds in order.
func (m *measurements) steps() (names []string) {
	for i := range m.seeds {
		for _, s := range m.seeds[i].steps {
			names = appendNew(names, s.name)
		}
	}
	return names
}

// reportsCalled lists what follows a prefix in the names of reports: ".25" of
// "fraction.25.MedMentions".
func (m *measurements) reportsCalled(prefix string) (found []string) {
	for i := range m.seeds {
		for key := range m.seeds[i].reports {
			if rest, ok := strings.CutPrefix(key[:strings.LastIndex(key, ".")], prefix); ok {
				found = appendNew(found, rest)
			}
		}
	}
	return found
}

// eachModelReport visits the reports of the trained model.
func (m *measurements) eachModelReport(visit func(*eval.Report)) {
	for i := range m.seeds {
		for _, set := range m.sets {
			if r := m.seeds[i].reports["model."+set]; r != nil {
				visit(r)
			}
		}
	}
}

// values are one figure of each seed that has it.
type values []float64

func (m *measurements) collect(value func(*seed) (float64, bool)) (all values) {
	for i := range m.seeds {
		if v, ok := value(&m.seeds[i]); ok {
			all = append(all, v)
		}
	}
	return all
}

// figure formats a figure of a linker.
func (m *measurements) figure(report, set, linker, name string) string {
	return m.collect(func(s *seed) (float64, bool) {
		if r := s.result(report, set, policy, linker); r != nil {
			return figureOf(r.Figures, name)
		}
		return 0, false
	}).String()
}

// figureOf returns the figure of that name if it is over any mention.
func figureOf(all []eval.Figure, name string) (float64, bool) {
	for _, f := range all {
		if f.Name == name && f.Denominator > 0 {
			return f.Value, true
		}
	}
	return 0, false
}

// mean formats the mean.
func (v values) mean() string {
	if len(v) == 0 {
		return "-"
	}
	return eval.Decimals(stat.Mean(v, nil))
}

// signedMean formats the mean with its sign.
func (v values) signedMean() string {
	if len(v) == 0 {
		return "-"
	}
	return signed(stat.Mean(v, nil))
}

// String formats the mean and, of several values that differ, each in brackets:
// ".812 (.810 .814)".
func (v values) String() string {
	text := v.mean()
	if len(v) > 0 && slices.Min(v) < slices.Max(v) {
		each := make([]string, len(v))
		for i, x := range v {
			each[i] = eval.Decimals(x)
		}
		text += " (" + strings.Join(each, " ") + ")"
	}
	return text
}

func difference(c *eval.Comparison) float64 {
	if c == nil {
		return 0
	}
	return c.Difference.Value
}

// signed formats a difference with its sign.
func signed(x float64) string {
	if x > 0 {
		return "+" + eval.Decimals(x)
	}
	return eval.Decimals(x)
}

// probability formats a p value.
func probability(p float64) string {
	if p < .001 {
		return "<.001"
	}
	return eval.Decimals(p)
}

// spaced returns the name of a set, which is that of a file, with spaces.
func spaced(set string) string { return strings.ReplaceAll(set, "_", " ") }

// appendNew appends a name unless the list has it.
func appendNew(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}
