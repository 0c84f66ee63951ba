package corpus

import (
	"context"
	"slices"
	"sync"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

// reducer reduces sources, which are shards or whole corpora, to one corpus.
type reducer struct {
	settings Settings
	sources  []*source
	inputs   *inputSet
	*latestVersions
}

func newReducer(ctx context.Context, settings Settings, sources []*source, limits files.Limits) (*reducer, error) {
	inputs := newInputSet(sources)
	latest, err := inputs.latestVersions(ctx, limits)
	if err != nil {
		return nil, err
	}
	return &reducer{settings, sources, inputs, latest}, nil
}

// hasSuperseded reports whether records of the source are superseded or deleted.
func (r *reducer) hasSuperseded(s *source) bool {
	return slices.ContainsFunc(s.inputs, func(in Input) bool { return r.superseded[r.inputs.index[in.SHA256]] })
}

// unknownRecord is the record number of a sentence or pair of a corpus, which does
// not store it.
const unknownRecord = -1

// latestFilter returns a function that reports whether a record of the source
// counts.
func (r *reducer) latestFilter(s *source) func(pmid string, record int32) bool {
	files := make(map[int32]bool)
	for _, in := range s.inputs {
		files[r.inputs.index[in.SHA256]] = true
	}
	return func(pmid string, record int32) bool {
		latest, repeated := r.latest[pmid]
		// The latest record of all files is also the latest of a corpus that has its
		// file. So what that corpus has of the PMID comes from this record.
		return !repeated || files[latest.file] && (record == unknownRecord || latest.record == record)
	}
}

// latest returns the values of a source whose records count, given what tells the record of a value.
func latest[T any](r *reducer, s *source, values sortedSeq[*T], recordOf func(*T) (string, int32)) sortedSeq[*T] {
	counts := r.latestFilter(s)
	return func(yield func(*T, error) bool) {
		for value, err := range values {
			if (err != nil || counts(recordOf(value))) && (!yield(value, err) || err != nil) {
				return
			}
		}
	}
}

// eachChunk calls f for the chunks of all sources, GOMAXPROCS at a time, and
// chunkDone after each.
func (r *reducer) eachChunk(ctx context.Context, chunkDone func(chunk), f func(*source, chunk) error) error {
	type sourceChunk struct {
		source *source
		chunk  chunk
	}
	var chunks []sourceChunk
	for _, s := range r.sources {
		for _, c := range s.chunks {
			chunks = append(chunks, sourceChunk{s, c})
		}
	}
	return parallel.ForErr(ctx, len(chunks), 0, func(i int) error {
		c := chunks[i]
		if err := f(c.source, c.chunk); err != nil {
			return err
		}
		chunkDone(c.chunk)
		return nil
	})
}

// sample computes the sample of the corpus. It also returns the undersampled names, in order: those whose sample may
// not be the true bottom k, because a corpus lost more of their sentences than it has. chunkDone is called after every
// chunk.
func (r *reducer) sample(ctx context.Context,
	chunkDone func(chunk)) (sampled *sample, undersampled []string, err error) {
	sampled = newSample(r.settings.SentencesPerName)
	thresholds := make(map[string]uint64) // by name: the sources hold every sentence with a hash up to this
	var mu sync.Mutex
	err = r.eachChunk(ctx, chunkDone, func(s *source, c chunk) error {
		latest, all, err := r.sampleChunk(s, c)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		sampled.merge(latest)
		all.lowerThresholds(thresholds)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	for name, threshold := range thresholds {
		if largest, full := sampled.threshold(name); !full || largest > threshold {
			undersampled = append(undersampled, name)
		}
	}
	slices.Sort(undersampled)
	return sampled, undersampled, nil
}

// sampleChunk returns the sample of the chunk's rows whose records count and, if its source is a corpus with superseded
// records, the sample of all its rows. (A corpus that lost no rows has SentencesPerName sentences of each name below its
// threshold, or all of them, so it cannot undersample.)
func (r *reducer) sampleChunk(s *source, c chunk) (latest, all *sample, err error) {
	counts := r.latestFilter(s)
	latest, all = newSample(r.settings.SentencesPerName), newSample(r.settings.SentencesPerName)
	lostRows := !s.isShard && r.hasSuperseded(s)
	for row, err := range s.rows(c) {
		if err != nil {
			return nil, nil, err
		}
		isLatest := counts(row.Row.PMID, row.Record)
		for _, m := range row.Row.Mentions {
			hash := sentenceHash(r.settings.Seed, row.Row.PMID, row.Row.Index, m.Name)
			if isLatest {
				latest.add(m.Name, hash)
			}
			if lostRows {
				all.add(m.Name, hash)
			}
		}
	}
	return latest, all, nil
}

// rows returns the rows of the corpus: those whose records count and that a name
// of the sample keeps, in order, each once. Intermediate files are written to tmp.
// chunkDone is called after every chunk.
func (r *reducer) rows(ctx context.Context, sampled *sample, tmp string, chunkDone func(chunk)) sortedSeq[*shardRow] {
	var inputs []sortedSeq[*shardRow]
	for _, s := range r.sources {
		for _, c := range s.chunks {
			inputs = append(inputs, r.sampledRows(s, c, sampled, chunkDone))
		}
	}
	compare := func(a, b *shardRow) int { return compareRows(&a.Row, &b.Row) }
	return func(yield func(*shardRow, error) bool) {
		var pmid string // of the previous row
		var index int32
		for row, err := range mergeSorted(ctx, tmp, "sentences", compare, inputs) {
			if err == nil && row.Row.PMID == pmid && row.Row.Index == index {
				continue // the sentence is in two corpora, which share an input file
			}
			if !yield(row, err) || err != nil {
				return
			}
			pmid, index = row.Row.PMID, row.Row.Index
		}
	}
}

// sampledRows returns the rows of a chunk whose records count and that a name of
// the sample keeps, in order.
func (r *reducer) sampledRows(s *source, c chunk, sampled *sample, chunkDone func(chunk)) sortedSeq[*shardRow] {
	rows := latest(r, s, s.rows(c), func(row *shardRow) (string, int32) { return row.Row.PMID, row.Record })
	return func(yield func(*shardRow, error) bool) {
		for row, err := range rows {
			if (err != nil || row.Row.keptBy(sampled, r.settings.Seed)) && !yield(row, err) {
				return
			}
		}
		chunkDone(c)
	}
}
