package corpus

import (
	"context"
	"errors"
	"io/fs"
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
	texts := &textSample{seed: r.settings.Seed, size: r.settings.Texts}
	for record, err := range eachRow[record](ctx, r.inputs) {
		if err != nil {
			return nil, err
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

// counted returns the rows, and sets the counts of the sample when they end.
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
