package corpus

import (
	"cmp"
	"context"
	"iter"
	"path/filepath"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/text"
)

// SynonymPair is a candidate pair of synonyms: two strings that a text presents as names of the same thing, such as a
// short form and its long form, or a name and an alias. The strings are as written in the text.
type SynonymPair struct {
	Kind  string `parquet:"kind,dict"` // the matching pattern, as named by the PairExtractor
	Left  string `parquet:"left"`
	Right string `parquet:"right"`
}

// PairExtractor extracts synonym pairs from text. Package mine has the implementation in use; tests may bring their
// own.
type PairExtractor interface {
	// Extract appends the pairs of s, a title or a section of an abstract, to dst. definitions are the results of
	// abbrev.Find for s. mentions are the dictionary names in its sentences, ordered by Start, without short forms
	// tagged by their definition. A long s is passed several times, with each definition and mention once. Extract must
	// be safe for concurrent use.
	Extract(dst []SynonymPair, s string, definitions []abbrev.Definition, mentions []text.Mention) []SynonymPair
	// Fingerprint returns a string that changes whenever the extractor would find other pairs.
	Fingerprint() string
}

// SynonymPairCount is a pair and the number of PubMed records that contain it.
type SynonymPairCount struct {
	SynonymPair
	Records int
}

// Pairs returns the pairs, ordered by kind, left and right; there are none if the corpus was built without a
// PairExtractor. They are read during iteration. An error ends the iteration.
func (c *Corpus) Pairs(ctx context.Context) iter.Seq2[SynonymPairCount, error] {
	if c.manifest.Settings.PairExtractor == "" {
		return func(func(SynonymPairCount, error) bool) {}
	}
	rows := readTable[countedPair](ctx, filepath.Join(c.dir, pairsName), 0, -1)
	return mapped(rows, func(r *countedPair) (SynonymPairCount, error) {
		return SynonymPairCount{r.SynonymPair, int(r.Records)}, nil
	})
}

// countedPair has the columns of pairs.parquet without the PMIDs.
type countedPair struct {
	SynonymPair
	Records int32 `parquet:"records"`
}

// pairRow is a row of pairs.parquet.
//
// INVARIANT: PMIDs are distinct and in order, and Records is their number.
type pairRow struct {
	countedPair
	PMIDs []string `parquet:"pmids,list"`
}

// add adds the record of a pair. Pairs must arrive ordered by PMID, so add recognizes a record that is in two sources
// or has the pair twice.
func (r *pairRow) add(p *shardPair) {
	if n := len(r.PMIDs); n > 0 && r.PMIDs[n-1] == p.PMID {
		return
	}
	r.SynonymPair = p.SynonymPair
	r.PMIDs = append(r.PMIDs, p.PMID)
	r.Records++
}

// shardPair is a pair in one record, which may turn out to be superseded.
type shardPair struct {
	SynonymPair
	PMID   string
	Record int32 // number in the input file, from 0; unknownRecord if it comes from a corpus
}

// compare orders the pairs of a run.
func (p *shardPair) compare(o *shardPair) int {
	return cmp.Or(comparePairs(&p.SynonymPair, &o.SynonymPair), comparePMIDs(p.PMID, o.PMID), cmp.Compare(p.Record, o.Record))
}

func comparePairs(a, b *SynonymPair) int {
	return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Left, b.Left), strings.Compare(a.Right, b.Right))
}

// pairs returns the pairs of all sources, in order, with their records that count. It writes intermediate files to tmp.
func (r *reducer) pairs(ctx context.Context, tmp string) sortedSeq[*pairRow] {
	var inputs []sortedSeq[*shardPair]
	for _, c := range r.chunks {
		if c.pairs != "" {
			counts := r.latestFilter(c.source)
			inputs = append(inputs, where(c.allPairs(ctx), func(p *shardPair) bool { return counts(p.PMID, p.Record) }))
		}
	}
	return func(yield func(*pairRow, error) bool) {
		current := new(pairRow)
		for p, err := range mergeSorted(ctx, tmp, pairsName, (*shardPair).compare, inputs) {
			if err != nil {
				yield(nil, err)
				return
			}
			if current.Records > 0 && current.SynonymPair != p.SynonymPair {
				if !yield(current, nil) {
					return
				}
				current = new(pairRow)
			}
			current.add(p)
		}
		if current.Records > 0 {
			yield(current, nil)
		}
	}
}

// allPairs returns the pairs of the chunk.
func (c *chunk) allPairs(ctx context.Context) sortedSeq[*shardPair] {
	if c.source.isShard {
		return readRun[shardPair](c.pairs, -1)
	}
	return func(yield func(*shardPair, error) bool) {
		for p, err := range readTable[pairRow](ctx, c.pairs, 0, -1) {
			if err != nil {
				yield(nil, err)
				return
			}
			for _, pmid := range p.PMIDs {
				if !yield(&shardPair{p.SynonymPair, pmid, unknownRecord}, nil) {
					return
				}
			}
		}
	}
}
