package corpus

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

// chunkBuilder collects the content of a chunk of a shard while its input file is
// read. It is safe for concurrent use.
type chunkBuilder struct {
	firstRecord int            // number of its first record in the file
	pending     sync.WaitGroup // batches that were sent and are not added yet

	mu      sync.Mutex
	input   Input // counts of the chunk only
	rows    []shardRow
	records []record
	texts   textSample
	pairs   []shardPair
}

func newChunkBuilder(s *Settings, firstRecord int) *chunkBuilder {
	return &chunkBuilder{firstRecord: firstRecord, texts: textSample{seed: s.Seed, size: textsPerChunk}}
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
func (b *chunkBuilder) add(records []record, sentences []taggedSentence, pairs []shardPair) {
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
		b.rows = append(b.rows, shardRow{newRow(s.pmid, s.section, s.index, s.text, s.mentions), s.record})
	}
	for _, p := range pairs {
		own := shardPair{p.Kind, strings.Clone(p.Left), strings.Clone(p.Right), p.PMID, p.Record}
		b.pairs = append(b.pairs, own)
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

// write writes the files of the chunk. It writes them concurrently, because the
// last or only chunk has all cores for itself.
func (b *chunkBuilder) write(to chunkFiles, deleted []string) error {
	b.input.Deletions = len(deleted)
	writeRows := func() error {
		slices.SortFunc(b.rows, func(x, y shardRow) int {
			return cmp.Or(compareRows(&x.Row, &y.Row), cmp.Compare(x.Record, y.Record))
		})
		_, err := writeRun(to.sentences, valuesOf(b.rows))
		return err
	}
	writeRecords := func() error {
		for i := range b.records {
			b.texts.prune(&b.records[i])
		}
		slices.SortFunc(b.records, func(x, y record) int { return int(x.Record - y.Record) })
		for i, pmid := range deleted {
			b.records = append(b.records, record{recordHead: recordHead{PMID: pmid, Record: int32(i), Deleted: true}})
		}
		_, err := writeTable(to.records, shardCodec, func(add func(...record) error) error { return add(b.records...) })
		return err
	}
	writePairs := func() error {
		slices.SortFunc(b.pairs, func(x, y shardPair) int { return x.compare(&y) })
		b.pairs = slices.Compact(b.pairs) // a pair that is twice in a record counts once
		_, err := writeRun(to.pairs, valuesOf(b.pairs))
		return err
	}
	return parallel.Do(writeRows, writeRecords, writePairs)
}
