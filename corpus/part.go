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
const partVersion = 5

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
//	KEY.json                 its Input, and how many pieces; written last
//	KEY.N.sentences          of piece N, from 0: a sample, ordered by PMID, index and record; see writeRows
//	KEY.N.records.parquet    in the order of the file, deletions last
//	KEY.N.pairs.parquet      ordered by pair, PMID and record; empty without a miner
type part struct {
	base  string // path without the extensions
	input Input
	count int // of pieces
}

// partFile is KEY.json.
type partFile struct {
	Input
	Pieces int `json:"pieces"`
}

// mostInPiece is how many records a piece of a part has, at most: more than most files of
// PubMed. What a piece keeps is in memory until it is full, so this bounds the memory of
// a file of any size; and the pieces of one file are drawn from and merged side by side.
const mostInPiece = 1 << 15

// pieceFiles are the paths of a piece.
type pieceFiles struct{ sentences, records, pairs string }

// filesOf names the files of a piece of the part at base.
func filesOf(base string, piece int) pieceFiles {
	base = fmt.Sprintf("%s.%d.", base, piece)
	return pieceFiles{base + "sentences", base + recordsName, base + pairsName}
}

func (p *part) pieces() []piece {
	pieces := make([]piece, p.count)
	share := func(n int) int64 { return p.input.Bytes * int64(n) / int64(p.count) }
	for i := range pieces {
		files := filesOf(p.base, i)
		pieces[i] = piece{files.sentences, files.pairs, share(i+1) - share(i)}
	}
	return pieces
}

func (p *part) lists() []list {
	lists := make([]list, p.count)
	for i := range lists {
		lists[i] = list{filesOf(p.base, i).records, 0, -1}
	}
	return lists
}

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
	var file partFile
	if json.Unmarshal(data, &file) != nil {
		return nil
	}
	return &part{base, file.Input, file.Pieces}
}

// describe writes the part's Input, when its other files are there.
func (p *part) describe() error {
	return writeJSON(p.base+".json", filepath.Dir(p.base), &partFile{p.input, p.count})
}

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
