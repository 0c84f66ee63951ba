package corpus

import (
	"iter"
	"path/filepath"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/pubmed"
	"github.com/ctxnorm/ctxnorm/text"
)

// The corpus keeps the texts of the records with the smallest hashes: that many of each
// chunk of a shard, and of those that many in all. 5,000 texts are enough to learn which words stand together in
// texts. A recognizer learns what words mean by their neighbors, and gains from 50,000 (F1 of diseases .744, .749
// and .763 from 16,000, 33,000 and 55,000 texts) but little from more (.766 from 109,000).
const (
	textsPerChunk  = 8000
	textsPerCorpus = 50000
)

// textSample is a bottom-k sample of the texts of records. As records are sampled before it is known which of them
// count, the sample of a union is that of the merged samples, whatever one supersedes of the other.
type textSample struct {
	seed   uint64
	size   int
	hashes bottomK // with repetitions, of a PMID that is repeated
}

func (s *textSample) hash(r *record) uint64 { return sampling.Hash(s.seed, "text", r.PMID) }

// add adds a record and reports whether its text is now in the sample. Records that are added
// later may evict it: see prune.
func (s *textSample) add(r *record) bool {
	return r.Text != "" && s.hashes.add(s.hash(r), s.size)
}

// prune removes the text of a record that is not in the sample.
func (s *textSample) prune(r *record) {
	if len(s.hashes) == s.size && (s.size == 0 || s.hash(r) > s.hashes[s.size-1]) {
		r.Text = ""
	}
}

// maxText is the number of bytes of a text that are kept: more than any abstract has.
const maxText = 16 << 10

// recordText returns the title and the abstract of a record, or the beginning of a longer text, in memory of its own.
func recordText(rec *pubmed.Record) string {
	whole := strings.TrimSpace(rec.Title + "\n" + rec.Abstract())
	if len(whole) <= maxText {
		return whole
	}
	return strings.Clone(strings.ToValidUTF8(whole[:maxText], "")) // without half a character at its end
}

// Texts returns titles and abstracts of a sample of the records, in the order of the input files: what words stand
// together, also in records without a name of the dictionary. A record that was revised may be among them in several
// versions. They are read during iteration. After an error the iteration ends.
func (c *Corpus) Texts() iter.Seq2[*text.Document, error] {
	if c.manifest.Settings.Texts == 0 {
		return func(func(*text.Document, error) bool) {}
	}
	sampled := where(readTable[record](filepath.Join(c.dir, recordsName), 0, -1), func(r *record) bool { return r.Text != "" })
	return mapped(sampled, func(r *record) (*text.Document, error) { return &text.Document{ID: r.PMID, Text: r.Text}, nil })
}
