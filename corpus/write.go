package corpus

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"ctxnorm"
)

// write writes the corpus that drawn keeps to dir. done is called after every
// source.
func (c *combination) write(ctx context.Context, dir string, drawn *sample, done func(*source)) (*Manifest, error) {
	m := &Manifest{
		Format:   FormatVersion,
		Settings: c.settings,
		Inputs:   c.union.inputs,
		Totals:   c.totals,
		Dropped:  c.dropped,
	}
	tmp := filepath.Join(dir, partsName)
	if err := os.MkdirAll(tmp, 0o755); err != nil {
		return nil, err
	}
	defer os.Remove(tmp) // if nothing else is in it
	sentences, err := createTable[row](filepath.Join(dir, sentencesName), tmp, archive)
	if err != nil {
		return nil, err
	}
	defer sentences.discard()
	records, err := createTable[record](filepath.Join(dir, recordsName), tmp, archive)
	if err != nil {
		return nil, err
	}
	defer records.discard()
	tables := []anyTable{sentences, records}
	var pairs *table[pairRow]
	if m.Settings.Miner != "" {
		if pairs, err = createTable[pairRow](filepath.Join(dir, pairsName), tmp, archive); err != nil {
			return nil, err
		}
		defer pairs.discard()
		tables = append(tables, pairs)
	}
	m.Files = make([]File, len(tables))
	group, ctx := errgroup.WithContext(ctx)
	finish := func(i int, err error) error {
		if err == nil {
			m.Files[i], err = tables[i].finish()
		}
		return err
	}
	group.Go(func() error {
		rows, err := c.collect(ctx, drawn, done)
		if err != nil {
			return err
		}
		m.count(rows)
		return finish(0, appendRows(ctx, sentences, rows))
	})
	group.Go(func() error {
		return finish(1, c.union.each(ctx, func(r *record) error { return records.append(*r) }))
	})
	if pairs != nil {
		group.Go(func() (err error) {
			m.Totals.Pairs, err = appendPairs(pairs, c.pairs(ctx, tmp))
			return finish(2, err)
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return m, replace(dir, tmp, m, tables)
}

// count counts the rows that were drawn, and with them what was not.
func (m *Manifest) count(rows []row) {
	names, concepts := make(map[string]bool), make(map[ctxnorm.ConceptID]bool)
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
}

func appendRows(ctx context.Context, t *table[row], rows []row) error {
	for chunk := range slices.Chunk(rows, rowsPerRead) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := t.append(chunk...); err != nil {
			return err
		}
	}
	return nil
}

// appendPairs says how many there were.
func appendPairs(t *table[pairRow], pairs iter.Seq2[pairRow, error]) (n int, err error) {
	for p, err := range pairs {
		if err != nil {
			return n, err
		}
		if err := t.append(p); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// anyTable is a table, whatever its rows.
type anyTable interface {
	finish() (File, error)
	place() error
}

// replace puts the finished tables and then their manifest into dir. Until it is
// done there is none, so that a half-replaced corpus cannot be read.
func replace(dir, tmp string, m *Manifest, tables []anyTable) error {
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
