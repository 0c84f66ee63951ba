package corpus

import (
	"cmp"
	"slices"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

// chunkBuilder collects the content of a chunk of a shard while its input file is read. The file's reader counts
// records and broken places, while workers add what they have tagged.
type chunkBuilder struct {
	firstRecord int            // number of its first record in the file
	pending     sync.WaitGroup // batches that were sent but not added yet

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

// addBroken records a place where the file is broken.
func (b *chunkBuilder) addBroken(problem Problem) {
	b.input.Broken++
	if len(b.input.Problems) < maxProblems {
		b.input.Problems = append(b.input.Problems, problem)
	}
}

// add adds the records of one batch with their sentences and pairs.
func (b *chunkBuilder) add(records []record, rows []shardRow, pairs []shardPair) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range records {
		b.input.Sentences += int(r.Sentences)
		b.input.Tagged += int(r.Tagged)
		b.input.Mentions += int(r.Mentions)
		b.input.Defined += int(r.Defined)
		b.input.NIL += int(r.NIL)
		if !b.texts.add(&r) {
			r.Text = ""
		}
		b.records = append(b.records, r)
	}
	b.rows, b.pairs = append(b.rows, rows...), append(b.pairs, pairs...)
}

// write writes the files of the chunk. It writes them concurrently, because the last or only chunk has all cores to
// itself.
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
		_, err := writeTable(to.records, shardCodec, rowsPerWrite, valuesOf(b.records))
		return err
	}
	writePairs := func() error {
		slices.SortFunc(b.pairs, func(x, y shardPair) int { return x.compare(&y) })
		b.pairs = slices.Compact(b.pairs) // a pair that occurs twice in a record counts once
		_, err := writeRun(to.pairs, valuesOf(b.pairs))
		return err
	}
	return parallel.Do(writeRows, writeRecords, writePairs)
}
