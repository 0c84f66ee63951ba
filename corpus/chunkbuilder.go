package corpus

import (
	"slices"
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

// chunkBuilder collects the content of a chunk of a shard while its input file is
// read. It is safe for concurrent use.
//
// A row is added if one of its names keeps it at that moment. When the number of
// rows has doubled, those that no name keeps anymore are removed. So memory is
// proportional to the sample.
type chunkBuilder struct {
	seed        uint64
	skip        *recordSet     // the records whose sentences are left out
	firstRecord int            // number of its first record in the file
	pending     sync.WaitGroup // batches that were sent and are not added yet

	mu      sync.Mutex
	input   Input // counts of the chunk only
	sample  *sample
	rows    []shardRow
	pruneAt int // number of rows
	records []record
	texts   textSample
	pairs   []shardPair
}

const minPrune = 1024 // rows

func newChunkBuilder(s *Settings, skip *recordSet, firstRecord int) *chunkBuilder {
	return &chunkBuilder{
		seed:        s.Seed,
		skip:        skip,
		firstRecord: firstRecord,
		sample:      newSample(oversample(s.SentencesPerName)),
		texts:       textSample{seed: s.Seed, size: textsPerChunk},
		pruneAt:     minPrune,
	}
}

// countRecord counts a record that was read and returns its number in the file.
func (b *chunkBuilder) countRecord(excluded bool) int32 {
	b.mu.Lock()
	defer b.mu.Unlock()
	number := b.firstRecord + b.input.Records
	b.input.Records++
	if excluded {
		b.input.Excluded++
	}
	return int32(number)
}

// addBroken counts a place where the file is broken.
func (b *chunkBuilder) addBroken(problem Problem) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.input.Broken++
	if len(b.input.Problems) < maxProblems {
		b.input.Problems = append(b.input.Problems, problem)
	}
}

// add adds the records of one batch with their sentences and pairs. It copies what
// it keeps.
func (b *chunkBuilder) add(records []record, sentences []taggedSentence, pairs []extractedPair) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range records {
		r := &records[i]
		b.addRecord(*r)
		b.input.Sentences += int(r.Sentences)
		b.input.Tagged += int(r.Tagged)
		b.input.Mentions += int(r.Mentions)
		b.input.Defined += int(r.Defined)
		b.input.NIL += int(r.NIL)
	}
	for i := range sentences {
		s := &sentences[i]
		if b.skip.has(s.record) {
			continue
		}
		keep := false
		for j, m := range s.mentions {
			if b.sample.add(m.Name, s.hashes[j]) {
				keep = true
			}
		}
		if keep {
			b.rows = append(b.rows, shardRow{newRow(s.pmid, s.section, s.index, s.text, s.mentions), s.record})
		}
	}
	for _, p := range pairs {
		if !b.skip.has(p.record) {
			own := p.clone()
			b.pairs = append(b.pairs, shardPair{own.Kind, own.Left, own.Right, p.pmid, p.record})
		}
	}
	if len(b.rows) >= b.pruneAt {
		b.prune()
		b.pruneAt = max(minPrune, 2*len(b.rows))
	}
}

// addRecord adds a record, with its text if that is in the sample.
func (b *chunkBuilder) addRecord(r record) {
	if !b.texts.add(&r) {
		r.Text = ""
	}
	r.PMID = strings.Clone(r.PMID) // which shares memory with the whole record
	b.records = append(b.records, r)
}

// prune removes the rows that no name keeps.
func (b *chunkBuilder) prune() {
	b.rows = slices.DeleteFunc(b.rows, func(r shardRow) bool { return !r.keptBy(b.sample, b.seed) })
}

// keptBy reports whether one of the row's names keeps it.
func (r *row) keptBy(s *sample, seed uint64) bool {
	return slices.ContainsFunc(r.Mentions, func(m rowMention) bool { return s.contains(m.Name, r.hash(seed, m.Name)) })
}

// write writes the files of the chunk. It writes them concurrently, because the
// last or only chunk has all cores for itself.
func (b *chunkBuilder) write(to chunkFiles, deleted []string) error {
	b.input.Deletions = len(deleted)
	writeRows := func() error {
		b.prune()
		slices.SortFunc(b.rows, func(x, y shardRow) int {
			if c := compareRows(&x.row, &y.row); c != 0 {
				return c
			}
			return int(x.Record - y.Record)
		})
		return writeShardRows(to.sentences, rowSeq(b.rows))
	}
	writeRecords := func() error {
		for i := range b.records {
			b.texts.prune(&b.records[i])
		}
		slices.SortFunc(b.records, func(x, y record) int { return int(x.Record - y.Record) })
		for i, pmid := range deleted {
			b.records = append(b.records, record{recordHead: recordHead{PMID: pmid, Record: int32(i), Deleted: true}})
		}
		return writeShardTable(to.records, b.records)
	}
	writePairs := func() error {
		slices.SortFunc(b.pairs, func(x, y shardPair) int { return x.compare(&y) })
		b.pairs = slices.Compact(b.pairs) // a pair that is twice in a record counts once
		return writeShardTable(to.pairs, b.pairs)
	}
	return parallel.Do(writeRows, writeRecords, writePairs)
}

// rowSeq returns the rows as a sequence.
func rowSeq(rows []shardRow) sortedSeq[*scannedRow] {
	return func(yield func(*scannedRow, error) bool) {
		var current scannedRow
		for i := range rows {
			if current.shardRow = rows[i]; !yield(&current, nil) {
				return
			}
		}
	}
}
