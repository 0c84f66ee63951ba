package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"ctxnorm/bench/measure"
)

// comparison is one job that both sides do, and the rows of the table that it
// gives.
type comparison struct {
	name       string
	ours, peer side
	inputs     []*measure.Input
	needs      []string // Python modules of the peer
	needsModel bool
	cores      int // that the machine must have; 0 is 1
	maxRounds  int // 0: as many as asked for
	equal      []string
	near       []nearness
	rows       []row
}

// nearness is a count that the sides need not agree on exactly, and why not.
type nearness struct {
	field string
	share float64 // by which ours may differ from the peer's
	why   string
}

// row is one figure of both sides.
type row struct {
	name          string
	field         string
	cpu           string // the processor time of the same work, in seconds; empty where it is not apart
	unit          string
	lowerIsBetter bool
	target        target
}

// target is what ours has to reach: a ratio, or a bound on its own figure.
type target struct {
	ratio   float64 // at least; 0 for none
	atLeast float64 // ours' own figure; 0 for none
	atMost  float64 // 0 for none
}

func (t target) String() string {
	switch {
	case t.ratio > 0:
		return fmt.Sprintf("%g times", t.ratio)
	case t.atLeast > 0:
		return fmt.Sprintf("at least %g", t.atLeast)
	case t.atMost > 0:
		return fmt.Sprintf("at most %.4g", t.atMost)
	}
	return ""
}

// isBound reports whether the target is about ours' own figure.
func (t target) isBound() bool { return t.atLeast > 0 || t.atMost > 0 }

// met reports whether the target is reached by the medians.
func (t target) met(ours measure.Spread, ratio *measure.Spread) bool {
	switch {
	case t.ratio > 0:
		return ratio.Median >= t.ratio
	case t.atLeast > 0:
		return ours.Median >= t.atLeast
	case t.atMost > 0:
		return ours.Median <= t.atMost
	}
	return true
}

// atMost is how many rounds there may be.
func (c *comparison) atMost() int {
	if c.maxRounds > 0 {
		return c.maxRounds
	}
	return math.MaxInt
}

// missing says what there is not that the comparison needs; empty for nothing.
func (c *comparison) missing(s *settings, installed map[string]bool) string {
	for _, module := range c.needs {
		if !installed[module] {
			return fmt.Sprintf("%s has no %s: bench/peers/README.md says how to install it", s.python, module)
		}
	}
	if c.needsModel && s.model == "" {
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

// run makes the input and lets both sides do the job in turns.
func (c *comparison) run(ctx context.Context, rounds int) *result {
	r := &result{Name: c.name, Ours: c.ours.about(), Peer: c.peer.about()}
	for _, in := range c.inputs {
		if err := in.Ensure(ctx, say); err != nil {
			r.Failed = fmt.Sprintf("input: %v", err)
			return r
		}
	}
	for round := range rounds {
		say("%s: round %d of %d", c.name, round+1, rounds)
		ours, err := c.ours.run(ctx)
		if err != nil {
			r.Failed = fmt.Sprintf("%s: %v", c.ours.name, err)
			return r
		}
		peer, err := c.peer.run(ctx)
		if err != nil {
			r.Failed = fmt.Sprintf("%s: %v", c.peer.name, err)
			return r
		}
		r.Ours.Lines, r.Peer.Lines = append(r.Ours.Lines, ours), append(r.Peer.Lines, peer)
		c.compareCounts(r, ours, peer)
	}
	for _, row := range c.rows {
		measured, err := row.measure(r.Ours.Lines, r.Peer.Lines)
		if err != nil {
			r.Failed = fmt.Sprintf("%s: %v", row.name, err)
			return r
		}
		r.Rows = append(r.Rows, measured)
	}
	return r
}

// compareCounts notes where the sides did not do the same work.
func (c *comparison) compareCounts(r *result, ours, peer measure.Line) {
	note := func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); !slices.Contains(r.Differences, text) {
			r.Differences = append(r.Differences, text)
		}
	}
	for _, field := range c.equal {
		a, errOurs := ours.Number(field)
		b, errPeer := peer.Number(field)
		if errOurs != nil || errPeer != nil {
			note("%s: not counted by both sides", field)
		} else if a != b {
			note("%s: %g and the peer's %g, want them equal", field, a, b)
		}
	}
	for _, n := range c.near {
		a, errOurs := ours.Number(n.field)
		b, errPeer := peer.Number(n.field)
		if errOurs != nil || errPeer != nil {
			note("%s: not counted by both sides", n.field)
		} else if math.Abs(a-b) > n.share*b {
			note("%s: %g and the peer's %g, want them within %g %%", n.field, a, b, 100*n.share)
		}
	}
}

// measure takes the row's figure out of the lines of all rounds.
func (r *row) measure(ours, peer []measure.Line) (measured, error) {
	m := measured{Name: r.name, Field: r.field, Unit: r.unit, Target: r.target.String()}
	a, err := numbers(ours, r.field)
	if err != nil {
		return m, fmt.Errorf("ours: %w", err)
	}
	b, err := numbers(peer, r.field)
	if err != nil {
		return m, fmt.Errorf("the peer: %w", err)
	}
	m.Ours, m.Peer = measure.SpreadOf(a), measure.SpreadOf(b)
	if !r.target.isBound() {
		if m.Ours.Min <= 0 || m.Peer.Min <= 0 {
			return m, fmt.Errorf("%s is %g and the peer's %g: too little work to measure", r.field, m.Ours.Min, m.Peer.Min)
		}
		ratio := measure.SpreadOf(ratios(a, b, r.lowerIsBetter))
		m.Ratio = &ratio
		if r.cpu != "" {
			if m.CPURatio, err = cpuRatio(ours, peer, r.cpu); err != nil {
				return m, err
			}
		}
	}
	if m.Target != "" {
		met := r.target.met(m.Ours, m.Ratio)
		m.Met = &met
	}
	return m, nil
}

// cpuRatio is the median of the rounds' ratios of processor time, the peer's over
// ours. Other programs on the machine disturb it less than wall time.
func cpuRatio(ours, peer []measure.Line, field string) (float64, error) {
	a, err := numbers(ours, field)
	if err != nil {
		return 0, fmt.Errorf("ours: %w", err)
	}
	b, err := numbers(peer, field)
	if err != nil {
		return 0, fmt.Errorf("the peer: %w", err)
	}
	if slices.Min(a) <= 0 {
		return 0, fmt.Errorf("%s is 0: too little work to measure", field)
	}
	return measure.SpreadOf(ratios(a, b, true)).Median, nil
}

func numbers(lines []measure.Line, field string) ([]float64, error) {
	found := make([]float64, len(lines))
	for i, l := range lines {
		var err error
		if found[i], err = l.Number(field); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (s *side) about() sideResult {
	return sideResult{Name: s.name, Command: s.command, Threads: s.threads}
}
