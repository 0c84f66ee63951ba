package link

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"ctxnorm"
	"ctxnorm/corpus/dictionary"
	"ctxnorm/knnindex"
	"ctxnorm/matcher"
	"ctxnorm/mine"
)

// Model is an opened model folder. It is safe for concurrent use.
type Model struct {
	Manifest   *Manifest
	Dictionary *ctxnorm.Dictionary
	Encoder    ctxnorm.Encoder // nil where the model has none
	Names      Rows
	Contexts   Rows
	// Abbreviations says what short forms stand for in the corpus; it is empty where
	// nothing was mined.
	Abbreviations *mine.AbbreviationTable
	Calibration   *Calibration

	tagger  func() (*matcher.Tagger, error)
	closers []func() error
}

// Tagger finds the dictionary's names in texts. It is read when it is first asked
// for: mentions are linked without it.
func (m *Model) Tagger() (*matcher.Tagger, error) { return m.tagger() }

// OpenEncoder opens an encoder folder. It is nil in a build without one.
type OpenEncoder func(dir string) (ctxnorm.Encoder, error)

var (
	// ErrNoEncoder says that a model has an encoder and this build cannot run it.
	ErrNoEncoder = errors.New("the model needs an encoder, and this build of ctxnorm has none")
	// ErrNoVectors says that a linker needs vectors and the model was made without.
	ErrNoVectors = errors.New("the model was made without an encoder, and has no vectors to vote")
)

// Open opens the model in dir. Files that are missing, cut short or of another
// model are refused by name; [Verify] finds any change of a byte as well. The parts
// of the model are read side by side, vectors and the sentences of contexts when they
// are needed.
func Open(dir string, openEncoder OpenEncoder) (*Model, error) {
	m, err := openUncalibrated(dir, openEncoder)
	if err != nil {
		return nil, err
	}
	if m.Calibration, err = readCalibration(dir, m); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

// openUncalibrated opens all of a model but its calibration.
func openUncalibrated(dir string, openEncoder OpenEncoder) (*Model, error) {
	manifest, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	if err := manifest.checkSizes(dir); err != nil {
		return nil, err
	}
	m := &Model{Manifest: manifest}
	if err := m.open(dir, openEncoder); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

func (m *Model) open(dir string, openEncoder OpenEncoder) error {
	if m.Manifest.Encoder != nil && openEncoder == nil {
		return ErrNoEncoder
	}
	m.tagger = sync.OnceValues(func() (*matcher.Tagger, error) { return readTagger(filepath.Join(dir, taggerFile)) })
	contexts, err := openContexts(filepath.Join(dir, contextExemplars))
	if err != nil {
		return err
	}
	m.closers = append(m.closers, contexts.Close)
	err = together(
		func() error { return m.openRowsOf(dir, contexts) },
		func() error { return m.openEncoder(dir, openEncoder) },
		func() error { return m.openIndexes(dir) },
		func() (err error) { m.Abbreviations, err = ReadAbbreviations(dir); return err },
	)
	if closer, ok := m.Encoder.(io.Closer); ok {
		m.closers = append(m.closers, closer.Close)
	}
	if err != nil {
		return err
	}
	return errors.Join(m.checkRows(&m.Names, filepath.Join(dir, nameVectors)), m.checkRows(&m.Contexts, filepath.Join(dir, contextVectors)))
}

// openRowsOf reads whose the names and the contexts are.
func (m *Model) openRowsOf(dir string, contexts *contextFile) error {
	if err := m.openNames(dir); err != nil {
		return err
	}
	return m.openContexts(contexts)
}

// openNames reads the dictionary and the names that texts give its concepts.
func (m *Model) openNames(dir string) error {
	path := filepath.Join(dir, conceptsFile)
	dict, _, err := dictionary.Read(path, dictionary.Options{Strict: true})
	if err != nil {
		return err
	}
	if got, want := dict.Hash(), m.Manifest.Dictionary.Hash; got != want {
		return &FileError{path, fmt.Sprintf("is another dictionary: hash %s, want %s", got, want)}
	}
	mined, err := ReadMined(dir)
	if err != nil {
		return err
	}
	m.Dictionary = dict
	names, err := newExemplarIndex(dict, append(Names(dict), MinedNames(mined, dict)...))
	m.Names.concepts, m.Names.exemplars = names.concepts, names.exemplars // beside openIndexes, which sets the rest
	return err
}

// openContexts reads whose the contexts are, and leaves the rest for when it is needed.
func (m *Model) openContexts(file *contextFile) (err error) {
	m.Contexts.concepts, err = file.readConcepts(m.Dictionary)
	m.Contexts.exemplars = sync.OnceValues(file.readExemplars)
	return err
}

func readTagger(path string) (*matcher.Tagger, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	tagger, err := matcher.ReadTagger(data)
	if err != nil {
		return nil, &FileError{path, err.Error()}
	}
	return tagger, nil
}

func (m *Model) openEncoder(dir string, openEncoder OpenEncoder) error {
	facts := m.Manifest.Encoder
	if facts == nil {
		return nil
	}
	dir = filepath.Join(dir, encoderFolder)
	encoder, err := openEncoder(dir)
	if err != nil {
		return err
	}
	m.Encoder = encoder
	if got := encoder.Fingerprint(); got != facts.Fingerprint {
		return &FileError{dir, fmt.Sprintf("is another encoder than the index was made with: fingerprint %s, want %s", got, facts.Fingerprint)}
	}
	return nil
}

// openIndexes maps the vectors of an encoder, where there is one, and opens the
// indexes over them.
func (m *Model) openIndexes(dir string) error {
	if m.Manifest.Encoder == nil {
		return nil
	}
	if err := m.openRows(&m.Names, dir, nameVectors, nameGraph, m.Manifest.Index.NameIndex); err != nil {
		return err
	}
	return m.openRows(&m.Contexts, dir, contextVectors, contextGraph, m.Manifest.Index.ContextIndex)
}

func (m *Model) openRows(rows *Rows, dir, vectorFile, graphFile string, kind knnindex.Kind) error {
	vectors, err := knnindex.OpenNPY(filepath.Join(dir, vectorFile))
	if err != nil {
		return err
	}
	m.closers = append(m.closers, vectors.Close)
	rows.Vectors = vectors
	if kind != knnindex.KindHNSW {
		rows.Index = knnindex.NewFlat(vectors)
		return nil
	}
	graph, err := knnindex.OpenHNSW(filepath.Join(dir, graphFile), vectors)
	if err != nil {
		return err
	}
	rows.Index = graph
	return nil
}

// checkRows holds the vectors of rows, which are in file, against the exemplars and
// the encoder.
func (m *Model) checkRows(rows *Rows, file string) error {
	if v := rows.Vectors; v != nil && (v.Len() != rows.Len() || v.Dim != m.Encoder.Dim()) {
		return &FileError{file, fmt.Sprintf("is %d x %d, want %d x %d", v.Len(), v.Dim, rows.Len(), m.Encoder.Dim())}
	}
	return nil
}

// HasTree reports whether a concept of the dictionary has a parent in it.
func (m *Model) HasTree() bool {
	for i := range m.Dictionary.Len() {
		for _, id := range m.Dictionary.At(i).Parents {
			if parent, ok := m.Dictionary.Index(id); ok && parent != i {
				return true
			}
		}
	}
	return false
}

// nearest encodes queries and finds the k rows nearest to each.
func (m *Model) nearest(ctx context.Context, queries []ctxnorm.Query, rows *Rows, k int) (vectors []float32, hits [][]knnindex.Hit, err error) {
	vectors = make([]float32, len(queries)*m.Encoder.Dim())
	if err := m.Encoder.Encode(ctx, vectors, queries); err != nil {
		return nil, nil, err
	}
	hits, err = rows.Index.SearchBatch(ctx, vectors, k, 0)
	return vectors, hits, err
}

// Close releases the encoder and the mapped files.
func (m *Model) Close() error {
	var faults []error
	for _, closer := range m.closers {
		faults = append(faults, closer())
	}
	m.closers = nil
	return errors.Join(faults...)
}
