package corpus

import (
	"cmp"
	"iter"
	"path/filepath"
	"strings"

	"ctxnorm"
)

// Pair is two strings that a text sets beside each other, as they are written
// there: a short form and its long form, a name and another name.
type Pair struct {
	Kind        string // by what pattern, in the words of the [Miner]
	Left, Right string
}

// Miner finds pairs in text. Package mine has the one that is used; a test may
// bring its own.
type Miner interface {
	// Mine appends the pairs in text, which is a title or a section of an
	// abstract, to dst. The mentions are those that the tagger found in its
	// sentences, ordered by Start. It is safe for concurrent use.
	Mine(dst []Pair, text string, mentions []ctxnorm.Mention) []Pair
	// Fingerprint changes when the miner would find other pairs.
	Fingerprint() string
}

// PairCount is a pair and the number of PubMed records that have it.
type PairCount struct {
	Pair
	Records int
}

// Pairs gives the pairs, ordered by kind, left and right; none if the corpus was
// made without a miner. They are read as they are asked for.
func (c *Corpus) Pairs() iter.Seq2[PairCount, error] {
	return func(yield func(PairCount, error) bool) {
		if c.manifest.Settings.Miner == "" {
			return
		}
		for r, err := range readTable[countedPair](filepath.Join(c.dir, pairsName), 0, -1) {
			if err != nil {
				yield(PairCount{}, err)
				return
			}
			if !yield(PairCount{r.pair(), int(r.Records)}, nil) {
				return
			}
		}
	}
}

// countedPair is the columns of pairs.parquet that most readers want.
type countedPair struct {
	Kind    string `parquet:"kind,dict"`
	Left    string `parquet:"left"`
	Right   string `parquet:"right"`
	Records int32  `parquet:"records"`
}

func (r *countedPair) pair() Pair { return Pair{r.Kind, r.Left, r.Right} }

// pairRow is a row of pairs.parquet.
//
// INVARIANT: PMIDs are distinct and in order, and Records is their number.
type pairRow struct {
	countedPair
	PMIDs []string `parquet:"pmids,list"`
}

// partPair is a row of a part: a pair of one record, not yet known to count.
type partPair struct {
	Kind   string `parquet:"kind,dict"`
	Left   string `parquet:"left"`
	Right  string `parquet:"right"`
	PMID   string `parquet:"pmid"`
	Record int32  `parquet:"record"` // number in the input file, from 0
}

// compare orders rows of parts.
func (p *partPair) compare(o *partPair) int {
	return cmp.Or(
		comparePairs(&Pair{p.Kind, p.Left, p.Right}, &Pair{o.Kind, o.Left, o.Right}),
		comparePMIDs(p.PMID, o.PMID),
		cmp.Compare(p.Record, o.Record),
	)
}

func comparePairs(a, b *Pair) int {
	return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Left, b.Left), strings.Compare(a.Right, b.Right))
}

// clone is the pair without the text that it was found in.
func (p Pair) clone() Pair {
	return Pair{p.Kind, strings.Clone(p.Left), strings.Clone(p.Right)}
}
