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

// SynonymPair is a candidate pair of synonyms: two strings that a text presents as
// names of the same thing, such as a short form and its long form, or a name and
// an alias. The strings are as written in the text.
type SynonymPair struct {
	Kind        string // the pattern that matched, as the PairExtractor calls it
	Left, Right string
}

// PairExtractor extracts synonym pairs from text. Package mine has the
// implementation in use; tests may bring their own.
type PairExtractor interface {
	// Extract appends the pairs of s, a title or a section of an abstract, to dst.
	// The definitions are those that abbrev.Find found in s. The mentions are those of
	// dictionary names in its sentences, ordered by Start, without short forms that are
	// tagged by their definition. Definitions and mentions of a long s come in parts, each once.
	// It must be safe for concurrent use.
	Extract(dst []SynonymPair, s string, definitions []abbrev.Definition, mentions []text.Mention) []SynonymPair
	// Fingerprint returns a string that changes when the extractor would find
	// other pairs.
	Fingerprint() string
}

// SynonymPairCount is a pair and the number of PubMed records that contain it.
type SynonymPairCount struct {
	SynonymPair
	Records int
}

// Pairs returns the pairs, ordered by kind, left and right; none if the corpus was
// built without a PairExtractor. They are read during iteration. After an error
// the iteration ends.
func (c *Corpus) Pairs() iter.Seq2[SynonymPairCount, error] {
	return func(yield func(SynonymPairCount, error) bool) {
		if c.manifest.Settings.PairExtractor == "" {
			return
		}
		for r, err := range readTable[countedPair](filepath.Join(c.dir, pairsName), 0, -1) {
			if err != nil {
				yield(SynonymPairCount{}, err)
				return
			}
			if !yield(SynonymPairCount{r.pair(), int(r.Records)}, nil) {
				return
			}
		}
	}
}

// countedPair has the columns of pairs.parquet without the PMIDs.
type countedPair struct {
	Kind    string `parquet:"kind,dict"`
	Left    string `parquet:"left"`
	Right   string `parquet:"right"`
	Records int32  `parquet:"records"`
}

func (r *countedPair) pair() SynonymPair { return SynonymPair{r.Kind, r.Left, r.Right} }

// pairRow is a row of pairs.parquet.
//
// INVARIANT: PMIDs are distinct and in order, and Records is their number.
type pairRow struct {
	countedPair
	PMIDs []string `parquet:"pmids,list"`
}

// add adds an occurrence of the row's pair. Occurrences come ordered by PMID, so a
// record that is in two sources, or that has the pair twice, is recognized.
func (r *pairRow) add(o *occurrence) {
	if n := len(r.PMIDs); n > 0 && r.PMIDs[n-1] == o.pmid {
		return
	}
	r.Kind, r.Left, r.Right = o.Kind, o.Left, o.Right
	r.PMIDs = append(r.PMIDs, o.pmid)
	r.Records++
}

// shardPair is a row of a shard's pairs file: a pair in one record, which may turn
// out to be superseded.
type shardPair struct {
	Kind   string `parquet:"kind,dict"`
	Left   string `parquet:"left"`
	Right  string `parquet:"right"`
	PMID   string `parquet:"pmid"`
	Record int32  `parquet:"record"` // number in the input file, from 0
}

// compare orders the rows of a shard.
func (p *shardPair) compare(o *shardPair) int {
	return cmp.Or(
		comparePairs(&SynonymPair{p.Kind, p.Left, p.Right}, &SynonymPair{o.Kind, o.Left, o.Right}),
		comparePMIDs(p.PMID, o.PMID),
		cmp.Compare(p.Record, o.Record),
	)
}

func comparePairs(a, b *SynonymPair) int {
	return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Left, b.Left), strings.Compare(a.Right, b.Right))
}

// clone returns the pair with copies of Left and Right, so that it does not keep
// the text alive.
func (p SynonymPair) clone() SynonymPair {
	return SynonymPair{p.Kind, strings.Clone(p.Left), strings.Clone(p.Right)}
}

// occurrence is a pair in a record that counts.
type occurrence struct {
	SynonymPair
	pmid string
}

func (o *occurrence) compare(other *occurrence) int {
	return cmp.Or(comparePairs(&o.SynonymPair, &other.SynonymPair), comparePMIDs(o.pmid, other.pmid))
}

// pairs returns the pairs of all sources, in order, with the records that count.
// Intermediate files are written to tmp.
func (r *reducer) pairs(ctx context.Context, tmp string) iter.Seq2[pairRow, error] {
	m := kWayMerge[*occurrence]{
		compare: (*occurrence).compare,
		write:   writeOccurrences,
		read:    func(path string) sortedSeq[*occurrence] { return readOccurrences(path, allRecords) },
		dir:     tmp,
		suffix:  pairsName,
	}
	var inputs []sortedSeq[*occurrence]
	for _, s := range r.sources {
		for _, c := range s.chunks {
			if c.pairs != "" {
				inputs = append(inputs, r.occurrences(s, c))
			}
		}
	}
	return func(yield func(pairRow, error) bool) {
		var current pairRow
		for o, err := range m.merge(ctx, inputs) {
			if err != nil {
				yield(pairRow{}, err)
				return
			}
			if current.Records > 0 && current.pair() != o.SynonymPair {
				if !yield(current, nil) {
					return
				}
				current = pairRow{}
			}
			current.add(o)
		}
		if current.Records > 0 {
			yield(current, nil)
		}
	}
}

// occurrences returns the pairs of a chunk, in order, in the records that count.
func (r *reducer) occurrences(s *source, c chunk) sortedSeq[*occurrence] {
	counts := r.latestFilter(s)
	if s.isShard {
		return readOccurrences(c.pairs, counts)
	}
	return func(yield func(*occurrence, error) bool) {
		var o occurrence
		for p, err := range readTable[pairRow](c.pairs, 0, -1) {
			if err != nil {
				yield(nil, err)
				return
			}
			for _, pmid := range p.PMIDs {
				o = occurrence{p.pair(), pmid}
				if counts(pmid, unknownRecord) && !yield(&o, nil) {
					return
				}
			}
		}
	}
}

// allRecords is the filter for intermediate files, which hold only records that count.
func allRecords(string, int32) bool { return true }

// writeOccurrences writes an intermediate file.
func writeOccurrences(path string, occurrences sortedSeq[*occurrence]) error {
	_, err := writeTable(path, shardCodec, func(t *table[shardPair]) error {
		for o, err := range occurrences {
			if err != nil {
				return err
			}
			if err := t.append(shardPair{Kind: o.Kind, Left: o.Left, Right: o.Right, PMID: o.pmid}); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// readOccurrences returns the pairs of a shard or intermediate file, in order, in
// the records that count.
func readOccurrences(path string, counts func(pmid string, record int32) bool) sortedSeq[*occurrence] {
	return func(yield func(*occurrence, error) bool) {
		var o occurrence
		for p, err := range readTable[shardPair](path, 0, -1) {
			if err != nil {
				yield(nil, err)
				return
			}
			o = occurrence{SynonymPair{p.Kind, p.Left, p.Right}, p.PMID}
			if counts(p.PMID, p.Record) && !yield(&o, nil) {
				return
			}
		}
	}
}
