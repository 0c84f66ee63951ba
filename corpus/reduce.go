package corpus

import (
	"context"
	"slices"
	"sync"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

// reducer reduces sources, either shards or whole corpora, to one corpus.
type reducer struct {
	settings Settings
	chunks   []chunk // of all sources
	inputs   *inputSet
	done     func(bytes int64) // called after each chunk is sampled and again after it is written, with its bytes
	*latestVersions
}

func newReducer(ctx context.Context, settings Settings, sources []*source, limits files.Limits,
	done func(bytes int64)) (*reducer, error) {
	inputs := newInputSet(sources)
	latest, err := inputs.latestVersions(ctx, limits)
	if err != nil {
		return nil, err
	}
	r := &reducer{settings: settings, inputs: inputs, done: done, latestVersions: latest}
	for _, s := range sources {
		for _, c := range s.chunks {
			c.source = s
			r.chunks = append(r.chunks, c)
		}
	}
	return r, nil
}

// unknownRecord is the record number of a sentence or pair from a corpus, which does not store it.
const unknownRecord = -1

// latestFilter returns a function that reports whether a record of the source counts.
func (r *reducer) latestFilter(s *source) func(pmid string, record int32) bool {
	files := make(map[int32]bool)
	for _, in := range s.inputs {
		files[r.inputs.index[in.SHA256]] = true
	}
	return func(pmid string, record int32) bool {
		latest, repeated := r.latest[pmid]
		// A corpus that has the file of the latest record can have no later record of the PMID. So its rows with this
		// PMID come from this record.
		return !repeated || files[latest.file] && (record == unknownRecord || latest.record == record)
	}
}

// sample computes the sample of the corpus. It also returns the undersampled names, in order: those whose sample may
// not be the true bottom k, because a corpus lost more of their sentences than it has spare.
func (r *reducer) sample(ctx context.Context) (sampled *sample, undersampled []string, err error) {
	sampled = newSample(r.settings.SentencesPerName)
	thresholds := make(map[string]uint64) // by name: the sources hold every sentence with a hash up to this
	var mu sync.Mutex
	err = parallel.ForErr(ctx, len(r.chunks), 0, func(i int) error {
		latest, all, err := r.sampleChunk(ctx, &r.chunks[i])
		if err != nil {
			return err
		}
		mu.Lock()
		sampled.merge(latest)
		for name := range all.names {
			own, full := all.threshold(name)
			if threshold, ok := thresholds[name]; full && (!ok || own < threshold) {
				thresholds[name] = own
			}
		}
		mu.Unlock()
		r.done(r.chunks[i].bytes)
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

// sampleChunk returns the sample of the chunk's rows whose records count and, if its source is a corpus, the sample of
// all its rows. (A corpus that lost no rows has SentencesPerName sentences of each name below its threshold, or all of
// them, so it cannot undersample.)
func (r *reducer) sampleChunk(ctx context.Context, c *chunk) (latest, all *sample, err error) {
	counts := r.latestFilter(c.source)
	latest, all = newSample(r.settings.SentencesPerName), newSample(r.settings.SentencesPerName)
	for row, err := range c.rows(ctx) {
		if err != nil {
			return nil, nil, err
		}
		isLatest := counts(row.Row.PMID, row.Record)
		for _, m := range row.Row.Mentions {
			hash := sentenceHash(r.settings.Seed, row.Row.PMID, row.Row.Index, m.Name)
			if isLatest {
				latest.add(m.Name, hash)
			}
			if !c.source.isShard {
				all.add(m.Name, hash)
			}
		}
	}
	return latest, all, nil
}

// rows returns the distinct rows of the corpus, in order: those whose records count and that are sampled for a name. It
// writes intermediate files to tmp.
func (r *reducer) rows(ctx context.Context, sampled *sample, tmp string) sortedSeq[*shardRow] {
	var inputs []sortedSeq[*shardRow]
	for _, c := range r.chunks {
		counts := r.latestFilter(c.source)
		kept := where(c.rows(ctx), func(row *shardRow) bool {
			return counts(row.Row.PMID, row.Record) && slices.ContainsFunc(row.Row.Mentions, func(m rowMention) bool {
				_, found := slices.BinarySearch(sampled.names[m.Name], sentenceHash(r.settings.Seed, row.Row.PMID, row.Row.Index, m.Name))
				return found
			})
		})
		inputs = append(inputs, func(yield func(*shardRow, error) bool) {
			kept(yield)
			r.done(c.bytes)
		})
	}
	compare := func(a, b *shardRow) int { return compareRows(&a.Row, &b.Row) }
	return func(yield func(*shardRow, error) bool) {
		var pmid string // of the previous row
		var index int32
		for row, err := range mergeSorted(ctx, tmp, "sentences", compare, inputs) {
			if err == nil && row.Row.PMID == pmid && row.Row.Index == index {
				continue // the sentence is in two corpora that share an input file
			}
			if !yield(row, err) || err != nil {
				return
			}
			pmid, index = row.Row.PMID, row.Row.Index
		}
	}
}
