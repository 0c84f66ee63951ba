package corpus

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/kb"
)

// write writes the corpus with this sample to dir. chunkDone is called after every
// chunk.
func (r *reducer) write(ctx context.Context, dir string, sampled *sample, chunkDone func(chunk)) (*Manifest, error) {
	m := &Manifest{
		Format:   formatVersion,
		Settings: r.settings,
		Inputs:   r.inputs.inputs,
		Totals:   r.totals,
		Dropped:  r.dropped,
	}
	tmp, err := newTmpDir(dir)
	if err != nil {
		return nil, err
	}
	defer removeTmpDir(tmp)
	sentences, err := createTable[row](filepath.Join(dir, sentencesName), tmp, corpusCodec)
	if err != nil {
		return nil, err
	}
	defer sentences.discard()
	records, err := createTable[record](filepath.Join(dir, recordsName), tmp, corpusCodec)
	if err != nil {
		return nil, err
	}
	defer records.discard()
	tables := []anyTable{sentences, records}
	var pairs *table[pairRow]
	if m.Settings.PairExtractor != "" {
		if pairs, err = createTable[pairRow](filepath.Join(dir, pairsName), tmp, corpusCodec); err != nil {
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
		return finish(0, m.appendSentences(ctx, sentences, r.rows(ctx, sampled, tmp, chunkDone)))
	})
	group.Go(func() error {
		return finish(1, r.inputs.eachRecord(ctx, func(rec *record) error { return records.append(*rec) }))
	})
	if pairs != nil {
		group.Go(func() (err error) {
			m.Totals.Pairs, err = appendPairs(pairs, r.pairs(ctx, tmp))
			return finish(2, err)
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return m, replace(dir, m, tables)
}

// CheckTarget returns an [*artifact.DamagedError] if [Build] and [Merge] may not write to
// dir: if dir exists, is not empty, and holds neither a corpus nor what an earlier build
// of one had finished.
func CheckTarget(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		switch name := entry.Name(); {
		case name == sentencesName, entry.IsDir() && (name == shardDirName || name == shardDirNameV2):
			return nil
		}
	}
	return artifact.Damaged(dir, "is a folder that is not a corpus; it is not overwritten")
}

// newTmpDir returns an empty folder for temporary files of the corpus in dir. It
// removes those of an earlier run that was killed.
func newTmpDir(dir string) (string, error) {
	tmp := filepath.Join(dir, shardDirName, tmpDirName)
	if err := errors.Join(os.RemoveAll(tmp), artifact.RemoveStale(filepath.Join(dir, manifestName))); err != nil {
		return "", err
	}
	return tmp, os.MkdirAll(tmp, 0o777)
}

// removeTmpDir removes the folder, and the work folder around it if it has no
// shards. What cannot be removed is removed by the next run.
func removeTmpDir(tmp string) {
	os.RemoveAll(tmp)
	os.Remove(filepath.Dir(tmp)) // fails if there are shards
}

// appendSentences appends rows to the table and sets the counts of the sample.
// Another goroutine reads the rows ahead.
func (m *Manifest) appendSentences(ctx context.Context, t *table[row], rows sortedSeq[*scannedRow]) error {
	group, ctx := errgroup.WithContext(ctx)
	blocks := make(chan []row, 1)
	group.Go(func() error {
		defer close(blocks)
		return sendRows(ctx, rows, blocks)
	})
	group.Go(func() error {
		names, concepts := make(map[string]bool), make(map[kb.ConceptID]bool)
		for block := range blocks {
			if err := t.append(block...); err != nil {
				return err
			}
			m.Totals.Sampled += len(block)
			for i := range block {
				m.Totals.SampledMentions += len(block[i].Mentions)
				block[i].collect(names, concepts)
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
func (r *row) collect(names map[string]bool, concepts map[kb.ConceptID]bool) {
	for i := range r.Mentions {
		names[r.Mentions[i].Name] = true
		for _, id := range r.Mentions[i].Concepts {
			concepts[id] = true
		}
	}
}

// sendRows sends copies of rows in blocks of rowsPerRead.
func sendRows(ctx context.Context, rows sortedSeq[*scannedRow], blocks chan<- []row) error {
	var block []row
	send := func() error {
		select {
		case blocks <- block:
			block = make([]row, 0, rowsPerRead)
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for r, err := range rows {
		if err != nil {
			return err
		}
		if block = append(block, r.copy()); len(block) < rowsPerRead {
			continue
		}
		if err := send(); err != nil {
			return err
		}
	}
	return send()
}

// appendPairs appends pairs to the table and returns their number.
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

// anyTable is a table with rows of any type.
type anyTable interface {
	finish() (File, error)
	place() error
}

// replace replaces the corpus in dir by the finished tables and their manifest. The
// old manifest is removed first and the new one is written last, so a half-replaced
// corpus cannot be opened.
func replace(dir string, m *Manifest, tables []anyTable) error {
	manifest := filepath.Join(dir, manifestName)
	if err := os.Remove(manifest); err != nil && !os.IsNotExist(err) {
		return err
	}
	for _, t := range tables {
		if err := t.place(); err != nil {
			return err
		}
	}
	if m.Settings.PairExtractor == "" { // remove the pairs of the old corpus
		if err := os.Remove(filepath.Join(dir, pairsName)); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, shardDirNameV2)); err != nil {
		return err
	}
	return artifact.WriteCheckedJSON(manifest, m)
}
