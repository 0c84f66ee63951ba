package corpus

import (
	"context"
	"slices"
	"sync"
)

// sample draws the sample, and lists the names for which it may not be the true
// one, in order, because a piece lost more of their sentences than it had to
// spare. done is called after every piece.
func (c *combination) sample(ctx context.Context, done func(piece)) (drawn *sample, short []string, err error) {
	drawn = newSample(c.settings.PerName)
	bounds := make(map[string]uint64) // by name: up to here, the sources hold every sentence
	var mu sync.Mutex
	err = c.eachPiece(ctx, done, func(s *source, p piece) error {
		counting, all, err := c.sampleOf(s, p)
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

// sampleOf draws the sample of one piece: of its rows that count, and of all
// where some of its source do not. (A piece that lost nothing has PerName sentences of
// its own under its bound, or no bound.)
func (c *combination) sampleOf(s *source, p piece) (counting, all *sample, err error) {
	counts := c.counting(s)
	counting = newSample(c.settings.PerName)
	if c.touches(c.union, s) {
		all = newSample(s.perName)
	}
	for r, err := range s.rows(p) {
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

// rows gives the rows that count and that drawn keeps, in order, each once. Files
// that it needs meanwhile are in tmp. done is called after every piece.
func (c *combination) rows(ctx context.Context, drawn *sample, tmp string, done func(piece)) sorted[*storedRow] {
	m := merger[*storedRow]{
		compare: func(a, b *storedRow) int { return compareRows(&a.row, &b.row) },
		write:   writeRows,
		read:    readRows,
		dir:     tmp,
		name:    "sentences",
	}
	var all []sorted[*storedRow]
	for _, s := range c.sources {
		for _, p := range s.pieces {
			all = append(all, c.kept(s, p, drawn, done))
		}
	}
	return func(yield func(*storedRow, error) bool) {
		var pmid string // of the row before
		var index int32
		for r, err := range m.merge(ctx, all) {
			if err == nil && r.PMID == pmid && r.Index == index {
				continue // a file that is in two corpora gives its sentences twice
			}
			if !yield(r, err) || err != nil {
				return
			}
			pmid, index = r.PMID, r.Index
		}
	}
}

// kept gives the rows of a piece that count and that drawn keeps, in order.
func (c *combination) kept(s *source, p piece, drawn *sample, done func(piece)) sorted[*storedRow] {
	counts := c.counting(s)
	return func(yield func(*storedRow, error) bool) {
		for r, err := range s.rows(p) {
			if err != nil {
				yield(nil, err)
				return
			}
			if counts(r.PMID, s.number(r.Record)) && r.keptBy(drawn, c.settings.Seed) && !yield(r, nil) {
				return
			}
		}
		done(p)
	}
}
