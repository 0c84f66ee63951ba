package model

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/knnindex"
)

// FormatVersion is the format of the model folders that this package writes and reads. To change the format, raise it
// and regenerate testdata/v0.1.0: go test ./internal/checks -run TestFolders -update.
const FormatVersion = 1

// nameForms is the version of the forms, tokens and weights of names that models store. Raise it when they change,
// which a test notices. Those of another version are computed anew when the model is opened or first needs them.
const nameForms = 17

// The files of a model folder, as slash-separated paths relative to it.
const (
	manifestFile      = "manifest.json"
	conceptsFile      = "dictionary/concepts.idx" // see [kb.Dictionary.Write]
	taggerFile        = "dictionary/tagger.idx"
	encoderFolder     = "encoder"
	encoderWeights    = "model.safetensors"        // in this folder, and in BaseEncoderFolder
	baseMeanName      = "index/base-mean-name.npy" // absent without a base encoder
	recognizerFolder  = "recognizer"               // absent in a model without a recognizer
	trainingFolder    = "training"                 // the training log: curve.jsonl, .png, .svg
	namesFile         = "index/names.idx"          // a file of safetensors
	nameVectors       = "index/names.npy"
	nameGraph         = "index/names.hnsw"
	contextVectors    = "index/contexts.npy"
	sentenceVectors   = "index/sentences.npy"
	contextGraph      = "index/contexts.hnsw"
	latentWords       = "index/words.txt" // absent, like latentVectors, if the corpus has too few texts
	latentVectors     = "index/words.npy"
	contextExemplars  = "index/contexts.parquet"
	minedFile         = "mined/synonyms.jsonl"      // absent if no synonyms were mined
	abbreviationsFile = "mined/abbreviations.jsonl" // absent if no abbreviations were mined
	// in the format of contextExemplars; absent if the corpus has no texts
	hiddenFile = "index/hidden-definitions.parquet"
)

// BaseEncoderFolder is the folder of the base encoder in a model. It is absent if the caller brought the encoder.
const BaseEncoderFolder = "base-encoder"

// CalibrationFile is the file of a model folder that holds the [Calibration]. It is absent
// if the model was not calibrated.
const CalibrationFile = "calibration.json"

// Manifest describes the content of a model folder and the data that the model was built from. It is the content of
// manifest.json, which is written last, so a folder without it is not a model.
type Manifest struct {
	Format     int            `json:"format"`
	Dictionary DictionaryInfo `json:"dictionary"`
	Corpus     CorpusInfo     `json:"corpus"`
	Encoder    *EncoderInfo   `json:"encoder,omitempty"` // absent in a model without an encoder
	// BaseEncoder is the base model before training; absent if the caller brought the encoder.
	BaseEncoder *EncoderInfo    `json:"base_encoder,omitempty"`
	Index       IndexInfo       `json:"index"`
	Recognizer  *RecognizerInfo `json:"recognizer,omitempty"` // absent in a model without a recognizer
	// NoMentions are names that annotated documents mostly leave unmarked; none without annotated documents.
	NoMentions []string `json:"no_mentions,omitempty"`
	// settings and results of training; absent if the encoder was not trained
	Training json.RawMessage  `json:"training,omitempty"`
	Files    artifact.Digests `json:"files"`
}

// DictionaryInfo describes the dictionary that the model links to.
type DictionaryInfo struct {
	Source   string  `json:"source"`   // base name of the user's file
	Fraction float64 `json:"fraction"` // share of its names that were used, 0 to 1
	Seed     uint64  `json:"seed"`     // for sampling names and exemplars
	Hash     string  `json:"hash"`     // [kb.Dictionary.Hash] of the names that were used
	Concepts int     `json:"concepts"`
	Names    int     `json:"names"`
	// Report is the report on reading the user's file; absent if it was not kept.
	Report json.RawMessage `json:"report,omitempty"`
}

// CorpusInfo describes the corpus that the contexts were sampled from.
type CorpusInfo struct {
	SHA256    string `json:"sha256"`    // of its sentences.parquet
	Sentences int    `json:"sentences"` // in the corpus
	Mentions  int    `json:"mentions"`  // occurrences of the dictionary's names in these sentences
}

// EncoderInfo describes the encoder that computed the vectors of the index.
type EncoderInfo struct {
	Base        string `json:"base"` // the base model that the encoder was trained from, as the user named it
	Fingerprint string `json:"fingerprint"`
	Dim         int    `json:"dim"`
}

// RecognizerInfo describes the recognizer of mentions.
type RecognizerInfo struct {
	Words        int     `json:"words"`
	Completeness float64 `json:"completeness"` // estimated share of the mentions in texts that are names in the dictionary
	Bias         float64 `json:"bias"`         // derived from Completeness
}

// IndexInfo describes the rows that a linker searches.
type IndexInfo struct {
	Names      int `json:"names"`
	Mined      int `json:"mined"` // how many of Names are synonyms mined from the corpus
	Contexts   int `json:"contexts"`
	PerConcept int `json:"per_concept"`     // maximum number of contexts of a concept
	Words      int `json:"words,omitempty"` // words that have a vector by latent semantic analysis
	// ContextWords is the [normalize.ContentWordsVersion] of the words in index/contexts.parquet; absent without them.
	ContextWords int `json:"context_words,omitempty"`
	// NameForms is the version of the names' forms in index/names.idx and dictionary/tagger.idx: see nameForms.
	NameForms int `json:"name_forms,omitempty"`
	// The kinds of index; empty without an encoder.
	NameIndex    knnindex.Kind `json:"name_index,omitempty"`
	ContextIndex knnindex.Kind `json:"context_index,omitempty"`
	// Token counts of the names and of the contexts' sentences; absent if there is no encoder that counts tokens.
	NameTokens    *TokenInfo `json:"name_tokens,omitempty"`
	ContextTokens *TokenInfo `json:"context_tokens,omitempty"`
	// Unread is the number of names made up of unknown tokens alone. Their rows of index/names.npy are zero.
	Unread int `json:"unread_names,omitempty"`
}

// ReadManifest reads the manifest of the model in dir. It returns a [*files.DamagedError] if dir does not hold a model
// or holds one that this version cannot read.
func ReadManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, manifestFile)
	var m Manifest
	err := artifact.ReadManifest(path, "model", FormatVersion, &m)
	switch info, statErr := os.Stat(dir); {
	case errors.Is(statErr, fs.ErrNotExist):
		return nil, artifact.Damaged(dir, "is not a model: there is no such folder")
	case statErr == nil && !info.IsDir():
		return nil, artifact.Damaged(dir, "is not a model: it is not a folder")
	case errors.Is(err, fs.ErrNotExist):
		return nil, artifact.Damaged(dir, "is not a model: it has no %s", manifestFile)
	}
	if err != nil {
		return nil, err
	}
	if m.Dictionary.Hash == "" {
		return nil, artifact.Damaged(path, "is not the manifest of a model: it has no dictionary hash")
	}
	for _, name := range m.Files.Names() {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil, artifact.Damaged(path, "lists %q, which is not a file of the folder", name)
		}
	}
	return &m, nil
}

// Verify compares every file of the model in dir with the manifest, by size, SHA-256 and the checksums of its blocks.
// The error joins a [*files.DamagedError] for each file that is missing, changed or not listed. If the model is
// replaced meanwhile, Verify starts over with the new one.
func Verify(dir string) (*Manifest, error) {
	return artifact.ReadFolder(dir, func(dir string) (*Manifest, error) {
		m, err := ReadManifest(dir)
		if err == nil {
			err = m.Files.Check(dir, manifestFile)
		}
		return m, err
	})
}

// Each file of an opened model is compared with the manifest before it is parsed or mapped. This happens when the model
// is opened, or on first use for the tagger, the recognizer, hidden definitions and the base encoder. Files in
// training/ are not compared, because no answer depends on them.

// checkFile compares a file of the model in dir with the manifest.
func (m *Manifest) checkFile(dir, name string) error {
	digest, listed := m.Files[name]
	if !listed {
		return artifact.Damaged(pathIn(dir, manifestFile), "does not list %s", name)
	}
	return digest.CheckSum(pathIn(dir, name))
}

// checked returns the path of a file of the model after comparing the file with the manifest. While a model is being
// built its manifest lists no files, so checked compares nothing.
func (m *Model) checked(name string) (path string, err error) {
	if m.folder != nil {
		err = m.Manifest.checkFile(m.Dir, name)
	}
	return m.path(name), err
}

// openFile opens a file of the model after comparing it with the manifest.
func openFile[T any](m *Model, name string, open func(path string) (T, error)) (file T, err error) {
	path, err := m.checked(name)
	if err == nil {
		file, err = open(path)
	}
	return file, err
}

// openListed is like openFile, but returns the zero value if the manifest does not list the file.
func openListed[T any](m *Model, name string, open func(path string) (T, error)) (file T, err error) {
	if _, listed := m.Manifest.Files[name]; !listed {
		return file, nil
	}
	return openFile(m, name, open)
}

// checkFolder compares the files in a folder of the model in dir with the manifest.
func (m *Manifest) checkFolder(dir, folder string) error {
	for _, name := range m.Files.Names() {
		if strings.HasPrefix(name, folder+"/") {
			if err := m.checkFile(dir, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// pathIn returns the path of a file of the model in dir. name is separated by slashes.
func pathIn(dir, name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
