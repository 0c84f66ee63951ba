package corpus

import (
	"context"
	"iter"
	"path/filepath"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// Corpus is a complete corpus folder. It is safe for concurrent use.
type Corpus struct {
	dir      string
	manifest *Manifest
}

// Open opens the corpus in dir. It reads all files once to compare their size and SHA-256 with the manifest, and
// returns a [*files.DamagedError] if they differ. If there is no corpus or an unfinished one, the error wraps
// [io/fs.ErrNotExist].
func Open(dir string) (*Corpus, error) { return artifact.ReadFolder(dir, openOnce) }

func openOnce(dir string) (*Corpus, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range m.tables() {
		f := m.file(name)
		if f.Name == "" {
			return nil, artifact.Damaged(filepath.Join(dir, manifestName), "files does not list %s", name)
		}
		if err := f.digest().Check(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return &Corpus{dir, m}, nil
}

// Manifest returns the manifest. The caller must not modify it.
func (c *Corpus) Manifest() *Manifest { return c.manifest }

// Sentences returns the sentences, ordered by PMID, then index. They are read during iteration, and the caller may keep
// them. An error ends the iteration, and so does the end of ctx.
func (c *Corpus) Sentences(ctx context.Context) iter.Seq2[*Sentence, error] {
	path := filepath.Join(c.dir, sentencesName)
	return func(yield func(*Sentence, error) bool) {
		n := -1
		mapped(readTable[row](ctx, path, 0, -1), func(r *row) (s *Sentence, err error) {
			n++
			s, ok := r.sentence()
			if !ok {
				err = artifact.Damaged(path, "row %d: a mention lies outside the text", n)
			}
			return s, err
		})(yield)
	}
}

// source returns the corpus as a source for a merge.
func (c *Corpus) source() *source {
	all := chunk{sentences: filepath.Join(c.dir, sentencesName)}
	if c.manifest.Settings.PairExtractor != "" {
		all.pairs = filepath.Join(c.dir, pairsName)
	}
	s := &source{
		chunks: []chunk{all},
		inputs: slices.Clone(c.manifest.Inputs),
	}
	first := int64(0)
	for i := range s.inputs {
		in := &s.inputs[i]
		n := int64(in.Records - in.Excluded + in.Deletions) // excluded records have no row
		s.records = append(s.records, []recordRange{{filepath.Join(c.dir, recordsName), first, n}})
		first += n
	}
	return s
}
