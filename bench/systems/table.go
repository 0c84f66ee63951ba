package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// writeTable writes the table of the finished rows to README.md in the output folder.
func (s *settings) writeTable(ctx context.Context) {
	text := "# Systems of the papers\n\n" +
		"Written by `make results`. Trained on train, where a system takes labels, and measured on dev. Acc@1 has a 95 % interval, by bootstrap over documents. " +
		"The lead of ctxnorm over a system has its interval and the p values of the paired bootstrap and of McNemar's exact test. The figures of the papers are on " +
		"the test sets unless they say dev. Their encoders are larger, and BioSyn and DILBERT were trained on the labels of dev, too. Seed " +
		strconv.Itoa(s.Seed) + "; " + harness.Machine() + ".\n"
	for _, e := range s.all {
		harness.Explain(func() { text += s.section(ctx, e) }, "%s", e.Name)
	}
	harness.Check(artifact.WriteFile(filepath.Join(s.Out, "README.md"), []byte(text)))
}

// measured holds the systems of an experiment that ran, and the reports of eval on their answers.
type measured struct {
	systems   []*system
	rows      []row
	reference int // the one that the others are compared with: the last one of ctxnorm's, or the last one
	all       *eval.Report
	refined   *eval.Report // nil without a training set
}

// measured measures the answers of the systems that were run by one eval of the reference, which compares it with the
// others.
func (s *settings) measured(ctx context.Context, e *experiment) *measured {
	m := &measured{reference: -1}
	for _, y := range e.systems {
		r := s.readRow(e, y)
		if r.Eval == nil {
			continue
		}
		m.systems, m.rows = append(m.systems, y), append(m.rows, r)
		lacks := harness.Try(func() { s.evalArgs(e, y) })
		if lacks == nil && (y.Own || m.reference < 0 || !m.systems[m.reference].Own) {
			m.reference = len(m.systems) - 1
		}
	}
	if m.reference < 0 {
		return m
	}
	m.all = s.compare(ctx, e, m, false)
	if e.Train != "" {
		m.refined = s.compare(ctx, e, m, true)
	}
	return m
}

// compare runs the eval of the reference.
func (s *settings) compare(ctx context.Context, e *experiment, m *measured, refined bool) (report *eval.Report) {
	var others []string
	for i, y := range m.systems {
		if i != m.reference {
			others = append(others, s.answers(e, y, refined))
		}
	}
	flags := []string{"--json", "--seed", strconv.Itoa(s.Seed), "--policy", strings.TrimSuffix(e.Policy+","+e.PaperPolicy, ",")}
	if len(others) > 0 {
		flags = append(flags, "--compare", strings.Join(others, ","))
	}
	if refined {
		flags = append(flags, s.refinedFlags(e)...)
	}
	p := harness.Process{Args: append([]string{s.Program}, s.evalArgs(e, m.systems[m.reference], flags...)...)}
	printed, _ := p.Run(ctx)
	harness.Check(json.Unmarshal(printed, &report))
	return report
}

// section returns the tables of an experiment.
func (s *settings) section(ctx context.Context, e *experiment) string {
	text := "\n## " + e.Title + "\n\n"
	if e.Note != "" {
		text += e.Note + " "
	}
	text += "Policy `" + e.Policy + "`"
	if e.PaperPolicy != "" {
		text += ", and beside it `" + e.PaperPolicy + "`, by which the papers count"
	}
	m := s.measured(ctx, e)
	if m.all == nil { // nothing was run
		return text + ".\n\n" + s.results(e, m, nil, false)
	}
	policy := harness.Get(eval.PolicyByName(e.Policy))
	text += ". The lead is that of *" + m.systems[m.reference].Title + "*.\n\n"
	if m.all.Outside > 0 {
		does := map[bool]string{false: "do not count", true: "are right if the answer is NIL"}[policy.ScoresNIL]
		text += fmt.Sprintf("%d of %d mentions are outside the dictionary, and %s.\n\n", m.all.Outside, m.all.Mentions, does)
	}
	text += s.results(e, m, m.all, false)
	if m.refined != nil {
		text += fmt.Sprintf("\nRefined dev set: %d mentions, without those that also stand in train, and without duplicates.\n\n", m.refined.Mentions) +
			s.results(e, m, m.refined, true)
	}
	var costs [][]string
	commands := ""
	for i, y := range m.systems {
		costs = append(costs, s.cost(e, y, m.rows[i]))
		for _, step := range []*step{m.rows[i].Train, m.rows[i].Eval} {
			if step != nil {
				commands += "    " + step.Shown + "\n"
			}
		}
	}
	header := []string{"system", "training, min", "CPU, min", "peak, MB", "eval, min", "commit"}
	return text + "\n" + harness.Table(header, 1, costs) + "\n" + commands
}

// results returns the table of a report: a row for each system that was run, and on all gold for those that were not.
func (s *settings) results(e *experiment, m *measured, report *eval.Report, refined bool) string {
	header := []string{"system", "Acc@1", "right", "95 %", "lead over it", "p: bootstrap, McNemar", "as the papers count", "paper", "differs from the paper"}
	var rows [][]string
	for _, y := range e.systems {
		paper := y.Paper[e.Column]
		if refined {
			paper = y.Refined[e.Column]
		}
		i := slices.Index(m.systems, y)
		if i < 0 {
			if !refined {
				rows = append(rows, []string{y.Title, "not run", "", "", "", "", "", paper, y.Differs})
			}
			continue
		}
		linker := report.Results[0].Linker // the reference comes first
		if i != m.reference {
			linker = filepath.Base(s.answers(e, y, refined))
		}
		rows = append(rows, append(append([]string{y.Title}, cells(report, e, linker)...), paper, y.Differs))
	}
	return harness.Table(header, len(header), rows)
}

// cells returns the figures of a linker in a report: six of them.
func cells(report *eval.Report, e *experiment, linker string) []string {
	cells := make([]string, 6)
	for i := range report.Results {
		if r := &report.Results[i]; r.Linker == linker {
			switch acc := r.Metrics[0]; r.Policy {
			case e.Policy:
				cells[0], cells[1], cells[2] = eval.Decimals(acc.Value), acc.Fraction(), acc.Interval()
			case e.PaperPolicy:
				cells[5] = eval.Decimals(acc.Value) + ", " + acc.Fraction()
			}
		}
	}
	for _, c := range report.Comparisons {
		if c.B == linker && c.Policy == e.Policy && c.Slice == eval.AllMentions().Name {
			cells[3] = fmt.Sprintf("%s (%s)", eval.Decimals(c.Difference.Value), c.Difference.Interval())
			cells[4] = eval.PValue(c.Bootstrap) + ", " + eval.PValue(c.McNemar)
		}
	}
	return cells
}

// cost returns the time that a system took. A model that is used twice is counted once.
func (s *settings) cost(e *experiment, y *system, r row) []string {
	of, trained := s.owner(e, y)
	training := []string{"as " + trained.Name, "", ""}
	switch {
	case r.Train != nil:
		training = []string{harness.Format(r.Train.Minutes, ""), harness.Format(r.Train.CPU, ""), harness.Format(r.Train.PeakMB, "")}
	case trained.Model == given:
		training[0] = "that of $MODEL"
	case of != e:
		training[0] = "as " + of.Name + "/" + trained.Name
	}
	return slices.Concat([]string{y.Title}, training, []string{harness.Format(r.Eval.Minutes, ""), r.Eval.Version})
}
