package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

// comparison is one job that both sides do, and its rows of the table.
type comparison struct {
	name          string
	subject, peer side
	inputs        []*harness.Input
	needs         []string // Python modules of the peer
	needsModel    bool
	cores         int // that the machine must have; 0 is 1
	maxRounds     int // 0 for no limit
	counts        []count
	rows          []row
}

// side is one of the two programs that are compared.
type side struct {
	name string
	harness.Process
}

// count is an amount of work that must agree on both sides.
type count struct {
	field     string
	tolerance float64 // share of the peer's count; 0 demands equality
	why       string  // reason for a tolerance
}

// exactly returns counts that must be equal.
func exactly(fields ...string) []count {
	counts := make([]count, len(fields))
	for i, field := range fields {
		counts[i].field = field
	}
	return counts
}

// row is one figure of both sides.
type row struct {
	name          string
	field         string
	cpu           string // field of the processor time of the same work, in seconds; "" if it is not measured
	unit          string
	lowerIsBetter bool
	target        target
}

// target is a bound that the subject has to meet. The zero target is always met.
type target struct {
	kind  string // times, atLeast or atMost, which format it
	bound float64
}

const (
	times   = "%g times"    // the ratio of subject and peer
	atLeast = "at least %g" // the subject's own figure
	atMost  = "at most %.4g"
)

func (t target) String() string {
	if t.kind == "" {
		return ""
	}
	return fmt.Sprintf(t.kind, t.bound)
}

// isMet reports whether the medians meet the target.
func (t target) isMet(subject harness.Spread, ratio *harness.Spread) bool {
	switch t.kind {
	case times:
		return ratio.Median >= t.bound
	case atLeast:
		return subject.Median >= t.bound
	case atMost:
		return subject.Median <= t.bound
	}
	return true
}

// missing returns what the comparison needs and does not find, and "" if it can run.
func (c *comparison) missing(s *settings, installed map[string]bool) string {
	for _, module := range c.needs {
		if !installed[module] {
			return fmt.Sprintf("%s has no %s: bench/peers/README.md says how to install it", s.Python, module)
		}
	}
	if c.needsModel && s.Model == "" {
		return "there is no base model: -model, or CTXNORM_MINILM, names its folder"
	}
	if c.cores > runtime.NumCPU() {
		return fmt.Sprintf("it needs %d cores", c.cores)
	}
	for _, in := range c.inputs {
		if missing := in.Missing(); missing != "" {
			return missing
		}
	}
	return ""
}

// run makes the inputs and lets both sides do the job in turns. Redact replaces folders
// of this machine in the commands.
func (c *comparison) run(ctx context.Context, rounds int, redact *strings.Replacer) *result {
	r := &result{Name: c.name, Subject: c.subject.describe(redact), Peer: c.peer.describe(redact)}
	fail := func(what string, err error) *result {
		r.Failed = fmt.Sprintf("%s: %v", what, err)
		return r
	}
	for _, in := range c.inputs {
		if err := in.Ensure(ctx, logf); err != nil {
			return fail("input", err)
		}
	}
	if c.maxRounds > 0 {
		rounds = min(rounds, c.maxRounds)
	}
	for round := range rounds {
		logf("%s: round %d of %d", c.name, round+1, rounds)
		subject, err := c.subject.Run(ctx)
		if err != nil {
			return fail(c.subject.name, err)
		}
		peer, err := c.peer.Run(ctx)
		if err != nil {
			return fail(c.peer.name, err)
		}
		r.Subject.Lines, r.Peer.Lines = append(r.Subject.Lines, subject), append(r.Peer.Lines, peer)
		for _, count := range c.counts {
			if difference := count.compare(subject, peer); difference != "" && !slices.Contains(r.Differences, difference) {
				r.Differences = append(r.Differences, difference)
			}
		}
	}
	for _, row := range c.rows {
		measured, err := row.measure(r.Subject.Lines, r.Peer.Lines)
		if err != nil {
			return fail(row.name, err)
		}
		r.Rows = append(r.Rows, measured)
	}
	return r
}

// compare returns how the counts differ, and "" if they agree.
func (c *count) compare(subject, peer harness.Line) string {
	a, okSubject := subject[c.field].(float64)
	b, okPeer := peer[c.field].(float64)
	switch {
	case !okSubject || !okPeer:
		return c.field + ": not counted by both sides"
	case c.tolerance == 0 && a != b:
		return fmt.Sprintf("%s: %g and the peer's %g, want them equal", c.field, a, b)
	case math.Abs(a-b) > c.tolerance*b:
		return fmt.Sprintf("%s: %g and the peer's %g, want them within %g %%", c.field, a, b, 100*c.tolerance)
	}
	return ""
}

// measure takes the row's figure from the lines of all rounds.
func (r *row) measure(subject, peer []harness.Line) (measured, error) {
	m := measured{Name: r.name, Field: r.field, Unit: r.unit, Target: r.target.String()}
	a, b, err := bothNumbers(subject, peer, r.field)
	if err != nil {
		return m, err
	}
	m.Subject, m.Peer = harness.SpreadOf(a), harness.SpreadOf(b)
	if r.target.kind == "" || r.target.kind == times {
		if m.Subject.Min <= 0 || m.Peer.Min <= 0 {
			return m, fmt.Errorf("%s is %g and the peer's %g: too little work to measure", r.field, m.Subject.Min, m.Peer.Min)
		}
		ratio := ratios(a, b, r.lowerIsBetter)
		m.Ratio = &ratio
		if r.cpu != "" {
			if a, b, err = bothNumbers(subject, peer, r.cpu); err != nil {
				return m, err
			}
			if slices.Min(a) <= 0 {
				return m, fmt.Errorf("%s is 0: too little work to measure", r.cpu)
			}
			m.CPURatio = ratios(a, b, true).Median
		}
	}
	if m.Target != "" {
		met := r.target.isMet(m.Subject, m.Ratio)
		m.Met = &met
	}
	return m, nil
}

func bothNumbers(subject, peer []harness.Line, field string) (a, b []float64, err error) {
	if a, err = harness.Numbers(subject, field); err != nil {
		return nil, nil, fmt.Errorf("ours: %w", err)
	}
	if b, err = harness.Numbers(peer, field); err != nil {
		return nil, nil, fmt.Errorf("the peer: %w", err)
	}
	return a, b, nil
}

// ratios summarizes how many times better the subject did than the peer in each
// round: rates are better when higher, times when lower. All values are above 0.
func ratios(subject, peer []float64, lowerIsBetter bool) harness.Spread {
	if lowerIsBetter {
		subject, peer = peer, subject
	}
	each := make([]float64, len(subject))
	for i := range subject {
		each[i] = subject[i] / peer[i]
	}
	return harness.SpreadOf(each)
}

// firstReaching decodes a program's output and returns the first line whose field is at
// least bound, and the last line if none is.
func firstReaching(out []byte, field string, bound float64) (harness.Line, error) {
	lines, err := harness.ParseLines(out)
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		if value, ok := l[field].(float64); ok && value >= bound {
			return l, nil
		}
	}
	return lines[len(lines)-1], nil
}
