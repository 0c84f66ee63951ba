package model

import (
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/lsa"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/internal/recognize"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

// Model is an opened model folder. It is safe for concurrent use.
type Model struct {
	Dir        string // the folder that the model was opened from
	Manifest   *Manifest
	Dictionary *kb.Dictionary
	Names      ExemplarIndex // bare names: the dictionary's, then the synonyms mined from the corpus
	Contexts   ExemplarIndex // mentions in sentences of the corpus
	Vectors    *Vectors      // nil if the model has no encoder or was opened without it, see [Model.HasEncoder]
	// Space holds the vectors of words by latent semantic analysis; nil if the corpus had too few texts.
	Space         *lsa.Space
	Abbreviations mine.AbbreviationTable // long forms of short forms in the corpus; empty if none were mined
	Calibration   *Calibration           // never nil in an opened model; Weights is nil if the model was not calibrated

	hidden            func() ([]text.Exemplar, error)
	leftOut           func() ([]text.Exemplar, error) // see [Model.LeftOut]; nil without a filter
	hierarchical      bool                            // whether there was a hierarchy before [Model.Filter]
	corpusSynonyms    []mine.Synonym
	dictionaryIndexes *DictionaryIndexes
	noMentions        map[string]bool // phrases that are no mentions in any text, by [normalize.Phrase]
	senseNames        *sense.Names    // nil until needed, if not read from the folder
	senses            *senseIndexes
	folder            *artifact.HeldFolder // held at Dir; nil while the model is being built
	stored            *safetensors.File    // see [Model.StoredIndexes]
	tagger            func() (*matcher.Tagger, error)
	recognizer        func() (*recognize.Recognizer, error)
	closers           []func() error
}

// view returns a copy of the model that closes nothing. It shares the files of m, which must stay open while the copy
// is used.
func (m *Model) view() *Model {
	view := *m
	view.closers = nil
	return &view
}

// WithCalibration returns a copy of the model with another calibration. The copy shares everything else with m, which
// must stay open while the copy is used; the copy need not be closed.
func (m *Model) WithCalibration(c *Calibration) *Model {
	calibrated := m.view()
	calibrated.Calibration = c
	return calibrated
}

// WithoutEncoder returns the model as if it had been built without its encoder: it links by strings, words and the
// hierarchy, with the calibration learned for that, [Calibration.WithoutEncoder]. It returns m itself if m has no
// encoder, and an uncalibrated model if m has no such calibration.
//
// The copy shares everything else with m, which must stay open while the copy is used; the copy need not be closed.
func (m *Model) WithoutEncoder() *Model {
	if m.Vectors == nil {
		return m
	}
	same, manifest := m.view(), *m.Manifest
	manifest.Encoder, manifest.BaseEncoder = nil, nil
	same.Manifest, same.Vectors = &manifest, nil
	if same.Calibration = new(Calibration); m.Calibration != nil && m.Calibration.WithoutEncoder != nil {
		same.Calibration = m.Calibration.WithoutEncoder
	}
	return same
}

// Tagger returns the tagger of the dictionary's names. The first call reads its file and compares it with the manifest,
// since linking does not need it.
func (m *Model) Tagger() (*matcher.Tagger, error) { return m.tagger() }

// Recognizer returns the recognizer, which finds mentions that are not names. The first call reads its files and
// compares them with the manifest. The error is [ErrNoRecognizer] if the model has none.
func (m *Model) Recognizer() (*recognize.Recognizer, error) {
	if m.Manifest.Recognizer == nil || m.recognizer == nil {
		return nil, ErrNoRecognizer
	}
	return m.recognizer()
}

// DictionaryIndexes returns the string indexes of the dictionary's names, which all linkers of the model share.
func (m *Model) DictionaryIndexes() *DictionaryIndexes { return m.dictionaryIndexes }

// HasEncoder reports whether the model was built with an encoder. Vectors is nil even so if [Open] had no function to
// open it.
func (m *Model) HasEncoder() bool { return m.Manifest.Encoder != nil }

// CheckEncoder returns [ErrNoEncoder] if the model has an encoder but was opened without it.
func (m *Model) CheckEncoder() error {
	if m.HasEncoder() && m.Vectors == nil {
		return ErrNoEncoder
	}
	return nil
}

// CheckVectors is like CheckEncoder, but also returns [ErrNoVectors] if the model was built without an encoder.
func (m *Model) CheckVectors() error {
	if err := m.CheckEncoder(); err != nil {
		return err
	}
	if m.Vectors == nil {
		return ErrNoVectors
	}
	return nil
}

// EncoderPath returns the folder of the encoder in the model folder dir.
func EncoderPath(dir string) string { return filepath.Join(dir, encoderFolder) }

// OpenEncoder opens an encoder folder. weightsSHA256 is the SHA-256 of its model.safetensors, which has been compared
// with the manifest; "" if there is none. A program that needs no encoder passes nil to [Open]. If the encoder is an
// [io.Closer], [Model.Close] closes it.
type OpenEncoder func(dir, weightsSHA256 string) (text.Encoder, error)

var (
	// ErrNoEncoder reports that an operation needs the encoder of the model, which this build cannot run.
	ErrNoEncoder = errors.New("this build of ctxnorm cannot run the model's encoder")
	// ErrNoRecognizer reports that the model has no recognizer.
	ErrNoRecognizer = errors.New("the model has no recognizer: it was made without a corpus, or with too few texts")
	// ErrNoVectors reports that a linker needs vectors but the model was built without an encoder.
	ErrNoVectors = errors.New("the model was built without an encoder and has no vectors to search")
)

// Open opens the model in dir. It reads files concurrently and maps vectors into memory. The sentences of contexts and
// the tagger are read when they are first needed.
//
// No answer comes from data that differs from what was written. Open compares every file that it reads or maps with the
// checksums in the manifest, and returns a [*files.DamagedError] if one is missing, truncated, changed or from another
// model. It misses only damage that happens after a file was compared, and damage to the training log, which [Verify]
// finds.
//
// If openEncoder is nil or returns [ErrNoEncoder], the model is opened without its encoder and vectors, and operations
// that need them return [ErrNoEncoder].
func Open(dir string, openEncoder OpenEncoder) (*Model, error) {
	return artifact.ReadFolder(dir, func(dir string) (*Model, error) { return openOnce(dir, openEncoder, readCalibration) })
}

// OpenUncalibrated is like [Open] but does not read calibration.json, so a model with a damaged calibration can be
// calibrated again. Calibration is nil.
func OpenUncalibrated(dir string, openEncoder OpenEncoder) (*Model, error) {
	none := func(*Model) (*Calibration, error) { return nil, nil }
	return artifact.ReadFolder(dir, func(dir string) (*Model, error) { return openOnce(dir, openEncoder, none) })
}

// OpenVectors opens the model in dir with its vectors but without its encoder, which this build may be unable to run.
// Encoding returns [ErrNoEncoder].
func OpenVectors(dir string) (*Model, error) {
	return Open(dir, func(folder, _ string) (text.Encoder, error) {
		manifest, err := ReadManifest(dir)
		if err != nil {
			return nil, err
		}
		if filepath.Base(folder) == BaseEncoderFolder {
			return recordedEncoder{manifest.BaseEncoder}, nil
		}
		return recordedEncoder{manifest.Encoder}, nil
	})
}

// recordedEncoder stands for the encoder that a manifest describes. It cannot encode.
type recordedEncoder struct{ info *EncoderInfo }

func (e recordedEncoder) Dim() int            { return e.info.Dim }
func (e recordedEncoder) Fingerprint() string { return e.info.Fingerprint }
func (recordedEncoder) Encode(context.Context, []float32, []text.Query) error {
	return ErrNoEncoder
}

// openOnce opens the model in dir with its calibration.
func openOnce(dir string, openEncoder OpenEncoder, calibration func(*Model) (*Calibration, error)) (*Model, error) {
	manifest, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	files := maps.Clone(manifest.Files)
	delete(files, CalibrationFile) // see readCalibration
	if err := files.CheckSizes(dir); err != nil {
		return nil, err
	}
	folder, err := artifact.HoldFolder(dir)
	if err != nil {
		return nil, err
	}
	m := &Model{Dir: dir, Manifest: manifest, folder: folder, closers: []func() error{folder.Close}}
	m.addNoMentions(&Additions{NoMentions: manifest.NoMentions})
	if err = m.open(openEncoder); err == nil {
		m.Calibration, err = calibration(m)
	}
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

func (m *Model) open(openEncoder OpenEncoder) error {
	m.tagger = m.storedTagger()
	m.recognizer = whenNeeded(m, m.readRecognizer)
	m.hidden = whenNeeded(m, m.readHiddenDefinitions)
	contexts, err := openFile(m, contextExemplars, os.Open)
	if err != nil {
		return err
	}
	m.closers = append(m.closers, contexts.Close)
	m.Contexts.exemplars = sync.OnceValues(func() ([]text.Exemplar, error) { return readContexts(contexts) })
	if err := m.readNames(); err != nil {
		return err
	}
	err = parallel.Do(
		func() error { return m.openVectors(openEncoder) },
		func() (err error) {
			m.Abbreviations, err = openListed(m, abbreviationsFile, readAbbreviations)
			return err
		},
		m.openSpace,
	)
	if m.Space != nil {
		m.closers = append(m.closers, m.Space.Close)
	}
	if err != nil {
		return err
	}
	m.deriveSenses()
	if m.Manifest.Index.ContextWords == normalize.ContentWordsVersion {
		m.senses.profiles = sync.OnceValues(func() (*sense.Profiles, error) { return m.storedProfiles(contexts) })
	}
	if m.Vectors == nil {
		return nil
	}
	return errors.Join(
		m.checkVectors(m.Vectors.Names.Vectors, m.Names.Len(), nameVectors),
		m.checkVectors(m.Vectors.Contexts.Vectors, m.Contexts.Len(), contextVectors),
		m.checkVectors(m.Vectors.Sentences, m.Contexts.Len(), sentenceVectors),
	)
}

// whenNeeded returns a function that reads files of the model on the first call. It returns an error if the folder was
// replaced after the model was opened, because its files are then another model's.
func whenNeeded[T any](m *Model, read func() (T, error)) func() (T, error) {
	return sync.OnceValues(func() (value T, err error) {
		err = m.folder.Read(func() (err error) {
			value, err = read()
			return err
		})
		return value, err
	})
}

// openSpace opens the vectors of words.
func (m *Model) openSpace() (err error) {
	if m.Manifest.Index.Words == 0 {
		return nil
	}
	words, err := m.checked(latentWords)
	if err != nil {
		return err
	}
	vectors, err := m.checked(latentVectors)
	if err != nil {
		return err
	}
	m.Space, err = lsa.Open(words, vectors)
	return err
}

// path returns the path of a file of the model. name is separated by slashes.
func (m *Model) path(name string) string { return pathIn(m.Dir, name) }

// readNames reads the dictionary and the synonyms mined from the corpus.
func (m *Model) readNames() error {
	dict, err := openFile(m, conceptsFile, kb.Open)
	if err != nil {
		return err
	}
	m.closers = append(m.closers, dict.Close)
	if got, want := dict.Len(), m.Manifest.Dictionary.Concepts; got != want {
		return artifact.Damaged(m.path(conceptsFile), "has %d concepts, want %d", got, want)
	}
	mined, err := openListed(m, minedFile, artifact.ReadJSONLines[mine.Synonym])
	if err != nil {
		return err
	}
	m.Dictionary, m.corpusSynonyms = dict, mined
	m.dictionaryIndexes = NewDictionaryIndexes(dict)
	return m.openNames()
}

func (m *Model) readRecognizer() (*recognize.Recognizer, error) {
	for _, file := range []string{recognize.WordsFile, recognize.NetworkFile} {
		if _, err := m.checked(recognizerFolder + "/" + file); err != nil {
			return nil, err
		}
	}
	return recognize.Open(m.path(recognizerFolder))
}

// storedTagger returns a function that opens the tagger on the first call. The model closes it.
func (m *Model) storedTagger() func() (*matcher.Tagger, error) {
	var tagger *matcher.Tagger // nil until it is open
	m.closers = append(m.closers, func() error { return tagger.Close() })
	return whenNeeded(m, func() (_ *matcher.Tagger, err error) {
		if m.Manifest.Index.NameForms != nameForms {
			return lazyTagger(m.Dictionary, m.Dictionary, m.corpusSynonyms)()
		}
		tagger, err = openFile(m, taggerFile, matcher.Open)
		return tagger, err
	})
}

// openVectors opens the encoder and its vectors, if the model has an encoder that openEncoder can open.
func (m *Model) openVectors(openEncoder OpenEncoder) error {
	if openEncoder == nil || !m.HasEncoder() {
		return nil
	}
	var encoder text.Encoder
	vectors := new(Vectors)
	err := parallel.Do(
		func() (err error) {
			encoder, err = m.openEncoderIn(encoderFolder, m.Manifest.Encoder, openEncoder)
			return err
		},
		func() error { return m.openIndexes(vectors) },
	)
	if closer, ok := encoder.(io.Closer); ok {
		m.closers = append(m.closers, closer.Close)
	}
	if errors.Is(err, ErrNoEncoder) {
		return nil
	}
	if err != nil {
		return err
	}
	vectors.Encoder, vectors.base = encoder, m.lazyBaseEncoder(openEncoder)
	m.Vectors = vectors
	return nil
}

// openEncoderIn opens the encoder in a folder of the model. If its fingerprint is wrong, it returns the encoder, which
// the caller must close, along with the error.
func (m *Model) openEncoderIn(folder string, info *EncoderInfo, openEncoder OpenEncoder) (text.Encoder, error) {
	if err := m.Manifest.checkFolder(m.Dir, folder); err != nil {
		return nil, err
	}
	dir := m.path(folder)
	encoder, err := openEncoder(dir, m.Manifest.Files[folder+"/"+encoderWeights].SHA256)
	if err != nil {
		return nil, err
	}
	if got := encoder.Fingerprint(); got != info.Fingerprint {
		return encoder,
			artifact.Damaged(dir, "is not the encoder that the index was made with: fingerprint %s, want %s", got,
				info.Fingerprint)
	}
	return encoder, nil
}

// openIndexes maps the vectors of names, contexts and sentences, and opens the indexes over them.
func (m *Model) openIndexes(v *Vectors) error {
	if err := m.openIndex(&v.Names, nameVectors, nameGraph, m.Manifest.Index.NameIndex); err != nil {
		return err
	}
	if err := m.openIndex(&v.Contexts, contextVectors, contextGraph, m.Manifest.Index.ContextIndex); err != nil {
		return err
	}
	sentences, err := m.openNPY(sentenceVectors)
	v.Sentences = sentences
	return err
}

// openNPY maps the vectors in a file of the model.
func (m *Model) openNPY(name string) (*knnindex.Vectors, error) {
	vectors, err := openFile(m, name, knnindex.OpenNPY)
	if err == nil {
		m.closers = append(m.closers, vectors.Close)
	}
	return vectors, err
}

func (m *Model) openIndex(rows *VectorIndex, vectorFile, graphFile string, kind knnindex.Kind) error {
	vectors, err := m.openNPY(vectorFile)
	if err != nil {
		return err
	}
	*rows = flatIndex(vectors)
	if kind != knnindex.KindHNSW {
		return nil
	}
	rows.Index, err = openFile(m, graphFile, func(path string) (knnindex.Index, error) { return knnindex.OpenHNSW(path, vectors) })
	return err
}

// checkVectors compares the shape of the vectors in a file of the model with the number of
// rows and the dimension of the encoder.
func (m *Model) checkVectors(v *knnindex.Vectors, rows int, file string) error {
	if dim := m.Vectors.Encoder.Dim(); v.Len() != rows || v.Dim != dim {
		return artifact.Damaged(m.path(file), "has shape %d x %d, want %d x %d", v.Len(), v.Dim, rows, dim)
	}
	return nil
}

// Close releases the encoder and the mapped files. Do not use the model or its dictionary afterwards.
func (m *Model) Close() error {
	var errs []error
	for _, closer := range m.closers {
		errs = append(errs, closer())
	}
	m.closers = nil
	return errors.Join(errs...)
}
