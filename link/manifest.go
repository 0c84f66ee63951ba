package link

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"ctxnorm/knnindex"
)

// FormatVersion is the version of a model folder. Its history:
//
//	1  manifest.json, dictionary/, encoder/ (none without an encoder), index/
//	2  mined/abbreviations.jsonl; a folder of version 1 is read as one without
const FormatVersion = 2

// The files of a model folder, slash-separated.
const (
	manifestFile      = "manifest.json"
	conceptsFile      = "dictionary/concepts.jsonl"
	taggerFile        = "dictionary/tagger.fst"
	encoderFolder     = "encoder"
	trainingFolder    = "training" // the curve: curve.jsonl, curve.png
	nameVectors       = "index/names.npy"
	nameGraph         = "index/names.hnsw"
	contextVectors    = "index/contexts.npy"
	contextGraph      = "index/contexts.hnsw"
	contextExemplars  = "index/contexts.parquet"
	minedFile         = "mined/synonyms.jsonl"      // absent where nothing was mined
	abbreviationsFile = "mined/abbreviations.jsonl" // absent where nothing was mined
	calibrationFile   = "calibration.json"
)

// Manifest says what a model folder holds and what it was made from. It is
// written last, so a folder without one is not a model.
type Manifest struct {
	Format     int                   `json:"format"`
	Dictionary DictionaryFacts       `json:"dictionary"`
	Corpus     CorpusFacts           `json:"corpus"`
	Encoder    *EncoderFacts         `json:"encoder,omitempty"` // absent where there is none
	Index      IndexFacts            `json:"index"`
	Training   json.RawMessage       `json:"training,omitempty"` // settings and outcome of training; absent for an index built without
	Files      map[string]FileDigest `json:"files"`
}

// DictionaryFacts describe the dictionary that the model links to.
type DictionaryFacts struct {
	Source   string  `json:"source"`   // base name of the user's file
	Fraction float64 `json:"fraction"` // share of its names that were used
	Seed     uint64  `json:"seed"`     // by which the names and the exemplars were drawn
	Hash     string  `json:"hash"`     // of what was used
	Concepts int     `json:"concepts"`
	Names    int     `json:"names"`
}

// CorpusFacts describe where the contexts come from.
type CorpusFacts struct {
	SHA256    string `json:"sha256"`    // of its sentences.parquet
	Sentences int    `json:"sentences"` // of the corpus
	Mentions  int    `json:"mentions"`  // that the dictionary's names found in them
}

// EncoderFacts describe the encoder whose vectors the index holds.
type EncoderFacts struct {
	Base        string `json:"base"` // the model that it was trained from, as it was named
	Fingerprint string `json:"fingerprint"`
	Dim         int    `json:"dim"`
}

// IndexFacts describe the rows that are searched.
type IndexFacts struct {
	Names      int `json:"names"`
	Mined      int `json:"mined"` // of Names, those that texts gave
	Contexts   int `json:"contexts"`
	PerConcept int `json:"per_concept"` // contexts a concept, at most
	// Kinds of index; empty without an encoder.
	NameIndex    knnindex.Kind `json:"name_index,omitempty"`
	ContextIndex knnindex.Kind `json:"context_index,omitempty"`
}

// FileDigest is the size in bytes and the hexadecimal SHA-256 of a file.
type FileDigest struct {
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// FileError is a file of a model folder that is not what the manifest says.
type FileError struct {
	Path   string
	Reason string
}

func (e *FileError) Error() string { return e.Path + ": " + e.Reason }

// ReadManifest reads the manifest of the model in dir.
func ReadManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, manifestFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &FileError{dir, "is no model: it has no " + manifestFile}
	}
	if err != nil {
		return nil, err
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, &FileError{path, "is not the manifest of a model: " + err.Error()}
	}
	if m.Format < 1 || m.Format > FormatVersion {
		return nil, &FileError{path, fmt.Sprintf("model format is %d, want 1 to %d", m.Format, FormatVersion)}
	}
	if m.Dictionary.Hash == "" {
		return nil, &FileError{path, "is not the manifest of a model: it names no dictionary"}
	}
	return &m, nil
}

// Verify compares every file of the model in dir with the manifest, by size and
// SHA-256, and names all that are missing, changed or not listed.
func Verify(dir string) (*Manifest, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := checkSize(path, m.Files[name]); err != nil {
			faults = append(faults, err)
			continue
		}
		digest, err := digestOf(path)
		if err != nil {
			faults = append(faults, err)
		} else if digest != m.Files[name] {
			faults = append(faults, &FileError{path, "is damaged: its SHA-256 is " + digest.SHA256 + ", want " + m.Files[name].SHA256})
		}
	}
	present, err := listFiles(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range present {
		if _, listed := m.Files[name]; !listed && name != manifestFile {
			faults = append(faults, &FileError{filepath.Join(dir, filepath.FromSlash(name)), "is not listed in " + manifestFile})
		}
	}
	return m, errors.Join(faults...)
}

// checkSizes finds files that are missing or cut short without reading them.
func (m *Manifest) checkSizes(dir string) error {
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		if err := checkSize(filepath.Join(dir, filepath.FromSlash(name)), m.Files[name]); err != nil {
			return err
		}
	}
	return nil
}

func checkSize(path string, want FileDigest) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &FileError{path, "is missing"}
	}
	if err != nil {
		return err
	}
	if info.Size() != want.Size {
		return &FileError{path, fmt.Sprintf("has %d bytes, want %d", info.Size(), want.Size)}
	}
	return nil
}

func digestOf(path string) (FileDigest, error) {
	f, err := os.Open(path)
	if err != nil {
		return FileDigest{}, err
	}
	defer f.Close()
	h := sha256.New()
	size, err := io.Copy(h, f)
	if err != nil {
		return FileDigest{}, err
	}
	return FileDigest{size, hex.EncodeToString(h.Sum(nil))}, nil
}

// listFiles lists the files under dir, slash-separated and sorted.
func listFiles(dir string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		names = append(names, filepath.ToSlash(name))
		return err
	})
	slices.Sort(names)
	return names, err
}
