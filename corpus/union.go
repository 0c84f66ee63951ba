package corpus

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"ctxnorm"
)

// source is a sample of sentences and the files it was drawn from: a part, or a
// whole corpus.
//
// INVARIANT: of every name each piece holds all sentences that count, or the perName
// with the smallest hashes.
type source struct {
	pieces  []piece
	perName int
	part    bool // one file; its rows are partRows
	inputs  []Input
	lists   [][]list // of each of the inputs
}

// piece is sentences and pairs of a source, in order: all of a corpus, or those of a run
// of a part's records.
type piece struct {
	sentences string // path
	pairs     string // path, or nothing
	bytes     int64  // its share of the input file of a part
}

// number is the number in its file of the record of a row, wholeCorpus where the
// source is one, which no longer knows it.
func (s *source) number(record int32) int32 {
	if s.part {
		return record
	}
	return wholeCorpus
}

// rows gives the sentences of a piece.
func (s *source) rows(p piece) iter.Seq2[*storedRow, error] {
	if s.part {
		return readRows(p.sentences)
	}
	return func(yield func(*storedRow, error) bool) {
		var at storedRow
		for r, err := range readTable[row](p.sentences, 0, -1) {
			if err != nil {
				yield(nil, err)
				return
			}
			if at.row = *r; !yield(&at, nil) {
				return
			}
		}
	}
}

// list is where records of an input file are.
type list struct {
	path     string // of a records.parquet
	first, n int64  // rows; all that follow if n is negative
}

// union is the input files of some sources, each once.
type union struct {
	inputs []Input // by name, then hash: a later file supersedes an earlier
	lists  [][]list
	index  map[string]int32 // SHA-256 -> position in inputs
}

func newUnion(sources []*source) *union {
	type file struct {
		Input
		lists []list
	}
	byHash := make(map[string]file)
	for _, s := range sources {
		for i, in := range s.inputs {
			have, ok := byHash[in.SHA256]
			if !ok {
				have = file{in, s.lists[i]}
			}
			have.Name = min(have.Name, in.Name)
			byHash[in.SHA256] = have
		}
	}
	files := make([]file, 0, len(byHash))
	for _, f := range byHash {
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b file) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.SHA256, b.SHA256))
	})
	u := &union{index: make(map[string]int32)}
	for i, f := range files {
		u.inputs = append(u.inputs, f.Input)
		u.lists = append(u.lists, f.lists)
		u.index[f.SHA256] = int32(i)
	}
	return u
}

// each calls f for the records of all files, in order.
func (u *union) each(ctx context.Context, f func(*record) error) error {
	for i, lists := range u.lists {
		for _, l := range lists {
			if err := ctx.Err(); err != nil {
				return err
			}
			for r, err := range readTable[record](l.path, l.first, l.n) {
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

// place is where a record stands: a file of a union, and a number in it.
type place struct{ file, record int32 }

var nowhere = place{-1, -1}

// judgement says which records count.
type judgement struct {
	winners map[string]place         // for each PMID with several records, or deleted: the one that counts, or nowhere
	losers  map[int32]map[int32]bool // file -> numbers of the records that do not count
	totals  Totals                   // of the records that count
	dropped Dropped
}

// judge decides between the records of each PMID.
//
// It reads the lists twice: for the PMIDs that come more than once, and for
// their records. Memory is 8 bytes a record, and the records in question.
func (u *union) judge(ctx context.Context) (*judgement, error) {
	var hashes []uint64 // of all PMIDs; two PMIDs with one hash do no harm
	err := u.each(ctx, func(r *record) error {
		hashes = append(hashes, ctxnorm.Hash(0, r.PMID))
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(hashes)
	doubtful := make(map[uint64]bool)
	for i := 1; i < len(hashes); i++ {
		if hashes[i] == hashes[i-1] {
			doubtful[hashes[i]] = true
		}
	}
	j := &judgement{winners: make(map[string]place), losers: make(map[int32]map[int32]bool)}
	contests := make(map[string][]record)
	err = u.each(ctx, func(r *record) error {
		if doubtful[ctxnorm.Hash(0, r.PMID)] {
			contests[r.PMID] = append(contests[r.PMID], *r)
		} else if !r.Deleted {
			j.count(r)
		}
		return nil
	})
	for _, records := range contests {
		j.settle(records)
	}
	for i := range u.inputs {
		j.dropped.Excluded += u.inputs[i].Excluded
		j.dropped.Broken += u.inputs[i].Broken
	}
	return j, err
}

// settle decides between the records, and deletions, of one PMID, given in the
// order of files.
func (j *judgement) settle(records []record) {
	winner := -1
	deleted := false
	for i := range records {
		r := &records[i]
		deleted = deleted || r.Deleted
		if !r.Deleted && (winner < 0 || r.Version >= records[winner].Version) {
			winner = i
		}
	}
	if winner < 0 || len(records) == 1 { // a deletion alone, or a hash that two PMIDs share
		if winner == 0 {
			j.count(&records[0])
		}
		return
	}
	j.winners[records[0].PMID] = nowhere
	for i := range records {
		r := &records[i]
		switch {
		case r.Deleted:
			continue
		case deleted:
			j.dropped.Deleted++
		case i == winner:
			j.winners[r.PMID] = place{r.File, r.Record}
			j.count(r)
			continue
		default:
			j.dropped.Superseded++
		}
		if j.losers[r.File] == nil {
			j.losers[r.File] = make(map[int32]bool)
		}
		j.losers[r.File][r.Record] = true
	}
}

// count adds a record that counts.
func (j *judgement) count(r *record) {
	j.totals.Records++
	j.totals.Sentences += int(r.Sentences)
	j.totals.Tagged += int(r.Tagged)
	j.totals.Mentions += int(r.Mentions)
}

// touches reports whether records of the source do not count.
func (j *judgement) touches(u *union, s *source) bool {
	return slices.ContainsFunc(s.inputs, func(in Input) bool { return len(j.losers[u.index[in.SHA256]]) > 0 })
}
