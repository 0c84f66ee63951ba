package corpus

import (
	"context"
	"iter"
	"path/filepath"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/pubmed"
	"github.com/ctxnorm/ctxnorm/text"
)

// The corpus keeps the texts of the records with the smallest hashes: first of each chunk of a shard, then of all
// chunks. 5,000 texts are enough to learn which words occur together. A recognizer learns the meaning of words from
// their neighbors and gains from 50,000 (F1 of diseases .744, .749 and .763 from 16,000, 33,000 and 55,000 texts) but
// little from more (.766 from 109,000).
const (
	textsPerChunk  = 8000
	textsPerCorpus = 50000
)

// textSample is a bottom-k sample of the texts of records. Records are sampled before it is known which of them count,
// so the sample of a union is the merged samples, even if records of one supersede records of the other.
type textSample struct {
	seed   uint64
	size   int
	hashes bottomK // with duplicates if a PMID is repeated
}

func (s *textSample) hash(r *record) uint64 { return sampling.Hash(s.seed, "text", r.PMID) }

// add adds a record and reports whether its text is now in the sample. Later additions may evict it: see prune.
func (s *textSample) add(r *record) bool {
	return r.Text != "" && s.hashes.add(s.hash(r), s.size)
}

// prune removes the text of a record that is no longer in the sample.
func (s *textSample) prune(r *record) {
	if len(s.hashes) == s.size && (s.size == 0 || s.hash(r) > s.hashes[s.size-1]) {
		r.Text = ""
	}
}

// maxText is the maximum number of bytes kept of a text: more than any abstract has.
const maxText = 16 << 10

// recordText returns the title and the abstract of a record, or the beginning of a longer text, in memory of its own.
func recordText(rec *pubmed.Record) string {
	whole := strings.TrimSpace(rec.Title + "\n" + rec.Abstract())
	if len(whole) <= maxText {
		return whole
	}
	return strings.Clone(strings.ToValidUTF8(whole[:maxText], "")) // drops half a character at the end
}

// Texts returns the titles and abstracts of a sample of the records, in the order of the input files, including records
// without a name of the dictionary. They show which words occur together. A revised record may occur in several
// versions. Texts are read during iteration. An error ends the iteration.
func (c *Corpus) Texts(ctx context.Context) iter.Seq2[*text.Document, error] {
	if c.manifest.Settings.Texts == 0 {
		return func(func(*text.Document, error) bool) {}
	}
	sampled := where(readTable[record](ctx, filepath.Join(c.dir, recordsName), 0, -1), func(r *record) bool { return r.Text != "" })
	return mapped(sampled, func(r *record) (*text.Document, error) { return &text.Document{ID: r.PMID, Text: r.Text}, nil })
}
