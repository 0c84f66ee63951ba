package corpus

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
)

// occurrence is a pair in a record that counts.
type occurrence struct {
	Pair
	pmid string
}

func (o *occurrence) compare(other *occurrence) int {
	return cmp.Or(comparePairs(&o.Pair, &other.Pair), comparePMIDs(o.pmid, other.pmid))
}

// occurrences are some in order, or an error and no more.
type occurrences = iter.Seq2[occurrence, error]

// mostOpen is how many files of pairs are read at once, each with a few hundred
// rows in memory.
const mostOpen = 64

// pairs gives the pairs of all sources with the records that count, in order.
//
// The sources are in order themselves and are merged as they are read, so memory
// is a few hundred rows of each and the PMIDs of one pair. Where there are more
// than mostOpen, as many at a time are first merged into a file in the folder tmp.
func (c *combination) pairs(ctx context.Context, tmp string) iter.Seq2[pairRow, error] {
	return func(yield func(pairRow, error) bool) {
		var all []occurrences
		for _, s := range c.sources {
			if s.pairs != "" {
				all = append(all, c.occurrences(s))
			}
		}
		for round := 0; len(all) > mostOpen; round++ {
			var fewer []occurrences
			for some := range slices.Chunk(all, mostOpen) {
				path := filepath.Join(tmp, fmt.Sprintf("merged-%d-%d.%s", round, len(fewer), pairsName))
				defer os.Remove(path)
				if err := writeOccurrences(path, merged(ctx, some)); err != nil {
					yield(pairRow{}, err)
					return
				}
				fewer = append(fewer, readOccurrences(path, everyRecord))
			}
			all = fewer
		}
		var row pairRow
		for o, err := range merged(ctx, all) {
			if err != nil {
				yield(pairRow{}, err)
				return
			}
			if row.Records > 0 && row.pair() != o.Pair {
				if !yield(row, nil) {
					return
				}
				row = pairRow{}
			}
			row.add(&o)
		}
		if row.Records > 0 {
			yield(row, nil)
		}
	}
}

// merged gives what all give, in order.
func merged(ctx context.Context, all []occurrences) occurrences {
	return func(yield func(occurrence, error) bool) {
		var open cursors
		defer func() { open.stop() }()
		for _, some := range all {
			cur := &cursor{}
			cur.next, cur.stop = iter.Pull2(some)
			open = append(open, cur)
			if ok, err := cur.advance(); err != nil {
				yield(occurrence{}, err)
				return
			} else if !ok {
				open = open[:len(open)-1]
			}
		}
		heap.Init(&open)
		for len(open) > 0 {
			if err := ctx.Err(); err != nil {
				yield(occurrence{}, err)
				return
			}
			if !yield(open[0].at, nil) {
				return
			}
			if ok, err := open[0].advance(); err != nil {
				yield(occurrence{}, err)
				return
			} else if ok {
				heap.Fix(&open, 0)
			} else {
				heap.Pop(&open)
			}
		}
	}
}

// everyRecord counts: of what is merged already.
func everyRecord(string, int32) bool { return true }

func writeOccurrences(path string, all occurrences) error {
	t, err := createTable[partPair](path, filepath.Dir(path), scratch)
	if err != nil {
		return err
	}
	defer t.discard()
	for o, err := range all {
		if err != nil {
			return err
		}
		if err := t.append(partPair{Kind: o.Kind, Left: o.Left, Right: o.Right, PMID: o.pmid}); err != nil {
			return err
		}
	}
	if _, err := t.finish(); err != nil {
		return err
	}
	return t.place()
}

// readOccurrences gives the pairs of a file in the records that count, in order.
func readOccurrences(path string, counts func(pmid string, record int32) bool) occurrences {
	return func(yield func(occurrence, error) bool) {
		for r, err := range readTable[partPair](path, 0, -1) {
			if err != nil {
				yield(occurrence{}, err)
				return
			}
			if counts(r.PMID, r.Record) && !yield(occurrence{Pair{r.Kind, r.Left, r.Right}, r.PMID}, nil) {
				return
			}
		}
	}
}

// add adds an occurrence of the row's pair; one of a record that two sources
// have, or that has the pair twice, comes next to its like.
func (r *pairRow) add(o *occurrence) {
	if n := len(r.PMIDs); n > 0 && r.PMIDs[n-1] == o.pmid {
		return
	}
	r.Kind, r.Left, r.Right = o.Kind, o.Left, o.Right
	r.PMIDs = append(r.PMIDs, o.pmid)
	r.Records++
}

// occurrences gives the pairs of a source in the records that count, in order.
func (c *combination) occurrences(s *source) occurrences {
	counts := c.counting(s)
	if s.part {
		return readOccurrences(s.pairs, counts)
	}
	return func(yield func(occurrence, error) bool) {
		for r, err := range readTable[pairRow](s.pairs, 0, -1) {
			if err != nil {
				yield(occurrence{}, err)
				return
			}
			for _, pmid := range r.PMIDs {
				if counts(pmid, wholeCorpus) && !yield(occurrence{r.pair(), pmid}, nil) {
					return
				}
			}
		}
	}
}

// cursor is where the merge is in one source.
type cursor struct {
	at   occurrence
	next func() (occurrence, error, bool)
	stop func()
}

// advance goes to the next occurrence, and reports whether there is one.
func (c *cursor) advance() (bool, error) {
	at, err, ok := c.next()
	c.at = at
	return ok && err == nil, err
}

// cursors is a heap with the first occurrence on top.
type cursors []*cursor

func (c cursors) Len() int           { return len(c) }
func (c cursors) Less(i, j int) bool { return c[i].at.compare(&c[j].at) < 0 }
func (c cursors) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }
func (c *cursors) Push(x any)        { *c = append(*c, x.(*cursor)) }

// Pop takes the last one off, which has come to its end.
func (c *cursors) Pop() any {
	last := len(*c) - 1
	top := (*c)[last]
	*c = (*c)[:last]
	return top
}

// stop closes the files of those that have not come to their end.
func (c cursors) stop() {
	for _, cur := range c {
		cur.stop()
	}
}
