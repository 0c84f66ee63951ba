package wordvec

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/knnindex"
)

// formatVersion is the format of a folder of word vectors.
//
//	1  vocabulary.tsv, vectors.npy, manifest.json
const formatVersion = 1

// Names of the files in a folder.
const (
	manifestName   = "manifest.json"  // [manifest]; written last
	vocabularyName = "vocabulary.tsv" // a line per word, most frequent first: word, tab, count
	vectorsName    = "vectors.npy"    // a row per word, in NumPy's format
)

// manifest describes a folder. It contains no time and no path, so the same training gives the same bytes.
type manifest struct {
	Format int              `json:"format"`
	Words  int              `json:"words"`
	Config Config           `json:"config"`
	Files  artifact.Digests `json:"files"`
}

// Save writes the vectors to the folder dir, replacing one that [CheckTarget] accepts.
func (v *Vectors) Save(dir string) error {
	return artifact.ReplaceFolder(dir, CheckTarget, func(dir string) error {
		path := func(name string) string { return filepath.Join(dir, name) }
		if err := artifact.Write(path(vocabularyName), v.Vocabulary.write); err != nil {
			return err
		}
		if err := (&knnindex.Vectors{Dim: v.Dim(), Data: v.data}).WriteNPY(path(vectorsName)); err != nil {
			return err
		}
		files, err := artifact.DigestFolder(dir, manifestName)
		if err != nil {
			return err
		}
		return artifact.WriteCheckedJSON(path(manifestName), manifest{formatVersion, v.Len(), v.config, files})
	})
}

// CheckTarget returns an error if [Vectors.Save] may not replace dir. Save may replace it if dir does not exist, is
// empty, or holds only the files of word vectors. Otherwise the error is a [*files.ForeignError].
func CheckTarget(dir string) error {
	return artifact.CheckListed(dir, manifestName, func(dir string) ([]string, error) {
		_, err := readManifest(dir)
		return []string{manifestName, vocabularyName, vectorsName}, err
	})
}

// Open reads the word vectors in the folder dir and compares all files with their checksums. It returns a
// [*files.DamagedError] if a file differs. If there are no vectors, the error wraps [io/fs.ErrNotExist].
func Open(dir string) (*Vectors, error) { return artifact.ReadFolder(dir, open) }

func open(dir string) (*Vectors, error) {
	m, err := readManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no word vectors here: %w", dir, err)
	}
	if err != nil {
		return nil, err
	}
	if err := m.Files.Check(dir, manifestName); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, vocabularyName)
	data, err := artifact.ReadFile(path)
	if err != nil {
		return nil, err
	}
	vocabulary, err := parseVocabulary(data)
	if err == nil && vocabulary.Len() != m.Words {
		err = artifact.Damaged("", "has %d words, want %d", vocabulary.Len(), m.Words)
	}
	if err != nil {
		return nil, artifact.WithPath(path, err)
	}
	vectors, err := readVectors(filepath.Join(dir, vectorsName), m)
	return &Vectors{vocabulary, m.Config, vectors}, err
}

// readVectors reads the matrix in a folder.
func readVectors(path string, m *manifest) ([]float32, error) {
	matrix, err := knnindex.OpenNPY(path)
	if err != nil {
		return nil, err
	}
	defer matrix.Close()
	if matrix.Len() != m.Words || matrix.Dim != m.Config.Dim {
		return nil, artifact.Damaged(path, "has %d x %d numbers, want %d x %d", matrix.Len(), matrix.Dim, m.Words,
			m.Config.Dim)
	}
	for i, x := range matrix.Data {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return nil, artifact.Damaged(path, "number %d is %g, want a finite one", i, x)
		}
	}
	return slices.Clone(matrix.Data), nil
}

func readManifest(dir string) (*manifest, error) {
	path := filepath.Join(dir, manifestName)
	var m manifest
	if err := artifact.ReadManifest(path, "folder of word vectors", formatVersion, &m); err != nil {
		return nil, err
	}
	for _, name := range []string{vocabularyName, vectorsName} {
		if _, listed := m.Files[name]; !listed {
			return nil, artifact.Damaged(path, "does not list %s: it is not the manifest of word vectors", name)
		}
	}
	if err := m.Config.validate(); err != nil {
		return nil, artifact.Damaged(path, "config: %v", err)
	}
	return &m, nil
}

// write writes the vocabulary file.
func (v *Vocabulary) write(w io.Writer) error {
	var line []byte
	for i, word := range v.words {
		line = append(append(line[:0], word...), '\t')
		line = append(strconv.AppendInt(line, v.counts[i], 10), '\n')
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// parseVocabulary parses the output of [Vocabulary.write]. Its errors have no path.
func parseVocabulary(data []byte) (*Vocabulary, error) {
	v := &Vocabulary{}
	all := string(data)
	number := 0
	for line := range strings.Lines(all) {
		number++
		content, complete := strings.CutSuffix(line, "\n")
		word, digits, _ := strings.Cut(content, "\t")
		count, err := strconv.ParseInt(digits, 10, 64)
		if !complete || word == "" || err != nil || strconv.FormatInt(count, 10) != digits {
			return nil, artifact.Damaged("", "line %d is %q, want a word, a tab and a count", number, content)
		}
		v.words = append(v.words, word)
		v.counts = append(v.counts, count)
	}
	if err := v.complete(); err != nil {
		return nil, artifact.Damaged("", "%v", err)
	}
	if len(v.index) != len(v.words) {
		return nil, artifact.Damaged("", "has a word twice")
	}
	return v, nil
}
