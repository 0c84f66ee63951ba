package corpus

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"slices"
)

// combination draws the sample of a corpus from its sources' samples.
type combination struct {
	settings Settings
	sources  []*source
	union    *union
	*judgement
}

func combine(ctx context.Context, settings Settings, sources []*source) (*combination, error) {
	u := newUnion(sources)
	j, err := u.judge(ctx)
	if err != nil {
		return nil, err
	}
	return &combination{settings, sources, u, j}, nil
}

// wholeCorpus stands for the number of a record in its file where a source is a
// corpus, which no longer knows it.
const wholeCorpus = -1

// counting reports of the records of a source whether they count.
func (c *combination) counting(s *source) func(pmid string, record int32) bool {
	files := make(map[int32]bool)
	for _, in := range s.inputs {
		files[c.union.index[in.SHA256]] = true
	}
	return func(pmid string, record int32) bool {
		winner, contested := c.winners[pmid]
		// The winner of all files wins among those of a corpus too, so what the
		// corpus has is of the winner if its file is one of them.
		return !contested || files[winner.file] && (record == wholeCorpus || winner.record == record)
	}
}

// rows gives the sentences of a source, and whether their record counts. A row
// is good until the next.
func (c *combination) rows(s *source) iter.Seq2[countedRow, error] {
	counts := c.counting(s)
	return func(yield func(countedRow, error) bool) {
		if s.part {
			for r, err := range readTable[partRow](s.sentences, 0, -1) {
				if err != nil {
					yield(countedRow{}, err)
					return
				}
				if !yield(countedRow{&r.row, counts(r.PMID, r.Record)}, nil) {
					return
				}
			}
			return
		}
		for r, err := range readTable[row](s.sentences, 0, -1) {
			if err != nil {
				yield(countedRow{}, err)
				return
			}
			if !yield(countedRow{r, counts(r.PMID, wholeCorpus)}, nil) {
				return
			}
		}
	}
}

type countedRow struct {
	*row
	counts bool
}

// sample draws the sample, and lists the names for which it may not be the true
// one, in order, because a source lost more of their sentences than it had to
// spare. done is called after every source.
func (c *combination) sample(ctx context.Context, done func(*source)) (drawn *sample, short []string, err error) {
	drawn = newSample(c.settings.PerName)
	bounds := make(map[string]uint64) // by name: up to here, the sources hold every sentence
	for _, s := range c.sources {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		// A source that lost nothing has PerName sentences of its own under its
		// bound, or no bound.
		var own *sample
		if c.touches(c.union, s) {
			own = newSample(s.perName)
		}
		for r, err := range c.rows(s) {
			if err != nil {
				return nil, nil, err
			}
			for i := range r.Mentions {
				name := r.Mentions[i].Name
				hash := r.hash(c.settings.Seed, name)
				if r.counts {
					drawn.offer(name, hash)
				}
				if own != nil {
					own.offer(name, hash)
				}
			}
		}
		if own != nil {
			own.lower(bounds)
		}
		done(s)
	}
	for name, bound := range bounds {
		if largest, full := drawn.limit(name); !full || largest > bound {
			short = append(short, name)
		}
	}
	slices.Sort(short)
	return drawn, short, nil
}

// write writes the corpus that drawn keeps to dir. done is called after every
// source.
func (c *combination) write(ctx context.Context, dir string, drawn *sample, done func(*source)) (*Manifest, error) {
	rows, err := c.collect(ctx, drawn, done)
	if err != nil {
		return nil, err
	}
	m := &Manifest{
		Format:   FormatVersion,
		Settings: c.settings,
		Inputs:   c.union.inputs,
		Totals:   c.totals,
		Dropped:  c.dropped,
	}
	names, concepts := make(map[string]bool), make(map[string]bool)
	for i := range rows {
		m.Totals.SampledMentions += len(rows[i].Mentions)
		for _, mention := range rows[i].Mentions {
			names[mention.Name] = true
			for _, id := range mention.Concepts {
				concepts[id] = true
			}
		}
	}
	m.Totals.Sampled, m.Totals.Names, m.Totals.Concepts = len(rows), len(names), len(concepts)
	m.Dropped.Untagged = m.Totals.Sentences - m.Totals.Tagged
	m.Dropped.Unsampled = m.Totals.Tagged - m.Totals.Sampled

	tmp := filepath.Join(dir, partsName)
	if err := os.MkdirAll(tmp, 0o755); err != nil {
		return nil, err
	}
	defer os.Remove(tmp) // if nothing else is in it
	sentences, err := createTable[row](filepath.Join(dir, sentencesName), tmp)
	if err != nil {
		return nil, err
	}
	defer sentences.discard()
	for chunk := range slices.Chunk(rows, rowsPerRead) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := sentences.append(chunk...); err != nil {
			return nil, err
		}
	}
	records, err := createTable[record](filepath.Join(dir, recordsName), tmp)
	if err != nil {
		return nil, err
	}
	defer records.discard()
	if err := c.union.each(ctx, func(r *record) error { return records.append(*r) }); err != nil {
		return nil, err
	}
	tables := []finished{sentences, records}
	if m.Settings.Miner != "" {
		pairs, err := createTable[pairRow](filepath.Join(dir, pairsName), tmp)
		if err != nil {
			return nil, err
		}
		defer pairs.discard()
		for p, err := range c.pairs(ctx) {
			if err != nil {
				return nil, err
			}
			m.Totals.Pairs++
			if err := pairs.append(p); err != nil {
				return nil, err
			}
		}
		tables = append(tables, pairs)
	}
	return m, replace(dir, tmp, m, tables)
}

// finished is a table, whatever its rows, with all of them written.
type finished interface {
	finish() (File, error)
	place() error
}

// replace puts the tables and then their manifest into dir. Until it is
// done there is none, so that a half-replaced corpus cannot be read.
func replace(dir, tmp string, m *Manifest, tables []finished) error {
	for _, t := range tables {
		f, err := t.finish()
		if err != nil {
			return err
		}
		m.Files = append(m.Files, f)
	}
	manifest := filepath.Join(dir, manifestName)
	if err := os.Remove(manifest); err != nil && !os.IsNotExist(err) {
		return err
	}
	for _, t := range tables {
		if err := t.place(); err != nil {
			return err
		}
	}
	if m.Settings.Miner == "" { // that of the corpus before
		if err := os.Remove(filepath.Join(dir, pairsName)); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return writeJSON(manifest, tmp, m)
}

// collect gives the rows that count and that drawn keeps, in order, each once.
func (c *combination) collect(ctx context.Context, drawn *sample, done func(*source)) ([]row, error) {
	var rows []row
	words := make(interner)
	for _, s := range c.sources {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for r, err := range c.rows(s) {
			if err != nil {
				return nil, err
			}
			if r.counts && r.keptBy(drawn, c.settings.Seed) {
				words.row(r.row)
				rows = append(rows, *r.row)
			}
		}
		done(s)
	}
	slices.SortFunc(rows, func(a, b row) int { return compareRows(&a, &b) })
	// A file that is in two corpora gives its sentences twice.
	return slices.CompactFunc(rows, func(a, b row) bool { return compareRows(&a, &b) == 0 }), nil
}

// interner holds one copy of strings that come often.
type interner map[string]string

func (in interner) string(s *string) {
	if have, ok := in[*s]; ok {
		*s = have
		return
	}
	in[*s] = *s
}

// row lets equal strings of rows share memory.
func (in interner) row(r *row) {
	in.string(&r.Section)
	for i := range r.Mentions {
		m := &r.Mentions[i]
		in.string(&m.Name)
		for j := range m.Concepts {
			in.string(&m.Concepts[j])
		}
	}
}
