package corpus

import (
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
)

// gathering is a piece of a part while its file is read. It is safe for concurrent use.
//
// Rows are taken while one of their names keeps them, and swept when as many
// have been pushed out again as are left, so that memory is that of the sample.
type gathering struct {
	seed  uint64
	skip  map[int32]bool // records whose sentences do not count
	first int            // number of its first record in the file
	open  sync.WaitGroup // batches on their way to it

	mu      sync.Mutex
	input   Input // what it has of it
	sample  *sample
	rows    []partRow
	sweepAt int // rows
	records []record
	pairs   []partPair
}

const minSweep = 1024 // rows

func newGathering(s *Settings, skip map[int32]bool, first int) *gathering {
	return &gathering{
		seed:    s.Seed,
		skip:    skip,
		first:   first,
		sample:  newSample(spareSize(s.PerName)),
		sweepAt: minSweep,
	}
}

// number counts a record that was read and gives its number in the file.
func (g *gathering) number(excluded bool) int32 {
	g.mu.Lock()
	defer g.mu.Unlock()
	number := g.first + g.input.Records
	g.input.Records++
	if excluded {
		g.input.Excluded++
	}
	return int32(number)
}

// broken counts a place where the file is broken.
func (g *gathering) broken(offset int64, reason string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.input.Broken++
	if len(g.input.Problems) < maxProblems {
		g.input.Problems = append(g.input.Problems, Problem{offset, reason})
	}
}

// add takes what one batch of records gave.
func (g *gathering) add(records []record, findings []finding, pairs []minedPair) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.records = append(g.records, records...)
	for i := range records {
		r := &records[i]
		g.input.Sentences += int(r.Sentences)
		g.input.Tagged += int(r.Tagged)
		g.input.Mentions += int(r.Mentions)
	}
	for i := range findings {
		f := &findings[i]
		if g.skip[f.record] {
			continue
		}
		keep := false
		for j, m := range f.mentions {
			if g.sample.offer(m.Name, f.hashes[j]) {
				keep = true
			}
		}
		if keep {
			g.rows = append(g.rows, partRow{newRow(f.pmid, f.section, f.index, f.text, f.mentions), f.record})
		}
	}
	for _, p := range pairs {
		if !g.skip[p.record] {
			own := p.clone()
			g.pairs = append(g.pairs, partPair{own.Kind, own.Left, own.Right, p.pmid, p.record})
		}
	}
	if len(g.rows) >= g.sweepAt {
		g.sweep()
		g.sweepAt = max(minSweep, 2*len(g.rows))
	}
}

// sweep drops the rows that no name keeps.
func (g *gathering) sweep() {
	g.rows = slices.DeleteFunc(g.rows, func(r partRow) bool { return !r.keptBy(g.sample, g.seed) })
}

// keptBy reports whether one of the row's names keeps it.
func (r *row) keptBy(s *sample, seed uint64) bool {
	return slices.ContainsFunc(r.Mentions, func(m rowMention) bool { return s.keeps(m.Name, r.hash(seed, m.Name)) })
}

// finish writes the piece's files, all at once: those of a last or only one have all
// cores.
func (g *gathering) finish(to pieceFiles, deleted []string) error {
	g.input.Deletions = len(deleted)
	var files errgroup.Group
	files.Go(func() error {
		g.sweep()
		slices.SortFunc(g.rows, func(a, b partRow) int {
			if c := compareRows(&a.row, &b.row); c != 0 {
				return c
			}
			return int(a.Record - b.Record)
		})
		return writeRows(to.sentences, each(g.rows))
	})
	files.Go(func() error {
		slices.SortFunc(g.records, func(a, b record) int { return int(a.Record - b.Record) })
		for i, pmid := range deleted {
			g.records = append(g.records, record{PMID: pmid, Record: int32(i), Deleted: true})
		}
		return writeTable(to.records, g.records)
	})
	files.Go(func() error {
		slices.SortFunc(g.pairs, func(a, b partPair) int { return a.compare(&b) })
		g.pairs = slices.Compact(g.pairs) // what a record says twice counts once
		return writeTable(to.pairs, g.pairs)
	})
	return files.Wait()
}

// each gives rows one after another.
func each(rows []partRow) sorted[*storedRow] {
	return func(yield func(*storedRow, error) bool) {
		var at storedRow
		for i := range rows {
			if at.partRow = rows[i]; !yield(&at, nil) {
				return
			}
		}
	}
}
