package corpus

import (
	"cmp"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/kb"
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
// them. An error ends the iteration.
func (c *Corpus) Sentences() iter.Seq2[*Sentence, error] {
	path := filepath.Join(c.dir, sentencesName)
	return func(yield func(*Sentence, error) bool) {
		n := -1
		mapped(readTable[row](path, 0, -1), func(r *row) (s *Sentence, err error) {
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

// Stats counts the content of a corpus.
type Stats struct {
	Sentences int `json:"sentences"`
	Records   int `json:"records"` // records with a sentence in the corpus
	Mentions  int `json:"mentions"`
	Ambiguous int `json:"ambiguous"` // mentions whose name has several concepts
	Defined   int `json:"defined"`   // mentions tagged by their definition
	NIL       int `json:"nil"`       // mentions among Defined without a concept
	Names     int `json:"names"`     // distinct names, and long forms that are not names
	Concepts  int `json:"concepts"`  // distinct concepts
	// ConceptsWith counts the concepts with at least 1, 5 and 25 mentions. A mention of an ambiguous name counts for
	// each of its concepts.
	ConceptsWith []ConceptCount `json:"concepts_with"`
	TopNames     []NameCount    `json:"top_names"` // the 20 names with most mentions; most first, ties by name
}

// ConceptCount is the number of concepts with at least MinMentions mentions.
type ConceptCount struct {
	MinMentions int `json:"mentions"`
	Concepts    int `json:"concepts"`
}

// NameCount is the number of mentions of a name.
type NameCount struct {
	Name     string `json:"name"`
	Mentions int    `json:"mentions"`
}

// minMentions lists the minimum numbers of mentions for which Stats counts concepts. The paper keeps 25 exemplars per
// concept.
var minMentions = []int{1, 5, 25}

const topNames = 20

// Stats reads all sentences and counts them.
func (c *Corpus) Stats() (*Stats, error) {
	var s Stats
	names := make(map[string]int)
	concepts := make(map[kb.ConceptID]int)
	pmid := "" // of the previous sentence
	for sent, err := range c.Sentences() {
		if err != nil {
			return nil, err
		}
		s.Sentences++
		if s.Sentences == 1 || sent.ID != pmid { // sentences are ordered by PMID
			s.Records++
			pmid = sent.ID
		}
		for _, m := range sent.Mentions {
			s.Mentions++
			if len(m.Concepts) > 1 {
				s.Ambiguous++
			}
			if m.LongForm != "" {
				s.Defined++
				if len(m.Concepts) == 0 {
					s.NIL++
				}
			}
			names[m.Name]++
			for _, id := range m.Concepts {
				concepts[id]++
			}
		}
	}
	s.Names, s.Concepts = len(names), len(concepts)
	for _, least := range minMentions {
		n := 0
		for _, mentions := range concepts {
			if mentions >= least {
				n++
			}
		}
		s.ConceptsWith = append(s.ConceptsWith, ConceptCount{least, n})
	}
	for name, n := range names {
		s.TopNames = append(s.TopNames, NameCount{name, n})
	}
	slices.SortFunc(s.TopNames, func(a, b NameCount) int {
		return cmp.Or(b.Mentions-a.Mentions, strings.Compare(a.Name, b.Name))
	})
	s.TopNames = s.TopNames[:min(topNames, len(s.TopNames))]
	return &s, nil
}
