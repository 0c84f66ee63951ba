package corpus

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// formatVersion is the format of the corpus folders that this package writes and reads. To change the format, raise it
// and regenerate testdata/v0.1.0: go test ./internal/checks -run TestFolders -update.
const formatVersion = 1

// definitionTagging is the version of the rules that tag short forms by their definition. Raise it when a change tags
// other mentions.
const definitionTagging = 1

// Names of the files in a corpus folder.
const (
	manifestName  = "manifest.json"
	sentencesName = "sentences.parquet"
	recordsName   = "records.parquet"
	pairsName     = "pairs.parquet"
	tmpDirName    = "tmp" // in the temporary folder of a corpus, for intermediate files of a merge
)

// Manifest describes the inputs and the content of a corpus. It contains no time and no absolute path, so the same
// inputs give the same bytes.
type Manifest struct {
	Format   int      `json:"format"`
	Settings Settings `json:"settings"`
	Inputs   []Input  `json:"inputs"` // ordered by name, then SHA-256; files with equal content are listed once
	Totals   Totals   `json:"totals"`
	Dropped  Dropped  `json:"dropped"`
	Files    []File   `json:"files"`
}

// Settings are the settings that must be equal for corpora to be merged.
type Settings struct {
	Dictionary DictionaryInfo `json:"dictionary"`
	Tagger     string         `json:"tagger"` // fingerprint
	// DefinitionTagging is the version of the rules that tag short forms defined by a record.
	DefinitionTagging int             `json:"definition_tagging,omitempty"`
	PairExtractor     string          `json:"pair_extractor,omitempty"` // fingerprint; empty without pairs
	NameFilterReport  json.RawMessage `json:"name_filter,omitempty"`    // [Options.NameFilterReport] as JSON
	SentencesPerName  int             `json:"sentences_per_name"`
	Texts             int             `json:"texts,omitempty"` // size of the sample of texts
	Seed              uint64          `json:"seed"`
	ExcludedPMIDs     int             `json:"excluded_pmids"`  // number of PMIDs in the exclusion list
	ExcludedSHA256    string          `json:"excluded_sha256"` // of the exclusion list, sorted, one PMID per line
}

// DictionaryInfo identifies the dictionary whose names were tagged.
type DictionaryInfo struct {
	File     string `json:"file"` // base name
	SHA256   string `json:"sha256"`
	Concepts int    `json:"concepts"`
	Names    int    `json:"names"`
}

// Input is one file of PubMed XML and the counts of its content, including superseded and deleted records.
type Input struct {
	Name      string    `json:"name"` // base name
	SHA256    string    `json:"sha256"`
	Bytes     int64     `json:"bytes"`
	Records   int       `json:"records"`   // readable records
	Excluded  int       `json:"excluded"`  // records whose PMID is in the exclusion list
	Deletions int       `json:"deletions"` // PMIDs under DeleteCitation
	Sentences int       `json:"sentences"` // in the records that are not excluded
	Tagged    int       `json:"tagged"`    // sentences with a mention
	Mentions  int       `json:"mentions"`
	Defined   int       `json:"defined"`            // mentions tagged by their definition
	NIL       int       `json:"nil"`                // mentions among Defined without a concept
	Broken    int       `json:"broken"`             // places where the XML or compressed data is broken
	Problems  []Problem `json:"problems,omitempty"` // the first 20 broken places
}

// Problem is a place where an input file is broken.
type Problem struct {
	Offset int64  `json:"offset"`         // in the decompressed XML, in bytes; -1 in a file of documents
	Line   int    `json:"line,omitempty"` // in a file of documents, from 1; 0 if Reason gives the place
	Reason string `json:"reason"`
}

// Totals counts the content of the records that count and of the sample.
type Totals struct {
	Records         int `json:"records"`
	Sentences       int `json:"sentences"`
	Tagged          int `json:"tagged"` // sentences with a mention
	Mentions        int `json:"mentions"`
	Defined         int `json:"defined"`          // mentions tagged by their definition
	NIL             int `json:"nil"`              // mentions among Defined with a long form that is not a name
	Sampled         int `json:"sampled"`          // sentences in the corpus
	SampledMentions int `json:"sampled_mentions"` // mentions in the corpus
	Names           int `json:"names"`            // distinct names in the corpus
	Concepts        int `json:"concepts"`         // distinct concepts in the corpus
	Pairs           int `json:"pairs"`            // distinct pairs in pairs.parquet
}

// Dropped counts what is missing from the corpus, by reason.
//
// INVARIANT: the sum of Records over all inputs is Totals.Records + Excluded + Superseded + Deleted.
type Dropped struct {
	Excluded   int `json:"excluded_records"`    // PMID is in the exclusion list
	Superseded int `json:"superseded_records"`  // there is a later version or copy
	Deleted    int `json:"deleted_records"`     // PMID is under a DeleteCitation
	Broken     int `json:"broken_places"`       // in the XML or compressed data
	Untagged   int `json:"untagged_sentences"`  // without a mention
	Unsampled  int `json:"unsampled_sentences"` // not sampled for any of their names
}

// File identifies a file of the corpus folder.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// tables returns the names of the Parquet files in the folder.
func (m *Manifest) tables() []string {
	if m.Settings.PairExtractor == "" {
		return []string{sentencesName, recordsName}
	}
	return []string{sentencesName, recordsName, pairsName}
}

// file returns the manifest's entry for a file, or the zero value if there is none.
func (m *Manifest) file(name string) (listed File) {
	for _, f := range m.Files {
		if f.Name == name {
			listed = f
		}
	}
	return listed
}

// SentencesSHA256 returns the SHA-256 of sentences.parquet, which identifies the sentences of the corpus, or "" if the
// manifest does not list the file.
func (m *Manifest) SentencesSHA256() string { return m.file(sentencesName).SHA256 }

// settings returns the options in the form stored in the manifest.
func (o *Options) settings() (Settings, error) {
	exclusionHash := sha256.New()
	pmids := make([]string, 0, len(o.Exclude))
	for pmid, excluded := range o.Exclude {
		if excluded {
			pmids = append(pmids, pmid)
		}
	}
	slices.SortFunc(pmids, comparePMIDs)
	for _, pmid := range pmids {
		fmt.Fprintln(exclusionHash, pmid)
	}
	s := Settings{
		Tagger:            o.Tagger.Fingerprint(),
		DefinitionTagging: definitionTagging,
		SentencesPerName:  o.SentencesPerName,
		Texts:             textsPerCorpus,
		Seed:              o.Seed,
		ExcludedPMIDs:     len(pmids),
		ExcludedSHA256:    hex.EncodeToString(exclusionHash.Sum(nil)),
	}
	if o.PairExtractor != nil {
		s.PairExtractor = o.PairExtractor.Fingerprint()
	}
	if o.DictionaryPath != "" {
		s.Dictionary.File = filepath.Base(o.DictionaryPath)
	}
	if d := o.Dictionary; d != nil {
		s.Dictionary.SHA256, s.Dictionary.Concepts, s.Dictionary.Names = d.Hash(), d.Len(), d.CountNames()
	}
	if o.NameFilterReport != nil {
		var err error
		if s.NameFilterReport, err = json.Marshal(o.NameFilterReport); err != nil {
			return Settings{}, fmt.Errorf("name filter report: %w", err)
		}
	}
	return s, nil
}

// differences lists the settings that differ but must be equal for a merge, each with both values.
func (s *Settings) differences(o *Settings) []string {
	var differing []string
	differ := func(name string, a, b any) {
		if a != b {
			differing = append(differing, fmt.Sprintf("%s (%v and %v)", name, a, b))
		}
	}
	differ("dictionary", s.Dictionary.SHA256, o.Dictionary.SHA256)
	differ("tagger", s.Tagger, o.Tagger)
	differ("definition tagging", s.DefinitionTagging, o.DefinitionTagging)
	differ("pair extractor", s.PairExtractor, o.PairExtractor)
	differ("sentences per name", s.SentencesPerName, o.SentencesPerName)
	differ("texts", s.Texts, o.Texts)
	differ("seed", s.Seed, o.Seed)
	differ("excluded documents", s.ExcludedSHA256, o.ExcludedSHA256)
	return differing
}

// readManifest reads the manifest of a corpus folder.
func readManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, manifestName)
	var m Manifest
	err := artifact.ReadManifest(path, "corpus", formatVersion, &m)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no corpus here, or an unfinished one: %w", dir, err)
	}
	if err != nil {
		return nil, err
	}
	// The report is indented with the rest of the manifest. Compacting it restores the output of json.Marshal.
	var compact bytes.Buffer
	if len(m.Settings.NameFilterReport) > 0 {
		if err := json.Compact(&compact, m.Settings.NameFilterReport); err != nil {
			return nil, artifact.Damaged(path, "%v", err)
		}
		m.Settings.NameFilterReport = compact.Bytes()
	}
	return &m, nil
}

// digest returns the size and SHA-256 of the file.
func (f *File) digest() artifact.Digest { return artifact.Digest{Size: f.Bytes, SHA256: f.SHA256} }
