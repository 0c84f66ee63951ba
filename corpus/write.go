package corpus

import (
	"context"
	"iter"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"ctxnorm"
)

// write writes the corpus that drawn keeps to dir. done is called after every
// piece.
func (c *combination) write(ctx context.Context, dir string, drawn *sample, done func(piece)) (*Manifest, error) {
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
		return finish(0, m.appendSentences(ctx, sentences, c.rows(ctx, drawn, tmp, done)))
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

// appendSentences appends rows, which another goroutine reads meanwhile, and counts
// them, and with them what was not drawn.
func (m *Manifest) appendSentences(ctx context.Context, t *table[row], rows sorted[*storedRow]) error {
	group, ctx := errgroup.WithContext(ctx)
	chunks := make(chan []row, 1)
	group.Go(func() error {
		defer close(chunks)
		return sendRows(ctx, rows, chunks)
	})
	group.Go(func() error {
		names, concepts := make(map[string]bool), make(map[ctxnorm.ConceptID]bool)
		for chunk := range chunks {
			if err := t.append(chunk...); err != nil {
				return err
			}
			m.Totals.Sampled += len(chunk)
			for i := range chunk {
				m.Totals.SampledMentions += len(chunk[i].Mentions)
				chunk[i].collect(names, concepts)
			}
		}
		m.Totals.Names, m.Totals.Concepts = len(names), len(concepts)
		m.Dropped.Untagged = m.Totals.Sentences - m.Totals.Tagged
		m.Dropped.Unsampled = m.Totals.Tagged - m.Totals.Sampled
		return nil
	})
	return group.Wait()
}

// collect adds the row's names and concepts to the sets.
func (r *row) collect(names map[string]bool, concepts map[ctxnorm.ConceptID]bool) {
	for i := range r.Mentions {
		names[r.Mentions[i].Name] = true
		for _, id := range r.Mentions[i].Concepts {
			concepts[id] = true
		}
	}
}

// sendRows sends copies of rows, rowsPerRead at a time.
func sendRows(ctx context.Context, rows sorted[*storedRow], chunks chan<- []row) error {
	var chunk []row
	send := func() error {
		select {
		case chunks <- chunk:
			chunk = make([]row, 0, rowsPerRead)
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for r, err := range rows {
		if err != nil {
			return err
		}
		if chunk = append(chunk, r.copy()); len(chunk) < rowsPerRead {
			continue
		}
		if err := send(); err != nil {
			return err
		}
	}
	return send()
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
