package corpus

import (
	"context"
	"slices"
	"sync"

	"ctxnorm"
)

// sample draws the sample, and lists the names for which it may not be the true
// one, in order, because a source lost more of their sentences than it had to
// spare. done is called after every source.
func (c *combination) sample(ctx context.Context, done func(*source)) (drawn *sample, short []string, err error) {
	drawn = newSample(c.settings.PerName)
	bounds := make(map[string]uint64) // by name: up to here, the sources hold every sentence
	var mu sync.Mutex
	err = c.eachSource(ctx, done, func(s *source) error {
		counting, all, err := c.sampleOf(s)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		drawn.join(counting)
		if all != nil {
			all.lower(bounds)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	for name, bound := range bounds {
		if largest, full := drawn.limit(name); !full || largest > bound {
			short = append(short, name)
		}
	}
	slices.Sort(short)
	return drawn, short, nil
}

// sampleOf draws the sample of one source: of its rows that count, and of all
// where some do not. (A source that lost nothing has PerName sentences of its own
// under its bound, or no bound.)
func (c *combination) sampleOf(s *source) (counting, all *sample, err error) {
	counts := c.counting(s)
	counting = newSample(c.settings.PerName)
	if c.touches(c.union, s) {
		all = newSample(s.perName)
	}
	for r, err := range s.rows() {
		if err != nil {
			return nil, nil, err
		}
		count := counts(r.PMID, s.number(r.Record))
		for _, m := range r.Mentions {
			hash := sentenceHash(c.settings.Seed, r.PMID, int(r.Index), m.Name)
			if count {
				counting.offer(m.Name, hash)
			}
			if all != nil {
				all.offer(m.Name, hash)
			}
		}
	}
	return counting, all, nil
}

// collect gives the rows that count and that drawn keeps, in order, each once.
func (c *combination) collect(ctx context.Context, drawn *sample, done func(*source)) ([]row, error) {
	var rows []row
	words := make(interner)
	var mu sync.Mutex
	err := c.eachSource(ctx, done, func(s *source) error {
		kept, err := c.kept(s, drawn)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		for i := range kept {
			words.row(&kept[i])
		}
		rows = append(rows, kept...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b row) int { return compareRows(&a, &b) })
	// A file that is in two corpora gives its sentences twice.
	return slices.CompactFunc(rows, func(a, b row) bool { return compareRows(&a, &b) == 0 }), nil
}

// kept gives the rows of a source that count and that drawn keeps.
func (c *combination) kept(s *source, drawn *sample) ([]row, error) {
	counts := c.counting(s)
	var kept []row
	for r, err := range s.rows() {
		if err != nil {
			return nil, err
		}
		if counts(r.PMID, s.number(r.Record)) && r.keptBy(drawn, c.settings.Seed) {
			kept = append(kept, r.copy())
		}
	}
	return kept, nil
}

// interner holds one copy of strings that come often.
type interner map[string]string

func (in interner) string(s string) string {
	if have, ok := in[s]; ok {
		return have
	}
	in[s] = s
	return s
}

// row lets equal strings of rows share memory.
func (in interner) row(r *row) {
	r.Section = in.string(r.Section)
	for i := range r.Mentions {
		m := &r.Mentions[i]
		m.Name = in.string(m.Name)
		for j, id := range m.Concepts {
			m.Concepts[j] = ctxnorm.ConceptID(in.string(string(id)))
		}
	}
}
