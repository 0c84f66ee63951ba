package link

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

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
	Tagger     *matcher.Tagger
	Encoder    ctxnorm.Encoder // nil where the model has none
	Names      Rows
	Contexts   Rows
	// Abbreviations says what short forms stand for in the corpus; it is empty where
	// nothing was mined.
	Abbreviations *mine.AbbreviationTable
	Calibration   *Calibration
	closers       []func() error
}

// Rows are exemplars, their vectors and the index over these, row by row. Without
// an encoder there are only the exemplars.
type Rows struct {
	Exemplars []ctxnorm.Exemplar
	Vectors   *knnindex.Vectors
	Index     knnindex.Index
}

// Exemplar is the exemplar of a row of the index.
func (r *Rows) Exemplar(row int32) *ctxnorm.Exemplar { return &r.Exemplars[row] }

// OpenEncoder opens an encoder folder. It is nil in a build without one.
type OpenEncoder func(dir string) (ctxnorm.Encoder, error)

var (
	// ErrNoEncoder says that a model has an encoder and this build cannot run it.
	ErrNoEncoder = errors.New("the model needs an encoder, and this build of ctxnorm has none")
	// ErrNoVectors says that a linker needs vectors and the model was made without.
	ErrNoVectors = errors.New("the model was made without an encoder, and has no vectors to vote")
)

// Open opens the model in dir. Files that are missing, cut short or of another
// model are refused by name; [Verify] finds any change of a byte as well.
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
	if err := m.openDictionary(dir); err != nil {
		return err
	}
	var err error
	if m.Contexts.Exemplars, err = readContexts(filepath.Join(dir, contextExemplars)); err != nil {
		return err
	}
	mined, err := ReadMined(dir)
	if err != nil {
		return err
	}
	if m.Abbreviations, err = ReadAbbreviations(dir); err != nil {
		return err
	}
	m.Names.Exemplars = append(Names(m.Dictionary), MinedNames(mined, m.Dictionary)...)
	facts := m.Manifest.Encoder
	if facts == nil {
		return nil
	}
	if openEncoder == nil {
		return ErrNoEncoder
	}
	encoderDir := filepath.Join(dir, encoderFolder)
	if m.Encoder, err = openEncoder(encoderDir); err != nil {
		return err
	}
	if closer, ok := m.Encoder.(interface{ Close() error }); ok {
		m.closers = append(m.closers, closer.Close)
	}
	if got := m.Encoder.Fingerprint(); got != facts.Fingerprint {
		return &FileError{encoderDir, fmt.Sprintf("is another encoder than the index was made with: fingerprint %s, want %s", got, facts.Fingerprint)}
	}
	return m.openIndexes(dir)
}

// openIndexes opens the indexes over exemplars that are read already.
func (m *Model) openIndexes(dir string) error {
	if err := m.openRows(&m.Names, dir, nameVectors, nameGraph, m.Manifest.Index.NameIndex); err != nil {
		return err
	}
	return m.openRows(&m.Contexts, dir, contextVectors, contextGraph, m.Manifest.Index.ContextIndex)
}

func (m *Model) openDictionary(dir string) error {
	path := filepath.Join(dir, conceptsFile)
	dict, _, err := dictionary.Read(path, dictionary.Options{Strict: true})
	if err != nil {
		return err
	}
	if got, want := dict.Hash(), m.Manifest.Dictionary.Hash; got != want {
		return &FileError{path, fmt.Sprintf("is another dictionary: hash %s, want %s", got, want)}
	}
	m.Dictionary = dict
	path = filepath.Join(dir, taggerFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if m.Tagger, err = matcher.ReadTagger(data); err != nil {
		return &FileError{path, err.Error()}
	}
	return nil
}

// openRows maps the vectors of rows whose exemplars are read already, and their
// graph.
func (m *Model) openRows(rows *Rows, dir, vectorFile, graphFile string, kind knnindex.Kind) error {
	path := filepath.Join(dir, vectorFile)
	vectors, err := knnindex.OpenNPY(path)
	if err != nil {
		return err
	}
	m.closers = append(m.closers, vectors.Close)
	if vectors.Len() != len(rows.Exemplars) || vectors.Dim != m.Encoder.Dim() {
		return &FileError{path, fmt.Sprintf("is %d x %d, want %d x %d", vectors.Len(), vectors.Dim, len(rows.Exemplars), m.Encoder.Dim())}
	}
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

// near encodes queries and finds the k rows nearest to each.
func (m *Model) near(ctx context.Context, queries []ctxnorm.Query, rows *Rows, k int) (vectors []float32, hits [][]knnindex.Hit, err error) {
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
