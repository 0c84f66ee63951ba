package corpus

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"path/filepath"
	"syscall"

	"golang.org/x/sync/errgroup"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/kb"
)

// write replaces the folder dir by a corpus with this sample.
func (r *reducer) write(ctx context.Context, dir string, sampled *sample) (*Manifest, error) {
	m := &Manifest{
		Format:   formatVersion,
		Settings: r.settings,
		Inputs:   r.inputs.inputs,
		Totals:   r.totals,
		Dropped:  r.dropped,
	}
	folder, err := artifact.CreateFolder(dir)
	if err != nil {
		return nil, err
	}
	defer folder.Discard()
	tmp := filepath.Join(folder.Path(), tmpDirName)
	if err := artifact.MkdirAll(tmp); err != nil {
		return nil, err
	}
	path := func(name string) string { return filepath.Join(folder.Path(), name) }
	texts, err := r.sampleTexts(ctx)
	if err != nil {
		return nil, err
	}
	group, ctx := errgroup.WithContext(ctx)
	writers := map[string]func(path string) (File, error){
		sentencesName: func(path string) (File, error) {
			return writeTable(path, corpusCodec, func(add func(...row) error) error {
				return m.addSentences(add, r.rows(ctx, sampled, tmp))
			})
		},
		recordsName: func(path string) (File, error) {
			return writeTable(path, corpusCodec, func(add func(...record) error) error {
				return r.addRecords(ctx, add, texts)
			})
		},
		pairsName: func(path string) (File, error) {
			return writeTable(path, corpusCodec, func(add func(...pairRow) error) error {
				return m.addPairs(add, r.pairs(ctx, tmp))
			})
		},
	}
	tables := m.tables()
	m.Files = make([]File, len(tables))
	for i, name := range tables {
		group.Go(func() (err error) {
			m.Files[i], err = writers[name](path(name))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if err := artifact.RemoveFolder(tmp); err != nil {
		return nil, err
	}
	if err := artifact.WriteCheckedJSON(path(manifestName), m); err != nil {
		return nil, err
	}
	if err := CheckTarget(dir); err != nil { // again: the user may have put something there meanwhile
		return nil, err
	}
	return m, folder.Commit()
}

// CheckTarget returns an error if [Build] and [Merge] may not replace dir. They may if dir
// does not exist or is empty, or holds nothing but the files that the manifest of a corpus
// lists and the work folder of a build; anything else is an [*files.ForeignError].
func CheckTarget(dir string) error {
	m, err := readManifest(dir)
	if err == nil && m.SentencesSHA256() == "" {
		err = errors.New("is not the manifest of a corpus: it lists no " + sentencesName)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return artifact.CheckReplaceable(dir, nil, shardFolder)
	case err != nil:
		return artifact.ForeignManifest(filepath.Join(dir, manifestName), dir, err)
	}
	files := []string{manifestName}
	for _, file := range m.Files {
		files = append(files, file.Name)
	}
	return artifact.CheckReplaceable(dir, files, shardFolder)
}

// addSentences adds rows to the table and sets the counts of the sample.
func (m *Manifest) addSentences(add func(...row) error, rows sortedSeq[*shardRow]) error {
	names, concepts := make(map[string]bool), make(map[kb.ConceptID]bool)
	block := make([]row, 0, rowsPerRead)
	for r, err := range rows {
		if err != nil {
			return err
		}
		m.Totals.Sampled++
		m.Totals.SampledMentions += len(r.Row.Mentions)
		r.Row.collect(names, concepts)
		if block = append(block, r.Row); len(block) == rowsPerRead {
			if err := add(block...); err != nil {
				return err
			}
			block = block[:0]
		}
	}
	m.Totals.Names, m.Totals.Concepts = len(names), len(concepts)
	m.Dropped.Untagged = m.Totals.Sentences - m.Totals.Tagged
	m.Dropped.Unsampled = m.Totals.Tagged - m.Totals.Sampled
	return add(block...)
}

// addPairs adds pairs to the table and counts them.
func (m *Manifest) addPairs(add func(...pairRow) error, pairs iter.Seq2[pairRow, error]) error {
	for p, err := range pairs {
		if err == nil {
			err = add(p)
		}
		if err != nil {
			return err
		}
		m.Totals.Pairs++
	}
	return nil
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

// addRecords adds the records of all inputs to the table, and the texts of the sample with them.
func (r *reducer) addRecords(ctx context.Context, add func(...record) error, texts *textSample) error {
	return eachRow(ctx, r.inputs, func(rec *record, file int32) error {
		rec.File = file
		texts.prune(rec)
		return add(*rec)
	})
}
