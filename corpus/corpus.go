package corpus

import (
	"fmt"
	"iter"
	"path/filepath"
	"slices"
)

// Corpus is a corpus folder that is whole. It is safe for concurrent use.
type Corpus struct {
	dir      string
	manifest *Manifest
}

// Open opens the corpus in dir. It reads the files once, to check them against
// the manifest: a damaged one gives a [*DamagedError].
func Open(dir string) (*Corpus, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range m.tables() {
		i := slices.IndexFunc(m.Files, func(f File) bool { return f.Name == name })
		if i < 0 {
			return nil, &DamagedError{File: filepath.Join(dir, manifestName), Reason: "does not list " + name}
		}
		if err := m.Files[i].check(dir); err != nil {
			return nil, err
		}
	}
	return &Corpus{dir, m}, nil
}

// Manifest says what the corpus was made from. It is not to be changed.
func (c *Corpus) Manifest() *Manifest { return c.manifest }

// Sentences gives the sentences, ordered by PMID, then index. They are read as
// they are asked for, and are the caller's to keep.
func (c *Corpus) Sentences() iter.Seq2[*Sentence, error] {
	path := filepath.Join(c.dir, sentencesName)
	return func(yield func(*Sentence, error) bool) {
		number := 0
		for r, err := range readTable[row](path, 0, -1) {
			if err != nil {
				yield(nil, err)
				return
			}
			s, ok := r.sentence()
			if !ok {
				yield(nil, &DamagedError{File: path, Reason: fmt.Sprintf("row %d: a mention lies outside the text", number)})
				return
			}
			if !yield(s, nil) {
				return
			}
			number++
		}
	}
}

// source is the corpus as something to merge.
func (c *Corpus) source() *source {
	all := piece{sentences: filepath.Join(c.dir, sentencesName)}
	if c.manifest.Settings.Miner != "" {
		all.pairs = filepath.Join(c.dir, pairsName)
	}
	s := &source{
		pieces:  []piece{all},
		perName: c.manifest.Settings.PerName,
		inputs:  slices.Clone(c.manifest.Inputs),
	}
	at := int64(0)
	for i := range s.inputs {
		n := int64(s.inputs[i].listed())
		s.lists = append(s.lists, []list{{filepath.Join(c.dir, recordsName), at, n}})
		at += n
	}
	return s
}
