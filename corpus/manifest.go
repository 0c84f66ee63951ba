package corpus

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/google/renameio/v2"
)

// FormatVersion is the format of a corpus folder that this program writes.
//
//	1  sentences.parquet, records.parquet, manifest.json
//	2  pairs.parquet, where there was a miner; settings.miner, totals.pairs
//
// A folder of an older version is read as one made without what it lacks.
const FormatVersion = 2

// Names of the files in a corpus folder.
const (
	manifestName  = "manifest.json"
	sentencesName = "sentences.parquet"
	recordsName   = "records.parquet"
	pairsName     = "pairs.parquet"
	partsName     = "parts"
)

// Manifest says what a corpus was made from and what became of it. It holds no
// time and no path of the machine: the same inputs give the same bytes.
type Manifest struct {
	Format   int      `json:"format"`
	Settings Settings `json:"settings"`
	Inputs   []Input  `json:"inputs"` // by name, then hash; a file given twice stands once
	Totals   Totals   `json:"totals"`
	Dropped  Dropped  `json:"dropped"`
	Files    []File   `json:"files"`
}

// Settings is what corpora must have in common to be merged.
type Settings struct {
	Dictionary     DictionaryInfo  `json:"dictionary"`
	Tagger         string          `json:"tagger"`             // its fingerprint
	Miner          string          `json:"miner,omitempty"`    // its fingerprint; empty where there was none
	Cleaning       json.RawMessage `json:"cleaning,omitempty"` // why the tagger leaves out names: [Options.Clean]
	PerName        int             `json:"per_name"`
	Seed           uint64          `json:"seed"`
	ExcludedPMIDs  int             `json:"excluded_pmids"`  // in the list of PMIDs to leave out
	ExcludedSHA256 string          `json:"excluded_sha256"` // of the list, sorted, one PMID a line
}

// DictionaryInfo is the dictionary whose names were tagged.
type DictionaryInfo struct {
	File     string `json:"file"` // base name
	SHA256   string `json:"sha256"`
	Concepts int    `json:"concepts"`
	Names    int    `json:"names"`
}

// Input is one file of PubMed XML and what was read from it, superseded and
// deleted records included.
type Input struct {
	Name      string    `json:"name"` // base name
	SHA256    string    `json:"sha256"`
	Bytes     int64     `json:"bytes"`
	Records   int       `json:"records"`   // all that could be read
	Excluded  int       `json:"excluded"`  // of Records, in the list of PMIDs to leave out
	Deletions int       `json:"deletions"` // PMIDs under DeleteCitation
	Sentences int       `json:"sentences"` // of the records not excluded
	Tagged    int       `json:"tagged"`    // of Sentences, with a mention
	Mentions  int       `json:"mentions"`
	Broken    int       `json:"broken"`             // places where the XML or gzip is broken
	Problems  []Problem `json:"problems,omitempty"` // the first of them
}

// Problem is a place where an input file is broken.
type Problem struct {
	Offset int64  `json:"offset"` // bytes of XML, unpacked
	Reason string `json:"reason"`
}

// Totals counts what the records that count gave, and what was kept of it.
type Totals struct {
	Records         int `json:"records"`
	Sentences       int `json:"sentences"`
	Tagged          int `json:"tagged"` // sentences with a mention
	Mentions        int `json:"mentions"`
	Sampled         int `json:"sampled"`          // sentences in the corpus
	SampledMentions int `json:"sampled_mentions"` // mentions in them
	Names           int `json:"names"`            // distinct names mentioned
	Concepts        int `json:"concepts"`         // distinct concepts mentioned
	Pairs           int `json:"pairs"`            // distinct pairs in pairs.parquet
}

// Dropped counts what was left out, and why.
//
// INVARIANT: the Records of all inputs together are Totals.Records + Excluded +
// Superseded + Deleted.
type Dropped struct {
	Excluded   int `json:"excluded_records"`    // in the list of PMIDs to leave out
	Superseded int `json:"superseded_records"`  // there is a later version or copy
	Deleted    int `json:"deleted_records"`     // named by a DeleteCitation
	Broken     int `json:"broken_places"`       // in the XML or gzip
	Untagged   int `json:"untagged_sentences"`  // without a mention
	Unsampled  int `json:"unsampled_sentences"` // all their names have enough
}

// File is a file of a folder.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// tables names the Parquet files of the folder.
func (m *Manifest) tables() []string {
	if m.Settings.Miner == "" {
		return []string{sentencesName, recordsName}
	}
	return []string{sentencesName, recordsName, pairsName}
}

// SentencesSHA256 identifies the sentences of the corpus.
func (m *Manifest) SentencesSHA256() string {
	i := slices.IndexFunc(m.Files, func(f File) bool { return f.Name == sentencesName })
	if i < 0 {
		return ""
	}
	return m.Files[i].SHA256
}

// settings is what the manifest says of the options.
func (o *Options) settings() (Settings, error) {
	list := sha256.New()
	pmids := make([]string, 0, len(o.Exclude))
	for pmid, excluded := range o.Exclude {
		if excluded {
			pmids = append(pmids, pmid)
		}
	}
	slices.SortFunc(pmids, comparePMIDs)
	for _, pmid := range pmids {
		fmt.Fprintln(list, pmid)
	}
	s := Settings{
		Tagger:         o.Tagger.Fingerprint(),
		PerName:        o.PerName,
		Seed:           o.Seed,
		ExcludedPMIDs:  len(pmids),
		ExcludedSHA256: hex.EncodeToString(list.Sum(nil)),
	}
	if o.Miner != nil {
		s.Miner = o.Miner.Fingerprint()
	}
	if o.DictionaryPath != "" {
		s.Dictionary.File = filepath.Base(o.DictionaryPath)
	}
	if d := o.Dictionary; d != nil {
		s.Dictionary.SHA256, s.Dictionary.Concepts, s.Dictionary.Names = d.Hash(), d.Len(), d.CountNames()
	}
	if o.Clean != nil {
		var err error
		if s.Cleaning, err = json.Marshal(o.Clean); err != nil {
			return Settings{}, fmt.Errorf("cleaning report: %w", err)
		}
	}
	return s, nil
}

// differences names the settings in which two corpora may not differ, and do.
func (s *Settings) differences(o *Settings) []string {
	var names []string
	differ := func(name string, a, b any) {
		if a != b {
			names = append(names, fmt.Sprintf("%s (%v and %v)", name, a, b))
		}
	}
	differ("dictionary", s.Dictionary.SHA256, o.Dictionary.SHA256)
	differ("tagger", s.Tagger, o.Tagger)
	differ("miner", s.Miner, o.Miner)
	differ("sentences a name", s.PerName, o.PerName)
	differ("seed", s.Seed, o.Seed)
	differ("excluded PMIDs", s.ExcludedSHA256, o.ExcludedSHA256)
	return names
}

func readManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, manifestName)
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, fmt.Errorf("%s: no corpus here, or one that is not finished: %w", dir, err)
	}
	if err != nil {
		return nil, err
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, &DamagedError{File: path, Reason: err.Error()}
	}
	if m.Format < 1 || m.Format > FormatVersion {
		return nil, &DamagedError{File: path, Reason: fmt.Sprintf("format is %d, want 1 to %d", m.Format, FormatVersion)}
	}
	// Indented with the rest when it was written.
	var compact bytes.Buffer
	if len(m.Settings.Cleaning) > 0 {
		if err := json.Compact(&compact, m.Settings.Cleaning); err != nil {
			return nil, &DamagedError{File: path, Reason: err.Error()}
		}
		m.Settings.Cleaning = compact.Bytes()
	}
	return &m, nil
}

// writeJSON writes v to path by way of the folder tmp.
func writeJSON(path, tmp string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return renameio.WriteFile(path, append(data, '\n'), 0o644, renameio.WithTempDir(tmp))
}

// check compares a file of the folder with what the manifest says of it.
func (f *File) check(dir string) error {
	path := filepath.Join(dir, f.Name)
	hash, size, err := hashFile(path)
	if err != nil {
		return err
	}
	if size != f.Bytes {
		return &DamagedError{File: path, Reason: fmt.Sprintf("%d bytes long, want %d", size, f.Bytes)}
	}
	if hash != f.SHA256 {
		return &DamagedError{File: path, Reason: fmt.Sprintf("SHA-256 is %s, want %s", hash, f.SHA256)}
	}
	return nil
}

// hashFile gives the hexadecimal SHA-256 of a file, and its size.
func hashFile(path string) (hash string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), size, err
}
