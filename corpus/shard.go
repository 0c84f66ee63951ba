package corpus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// shardVersion is part of every shard's key, so shards of another version are never reused. Raise it when the content
// of a shard changes: how PubMed is read, how sentences are split, or the format of the shard's files.
const shardVersion = 13

// record is a row of records.parquet: a PubMed record, or a PMID under DeleteCitation.
type record struct {
	recordHead
	Text string `parquet:"text"` // title and abstract; empty if the record is not in the sample of texts
}

// recordHead is a record without its text, which takes most of the reading time.
type recordHead struct {
	PMID      string `parquet:"pmid"`
	Version   int32  `parquet:"version"`
	Year      int32  `parquet:"year"`   // of publication; 0 if unknown
	File      int32  `parquet:"file"`   // position in the manifest's inputs; 0 in a shard
	Record    int32  `parquet:"record"` // number in the file, from 0; for a deletion, number among the deletions
	Deleted   bool   `parquet:"deleted"`
	Sentences int32  `parquet:"sentences"`
	Tagged    int32  `parquet:"tagged"` // sentences with a mention
	Mentions  int32  `parquet:"mentions"`
	Defined   int32  `parquet:"defined"` // mentions tagged by their definition
	NIL       int32  `parquet:"nil"`     // mentions among Defined without a concept
}

// shard is the result of tagging one input file. KEY, the base name of its files, is a hash of everything that
// determines its content, so an existing shard can be reused.
//
//	KEY.json                 its Input, and the checksums of the files below; written last, with a checksum of its own
//	KEY.N.sentences          sentences with a mention of chunk N, from 0, by PMID, index and record; see writeRun
//	KEY.N.records.parquet    records of chunk N in the order of the file, deletions last
//	KEY.N.pairs              pairs of chunk N, ordered by pair, PMID and record; empty without an extractor
type shard struct {
	base       string // path of KEY, without the extensions
	input      Input
	chunkCount int
}

// shardFolder is the work folder of a build, which holds its shards.
var shardFolder = artifact.WorkFolder("shards")

// shardManifest is the content of KEY.json.
type shardManifest struct {
	Input
	Chunks [][]artifact.Digest `json:"chunks"` // of the files of each chunk, in the order of chunkFiles
}

// A chunk ends after this number of records, or at the record whose text reaches this number of bytes: more than most
// files of PubMed have. The tagged sentences of a chunk are in memory until it ends, so these limits bound the memory
// for a file of any size. The chunks of one file are also sampled and merged concurrently.
const (
	maxChunkRecords = 1 << 15
	maxChunkBytes   = 64 << 20
)

// chunkFiles holds the paths of a chunk's files.
type chunkFiles struct{ sentences, records, pairs string }

func (f chunkFiles) all() []string { return []string{f.sentences, f.records, f.pairs} }

// newChunkFiles returns the paths of the files of chunk n of the shard at base.
func newChunkFiles(base string, n int) chunkFiles {
	base = fmt.Sprintf("%s.%d.", base, n)
	return chunkFiles{base + "sentences", base + recordsName, base + "pairs"}
}

func (s *shard) chunks() []chunk {
	chunks := make([]chunk, s.chunkCount)
	bytesBefore := func(i int) int64 { return s.input.Bytes * int64(i) / int64(s.chunkCount) }
	for i := range chunks {
		files := newChunkFiles(s.base, i)
		chunks[i] = chunk{sentences: files.sentences, pairs: files.pairs, bytes: bytesBefore(i+1) - bytesBefore(i)}
	}
	return chunks
}

func (s *shard) recordRanges() []recordRange {
	ranges := make([]recordRange, s.chunkCount)
	for i := range ranges {
		ranges[i] = recordRange{newChunkFiles(s.base, i).records, 0, -1}
	}
	return ranges
}

// shardKey returns the base name of the shard that t builds from an input file with this SHA-256. The identifiers in a
// shard of documents may depend on the name of the file.
func shardKey(s *Settings, fileSHA256 string, t *task) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %q %q %d %q %d %d %s %s\n",
		shardVersion, s.Dictionary.SHA256, s.Tagger, s.DefinitionTagging, s.PairExtractor, s.SentencesPerName, s.Seed,
		s.ExcludedSHA256, fileSHA256)
	if t.format != formats.PubMed {
		fmt.Fprintf(h, "%s %q %q %q\n", t.format, t.Columns, t.Encoding, t.name) // maps are printed in order
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// openShard returns the complete shard at base, or nil if there is none. It compares all files of the shard with their
// checksums and returns a [*files.DamagedError] if one differs. It stops between files if ctx is done.
func openShard(ctx context.Context, base string) (*shard, error) {
	path := base + ".json"
	var m shardManifest
	switch err := artifact.ReadCheckedJSON(path, &m); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	if len(m.Chunks) == 0 {
		return nil, artifact.Damaged(path, "lists no chunks")
	}
	for i, digests := range m.Chunks {
		files := newChunkFiles(base, i).all()
		if len(digests) != len(files) {
			return nil, artifact.Damaged(path, "chunk %d has %d files, want %d", i, len(digests), len(files))
		}
		for j, digest := range digests {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := digest.CheckSum(files[j]); err != nil {
				return nil, err
			}
		}
	}
	return &shard{base, m.Input, len(m.Chunks)}, nil
}

// writeManifest marks the shard as complete. Its other files must be in place.
func (s *shard) writeManifest() error {
	m := shardManifest{Input: s.input, Chunks: make([][]artifact.Digest, s.chunkCount)}
	for i := range m.Chunks {
		for _, path := range newChunkFiles(s.base, i).all() {
			digest, err := artifact.Checksum(path)
			if err != nil {
				return err
			}
			m.Chunks[i] = append(m.Chunks[i], digest)
		}
	}
	return artifact.WriteCheckedJSON(s.base+".json", &m)
}

// compareRows orders rows by PMID and index.
func compareRows(a, b *row) int {
	if c := comparePMIDs(a.PMID, b.PMID); c != 0 {
		return c
	}
	return int(a.Index - b.Index)
}

// comparePMIDs orders PMIDs as numbers. They have no leading zeros, so a shorter one is smaller.
func comparePMIDs(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}
