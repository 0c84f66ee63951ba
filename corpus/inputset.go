package corpus

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/sampling"
)

// source is a sample of sentences, and the input files it was sampled from: a shard
// or a whole corpus.
//
// INVARIANT: for every name, each chunk holds all sentences whose records count, or
// the sampleSize sentences with the smallest hashes.
type source struct {
	chunks     []chunk
	sampleSize int             // sentences per name
	isShard    bool            // it has one input file, and its rows have record numbers
	inputs     []Input         // its input files
	records    [][]recordRange // of each input file
}

// chunk is the sentences and pairs of some records of a source, in order: of all
// records of a corpus, or of a range of records of a shard's input file.
type chunk struct {
	sentences string // path
	pairs     string // path, or empty
	bytes     int64  // its share of the shard's input file; 0 for a corpus
}

// recordRange is a range of rows of a records.parquet.
type recordRange struct {
	path     string
	first, n int64 // rows; to the end of the file if n is negative
}

// recordNumber returns the number in its file of a row's record, which is
// unknownRecord if the source is a corpus.
func (s *source) recordNumber(record int32) int32 {
	if s.isShard {
		return record
	}
	return unknownRecord
}

// rows returns the sentences of a chunk.
func (s *source) rows(c chunk) iter.Seq2[*scannedRow, error] {
	if s.isShard {
		return readShardRows(c.sentences)
	}
	return func(yield func(*scannedRow, error) bool) {
		var current scannedRow
		for r, err := range readTable[row](c.sentences, 0, -1) {
			if err != nil {
				yield(nil, err)
				return
			}
			if current.row = *r; !yield(&current, nil) {
				return
			}
		}
	}
}

// inputSet is the union of the input files of some sources.
type inputSet struct {
	inputs  []Input // ordered by name, then SHA-256: a later file supersedes an earlier one
	records [][]recordRange
	index   map[string]int32 // SHA-256 -> position in inputs
}

// newInputSet returns the input files of the sources. Files with equal content
// become one, with the first name in order.
func newInputSet(sources []*source) *inputSet {
	type file struct {
		Input
		records []recordRange
	}
	byHash := make(map[string]file)
	for _, s := range sources {
		for i, in := range s.inputs {
			f, ok := byHash[in.SHA256]
			if !ok {
				f = file{in, s.records[i]}
			}
			f.Name = min(f.Name, in.Name)
			byHash[in.SHA256] = f
		}
	}
	files := make([]file, 0, len(byHash))
	for _, f := range byHash {
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b file) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.SHA256, b.SHA256))
	})
	set := &inputSet{index: make(map[string]int32)}
	for i, f := range files {
		set.inputs = append(set.inputs, f.Input)
		set.records = append(set.records, f.records)
		set.index[f.SHA256] = int32(i)
	}
	return set
}

// eachRecord calls f for the records of all files, in order, with record.File set.
func (set *inputSet) eachRecord(ctx context.Context, f func(*record) error) error {
	for i, ranges := range set.records {
		for _, rr := range ranges {
			if err := ctx.Err(); err != nil {
				return err
			}
			for r, err := range readTable[record](rr.path, rr.first, rr.n) {
				if err != nil {
					return err
				}
				r.File = int32(i)
				if err := f(r); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// recordRef identifies a record: position of its file in an inputSet, and number
// in the file.
type recordRef struct{ file, record int32 }

var noRecord = recordRef{-1, -1}

// latestVersions says which records count.
type latestVersions struct {
	latest     map[string]recordRef     // for each PMID that is repeated or deleted: the record that counts, or noRecord
	superseded map[int32]map[int32]bool // file -> numbers of the records that are superseded or deleted
	totals     Totals                   // of the records that count
	dropped    Dropped
}

// latestVersions finds the record of each PMID that counts.
//
// It reads the record lists twice: first to find the PMIDs that are repeated, then
// to collect their records. Memory is 8 bytes per record, and the repeated records.
func (set *inputSet) latestVersions(ctx context.Context) (*latestVersions, error) {
	var hashes []uint64 // of all PMIDs; a collision only makes a PMID look repeated
	err := set.eachRecord(ctx, func(r *record) error {
		hashes = append(hashes, sampling.Hash(0, r.PMID))
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(hashes)
	repeated := make(map[uint64]bool)
	for i := 1; i < len(hashes); i++ {
		if hashes[i] == hashes[i-1] {
			repeated[hashes[i]] = true
		}
	}
	v := &latestVersions{latest: make(map[string]recordRef), superseded: make(map[int32]map[int32]bool)}
	byPMID := make(map[string][]record)
	err = set.eachRecord(ctx, func(r *record) error {
		if repeated[sampling.Hash(0, r.PMID)] {
			byPMID[r.PMID] = append(byPMID[r.PMID], *r)
		} else if !r.Deleted {
			v.count(r)
		}
		return nil
	})
	for _, records := range byPMID {
		v.resolve(records)
	}
	for i := range set.inputs {
		v.dropped.Excluded += set.inputs[i].Excluded
		v.dropped.Broken += set.inputs[i].Broken
	}
	return v, err
}

// resolve selects the record that counts among the records, and deletions, of one
// PMID, which are in the order of files.
func (v *latestVersions) resolve(records []record) {
	latest := -1
	deleted := false
	for i := range records {
		r := &records[i]
		deleted = deleted || r.Deleted
		if !r.Deleted && (latest < 0 || r.Version >= records[latest].Version) {
			latest = i
		}
	}
	if latest < 0 || len(records) == 1 { // deletions only, or a collision of hashes
		if latest == 0 {
			v.count(&records[0])
		}
		return
	}
	v.latest[records[0].PMID] = noRecord
	for i := range records {
		r := &records[i]
		switch {
		case r.Deleted:
			continue
		case deleted:
			v.dropped.Deleted++
		case i == latest:
			v.latest[r.PMID] = recordRef{r.File, r.Record}
			v.count(r)
			continue
		default:
			v.dropped.Superseded++
		}
		if v.superseded[r.File] == nil {
			v.superseded[r.File] = make(map[int32]bool)
		}
		v.superseded[r.File][r.Record] = true
	}
}

// count adds a record that counts to the totals.
func (v *latestVersions) count(r *record) {
	v.totals.Records++
	v.totals.Sentences += int(r.Sentences)
	v.totals.Tagged += int(r.Tagged)
	v.totals.Mentions += int(r.Mentions)
	v.totals.Defined += int(r.Defined)
	v.totals.NIL += int(r.NIL)
}
