package corpus

import (
	"context"
	"iter"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Sections without a label.
const (
	titleSection    = "title"
	abstractSection = "abstract"
)

// Tagger finds the names of a dictionary in text. Package matcher has the implementation in use; tests may bring their
// own.
type Tagger interface {
	// Tag returns offsets in bytes. The concepts it returns may be shared and must not be modified. All methods must be
	// safe for concurrent use.
	abbrev.Dictionary
	// Fingerprint returns a string that changes whenever the tagger would find other mentions.
	Fingerprint() string
}

// Sentence is a sentence of a PubMed record with its mentions. Its ID is the PMID of the record.
type Sentence struct {
	text.Document
	Section string // "title", the label of a section of the abstract, or "abstract"
	Index   int    // number of the sentence in its record, from 0
}

// row is a row of sentences.parquet.
type row struct {
	PMID     string       `parquet:"pmid"`
	Section  string       `parquet:"section,dict"`
	Index    int32        `parquet:"index"`
	Text     string       `parquet:"text"`
	Mentions []rowMention `parquet:"mentions,list"`
}

// rowMention is a mention in a row of sentences.parquet.
type rowMention struct {
	Start    int32          `parquet:"start"` // code points
	End      int32          `parquet:"end"`
	Name     string         `parquet:"name,dict"`
	Concepts []kb.ConceptID `parquet:"concepts,list"`
	LongForm string         `parquet:"long_form,dict"`
}

// newRow returns the row of a sentence. It copies body and long forms, but shares names and concepts with the mentions.
func newRow(pmid, section string, index int, body string, mentions []text.Mention) row {
	r := row{
		PMID:     pmid,
		Section:  section,
		Index:    int32(index),
		Text:     strings.Clone(body),
		Mentions: make([]rowMention, len(mentions)),
	}
	offsets := text.NewOffsets(body)
	for i, m := range mentions {
		at := offsets.CodePoints(m.Span)
		r.Mentions[i] = rowMention{int32(at.Start), int32(at.End), m.Name, m.Concepts, strings.Clone(m.LongForm)}
	}
	return r
}

// sentence returns the row as a Sentence, or false if a mention lies outside the text.
func (r *row) sentence() (*Sentence, bool) {
	s := &Sentence{
		Document: text.Document{ID: r.PMID, Text: r.Text, Mentions: make([]text.Mention, len(r.Mentions))},
		Section:  r.Section,
		Index:    int(r.Index),
	}
	offsets := text.NewOffsets(r.Text)
	for i, m := range r.Mentions {
		span, ok := offsets.Bytes(text.Span{Start: int(m.Start), End: int(m.End)})
		if !ok {
			return nil, false
		}
		s.Mentions[i] = text.Mention{Span: span, Name: m.Name, Concepts: m.Concepts, LongForm: m.LongForm}
	}
	return s, true
}

// shardRow is a row of a shard. Its record may turn out to be superseded.
type shardRow struct {
	Row    row
	Record int32 // number of its record in the input file, from 0; unknownRecord if it comes from a corpus
}

// sentenceHash returns the hash that selects sentences for a name's bottom-k sample.
func sentenceHash(seed uint64, pmid string, index int32, name string) uint64 {
	return sampling.Hash(seed, pmid, strconv.Itoa(int(index)), name)
}

// Documents returns the sentences as documents, in the order of [Corpus.Sentences].
func (c *Corpus) Documents(ctx context.Context) iter.Seq2[*text.Document, error] {
	return mapped(c.Sentences(ctx), func(s *Sentence) (*text.Document, error) { return &s.Document, nil })
}
