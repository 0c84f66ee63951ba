package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// partVersion is raised when anything changes that decides what a part holds:
// how PubMed is read, how sentences are split, or the part's files.
const partVersion = 4

// record is a PubMed record, or a PMID under DeleteCitation, as records.parquet
// holds it.
type record struct {
	PMID      string `parquet:"pmid"`
	Version   int32  `parquet:"version"`
	File      int32  `parquet:"file"`   // in the order of the manifest's inputs; 0 in a part
	Record    int32  `parquet:"record"` // number in the file, from 0; of a deletion, among the deletions
	Deleted   bool   `parquet:"deleted"`
	Sentences int32  `parquet:"sentences"`
	Tagged    int32  `parquet:"tagged"` // sentences with a mention
	Mentions  int32  `parquet:"mentions"`
}

// listed is how many rows of records.parquet an input has: its excluded records
// have none.
func (in *Input) listed() int { return in.Records - in.Excluded + in.Deletions }

// part is what was made of one input file. It is named by the hash of all that
// decides what it holds, so what is there can be used.
//
//	KEY.json               its Input; written last
//	KEY.sentences          a sample, ordered by PMID, index and record; see writeRows
//	KEY.records.parquet    in the order of the file, deletions last
//	KEY.pairs.parquet      ordered by pair, PMID and record; empty without a miner
type part struct {
	base  string // path without the extensions
	input Input
}

func (p *part) sentences() string { return p.base + ".sentences" }
func (p *part) records() string   { return p.base + "." + recordsName }
func (p *part) pairs() string     { return p.base + "." + pairsName }

// partKey names the part of the file with this hash, made without the records
// in skip.
func partKey(s *Settings, file string, skip map[int32]bool) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %q %q %q %d %d %s %s\n",
		partVersion, s.Dictionary.SHA256, s.Tagger, s.Miner, s.PerName, s.Seed, s.ExcludedSHA256, file)
	for _, record := range sortedKeys(skip) {
		fmt.Fprintln(h, record)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// openPart is the finished part at base; nil if there is none.
func openPart(base string) *part {
	data, err := os.ReadFile(base + ".json")
	if err != nil {
		return nil
	}
	p := &part{base: base}
	if json.Unmarshal(data, &p.input) != nil {
		return nil
	}
	return p
}

// describe writes the part's Input, when its other files are there.
func (p *part) describe() error { return writeJSON(p.base+".json", filepath.Dir(p.base), &p.input) }

// spareSize is how many sentences of a name a part keeps: a quarter more than
// the corpus does, so that few parts are made twice where later files supersede
// some of their records. (PubMed's updates revise under 5 % of a baseline file.)
func spareSize(perName int) int { return perName + perName/4 + 4 }

// compareRows orders rows by PMID and index.
func compareRows(a, b *row) int {
	if c := comparePMIDs(a.PMID, b.PMID); c != 0 {
		return c
	}
	return int(a.Index - b.Index)
}

// comparePMIDs orders PMIDs as numbers: they have no leading zeros, so the
// shorter is the smaller.
func comparePMIDs(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// sortedKeys lists the keys of a set.
func sortedKeys(set map[int32]bool) []int32 {
	keys := make([]int32, 0, len(set))
	for key := range set {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
