package corpus

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
)

// source is a set of sentences and the input files that they come from: a shard or a whole corpus.
//
// INVARIANT: a shard holds all sentences with a mention. For every name, a corpus holds either all such sentences of
// records that count, or the SentencesPerName of them with the smallest hashes.
type source struct {
	chunks  []chunk
	isShard bool            // whether it has a single input file and its rows have record numbers
	inputs  []Input         // its input files
	records [][]recordRange // of each input file
}

// chunk holds the sentences and pairs, in order, of some records of a source: all records of a corpus, or a range of
// records of a shard's input file.
type chunk struct {
	source    *source
	sentences string // path
	pairs     string // path, or empty
	bytes     int64  // its share of the shard's input file; 0 for a corpus
}

// recordRange is a range of rows of a records.parquet.
type recordRange struct {
	path     string
	first, n int64 // rows; to the end of the file if n is negative
}

// rows returns the sentences of the chunk.
func (c *chunk) rows(ctx context.Context) sortedSeq[*shardRow] {
	if c.source.isShard {
		return readRun[shardRow](c.sentences, -1)
	}
	return mapped(readTable[row](ctx, c.sentences, 0, -1), func(r *row) (*shardRow, error) {
		return &shardRow{*r, unknownRecord}, nil
	})
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

// eachRow returns the rows of the record lists of all files, in order, with the positions of the files. It reads only
// the columns of T.
func eachRow[T record | recordHead, P interface {
	*T
	setFile(position int)
}](ctx context.Context, set *inputSet) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for i, ranges := range set.records {
			for _, rr := range ranges {
				for r, err := range readTable[T](ctx, rr.path, rr.first, rr.n) {
					if err == nil {
						P(r).setFile(i)
					}
					if !yield(r, err) || err != nil {
						return
					}
				}
			}
		}
	}
}

func (r *recordHead) setFile(position int) { r.File = int32(position) }

// recordRef identifies a record: position of its file in an inputSet, and number in the file.
type recordRef struct{ file, record int32 }

var noRecord = recordRef{-1, -1}

// latestVersions determines which records count.
type latestVersions struct {
	limits  files.Limits
	latest  map[string]recordRef // for each repeated or deleted PMID: the record that counts, or noRecord
	totals  Totals               // of the records that count
	dropped Dropped
}

// Memory, in bytes, of the data that latestVersions keeps, including free slots of maps.
const (
	hashSize     = 8
	repeatedSize = 16  // a hash in a map
	versionsSize = 160 // a pmidVersions and its entries in two maps, without the digits
)

// latestVersions finds the record that counts for each PMID.
//
// It reads the record lists twice: first to find repeated PMIDs, then to collect their records. Memory is 8 bytes per
// record and 150 per repeated PMID, bounded by limits.
func (set *inputSet) latestVersions(ctx context.Context, limits files.Limits) (*latestVersions, error) {
	v := &latestVersions{limits: limits, latest: make(map[string]recordRef)}
	repeated, err := v.repeatedHashes(ctx, set)
	if err != nil {
		return nil, err
	}
	kept := repeatedSize * int64(len(repeated))
	byPMID := make(map[string]*pmidVersions)
	for r, err := range eachRow[recordHead](ctx, set) {
		if err != nil {
			return nil, err
		}
		if !repeated[sampling.Hash(0, r.PMID)] {
			if !r.Deleted {
				v.count(r)
			}
			continue
		}
		versions := byPMID[r.PMID]
		if versions == nil {
			versions = new(pmidVersions)
			byPMID[strings.Clone(r.PMID)] = versions
			kept += versionsSize + int64(len(r.PMID))
		}
		v.add(versions, r)
		if err := limits.CheckInMemory("the list of repeated PMIDs", kept); err != nil {
			return nil, err
		}
	}
	for pmid, versions := range byPMID {
		v.resolve(pmid, versions)
	}
	for i := range set.inputs {
		v.dropped.Excluded += set.inputs[i].Excluded
		v.dropped.Broken += set.inputs[i].Broken
	}
	return v, nil
}

// repeatedHashes returns the hashes of repeated PMIDs. A collision only makes a PMID look repeated.
func (v *latestVersions) repeatedHashes(ctx context.Context, set *inputSet) (map[uint64]bool, error) {
	var hashes []uint64 // of all PMIDs
	for r, err := range eachRow[recordHead](ctx, set) {
		if err == nil {
			hashes = append(hashes, sampling.Hash(0, r.PMID))
			err = v.limits.CheckInMemory("the list of PMIDs", hashSize*int64(len(hashes)))
		}
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(hashes)
	repeated := make(map[uint64]bool)
	for i := 1; i < len(hashes); i++ {
		if hashes[i] == hashes[i-1] {
			repeated[hashes[i]] = true
		}
	}
	return repeated, nil
}

// pmidVersions sums up the records of a PMID seen so far, in the order of files.
type pmidVersions struct {
	latest  recordHead
	records int // without deletions
	deleted bool
}

// add adds a record or a deletion of a PMID.
func (v *latestVersions) add(versions *pmidVersions, r *recordHead) {
	if r.Deleted {
		versions.deleted = true
		return
	}
	if versions.records++; versions.records > 1 {
		v.dropped.Superseded++
	}
	if versions.records == 1 || r.Version >= versions.latest.Version {
		versions.latest = *r
		versions.latest.PMID = "" // to keep the text of the list out of memory
	}
}

// resolve counts the latest record of a PMID, or drops the PMID if it is deleted. Call it after all records are added.
func (v *latestVersions) resolve(pmid string, versions *pmidVersions) {
	latest := &versions.latest
	switch {
	case versions.records == 0: // deletions only
	case versions.deleted:
		v.dropped.Superseded -= versions.records - 1
		v.dropped.Deleted += versions.records
		v.latest[pmid] = noRecord
	case versions.records == 1: // a collision of hashes
		v.count(latest)
	default:
		v.count(latest)
		v.latest[pmid] = recordRef{latest.File, latest.Record}
	}
}

// count adds a record that counts to the totals.
func (v *latestVersions) count(r *recordHead) {
	v.totals.Records++
	v.totals.Sentences += int(r.Sentences)
	v.totals.Tagged += int(r.Tagged)
	v.totals.Mentions += int(r.Mentions)
	v.totals.Defined += int(r.Defined)
	v.totals.NIL += int(r.NIL)
}
