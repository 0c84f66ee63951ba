package corpus

import (
	"context"
	"errors"
	"path/filepath"

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
	err := artifact.ReplaceFolder(dir, CheckTarget, func(temporary string) error {
		return r.writeFiles(ctx, temporary, sampled, m)
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// writeFiles writes the files of a corpus and completes the manifest, which it writes last.
func (r *reducer) writeFiles(ctx context.Context, dir string, sampled *sample, m *Manifest) error {
	path := func(name string) string { return filepath.Join(dir, name) }
	tmp := path(tmpDirName)
	if err := artifact.MkdirAll(tmp); err != nil {
		return err
	}
	texts := &textSample{seed: r.settings.Seed, size: r.settings.Texts}
	for record, err := range eachRow[record](ctx, r.inputs) {
		if err != nil {
			return err
		}
		texts.add(record)
	}
	group, ctx := errgroup.WithContext(ctx)
	writers := map[string]func(path string) (File, error){
		sentencesName: func(path string) (File, error) {
			return writeTable(path, corpusCodec, rowsPerWrite, m.counted(r.rows(ctx, sampled, tmp)))
		},
		recordsName: func(path string) (File, error) {
			return writeTable(path, corpusCodec, 1, mapped(eachRow[record](ctx, r.inputs), func(r *record) (*record, error) {
				texts.prune(r)
				return r, nil
			}))
		},
		pairsName: func(path string) (File, error) {
			return writeTable(path, corpusCodec, 1, mapped(r.pairs(ctx, tmp), func(p *pairRow) (*pairRow, error) {
				m.Totals.Pairs++
				return p, nil
			}))
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
		return err
	}
	if err := artifact.RemoveFolder(tmp); err != nil {
		return err
	}
	return artifact.WriteCheckedJSON(path(manifestName), m)
}

// CheckTarget returns an error if [Build] and [Merge] may not replace dir. They may replace it if dir does not exist,
// is empty, or holds only files listed in the manifest of a corpus and the work folder of a build. Otherwise the error
// is a [*files.ForeignError].
func CheckTarget(dir string) error {
	return artifact.CheckListed(dir, manifestName, func(dir string) ([]string, error) {
		m, err := readManifest(dir)
		if err != nil {
			return nil, err
		}
		if m.SentencesSHA256() == "" {
			return nil, errors.New("is not the manifest of a corpus: it lists no " + sentencesName)
		}
		owned := []string{manifestName}
		for _, file := range m.Files {
			owned = append(owned, file.Name)
		}
		return owned, nil
	}, shardFolder)
}

// counted returns the rows and sets the counts of the sample when they end.
func (m *Manifest) counted(rows sortedSeq[*shardRow]) sortedSeq[*row] {
	names, concepts := make(map[string]bool), make(map[kb.ConceptID]bool)
	return func(yield func(*row, error) bool) {
		mapped(rows, func(r *shardRow) (*row, error) {
			m.Totals.Sampled++
			m.Totals.SampledMentions += len(r.Row.Mentions)
			for _, mention := range r.Row.Mentions {
				names[mention.Name] = true
				for _, id := range mention.Concepts {
					concepts[id] = true
				}
			}
			return &r.Row, nil
		})(yield)
		m.Totals.Names, m.Totals.Concepts = len(names), len(concepts)
		m.Dropped.Untagged = m.Totals.Sentences - m.Totals.Tagged
		m.Dropped.Unsampled = m.Totals.Tagged - m.Totals.Sampled
	}
}
