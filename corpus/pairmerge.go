package corpus

import (
	"cmp"
	"context"
	"iter"
	"path/filepath"
)

// occurrence is a pair in a record that counts.
type occurrence struct {
	Pair
	pmid string
}

func (o *occurrence) compare(other *occurrence) int {
	return cmp.Or(comparePairs(&o.Pair, &other.Pair), comparePMIDs(o.pmid, other.pmid))
}

// pairs gives the pairs of all sources with the records that count, in order.
// Files that it needs meanwhile are in tmp.
func (c *combination) pairs(ctx context.Context, tmp string) iter.Seq2[pairRow, error] {
	m := merger[*occurrence]{
		compare: (*occurrence).compare,
		write:   writeOccurrences,
		read:    func(path string) sorted[*occurrence] { return readOccurrences(path, everyRecord) },
		dir:     tmp,
		name:    pairsName,
	}
	var all []sorted[*occurrence]
	for _, s := range c.sources {
		for _, p := range s.pieces {
			if p.pairs != "" {
				all = append(all, c.occurrences(s, p))
			}
		}
	}
	return func(yield func(pairRow, error) bool) {
		var row pairRow
		for o, err := range m.merge(ctx, all) {
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
			row.add(o)
		}
		if row.Records > 0 {
			yield(row, nil)
		}
	}
}

// everyRecord counts: of what is merged already.
func everyRecord(string, int32) bool { return true }

func writeOccurrences(path string, all sorted[*occurrence]) error {
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
func readOccurrences(path string, counts func(pmid string, record int32) bool) sorted[*occurrence] {
	return func(yield func(*occurrence, error) bool) {
		var o occurrence
		for r, err := range readTable[partPair](path, 0, -1) {
			if err != nil {
				yield(nil, err)
				return
			}
			o = occurrence{Pair{r.Kind, r.Left, r.Right}, r.PMID}
			if counts(r.PMID, r.Record) && !yield(&o, nil) {
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

// occurrences gives the pairs of a piece in the records that count, in order.
func (c *combination) occurrences(s *source, p piece) sorted[*occurrence] {
	counts := c.counting(s)
	if s.part {
		return readOccurrences(p.pairs, counts)
	}
	return func(yield func(*occurrence, error) bool) {
		var o occurrence
		for r, err := range readTable[pairRow](p.pairs, 0, -1) {
			if err != nil {
				yield(nil, err)
				return
			}
			for _, pmid := range r.PMIDs {
				o = occurrence{r.pair(), pmid}
				if counts(pmid, wholeCorpus) && !yield(&o, nil) {
					return
				}
			}
		}
	}
}
