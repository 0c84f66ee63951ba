package corpus

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"ctxnorm"
)

// TitleSection and AbstractSection name the sections that have no label.
const (
	TitleSection    = "title"
	AbstractSection = "abstract"
)

// Tagger finds the names of a dictionary in text. It is what package matcher
// makes; a test may bring its own.
type Tagger interface {
	// Tag appends the mentions of text to dst, ordered by Start. Their Concepts
	// may be shared and are not changed by anyone. It is safe for concurrent use.
	Tag(dst []ctxnorm.Mention, text string) []ctxnorm.Mention
	// Fingerprint changes when the tagger would find other mentions.
	Fingerprint() string
}

// Sentence is one sentence of a PubMed record with the mentions in it. Its ID is
// the record's PMID.
type Sentence struct {
	ctxnorm.Document
	Section string // TitleSection, a label of the abstract, or AbstractSection
	Index   int    // number of the sentence in its record, from 0
}

// row is a [Sentence] as sentences.parquet holds it.
type row struct {
	PMID     string       `parquet:"pmid"`
	Section  string       `parquet:"section,dict"`
	Index    int32        `parquet:"index"`
	Text     string       `parquet:"text"`
	Mentions []rowMention `parquet:"mentions,list"`
}

// rowMention is a mention as sentences.parquet holds it.
type rowMention struct {
	Start    int32               `parquet:"start"` // code points
	End      int32               `parquet:"end"`
	Name     string              `parquet:"name,dict"`
	Concepts []ctxnorm.ConceptID `parquet:"concepts,list"`
}

// partRow is a row of a part: one that is not yet known to count.
type partRow struct {
	row
	Record int32 // number of its record in the input file, from 0; 0 where a corpus is read
}

// newRow is the row of a sentence. It shares no memory with text; names and
// concepts are the tagger's.
func newRow(pmid, section string, index int, text string, mentions []ctxnorm.Mention) row {
	r := row{
		PMID:     pmid,
		Section:  section,
		Index:    int32(index),
		Text:     strings.Clone(text),
		Mentions: make([]rowMention, len(mentions)),
	}
	at, points := 0, 0 // a place in text, in bytes and in code points
	for i, m := range mentions {
		if m.Start < at {
			at, points = 0, 0
		}
		points += utf8.RuneCountInString(text[at:m.Start])
		at = m.Start
		r.Mentions[i] = rowMention{
			Start:    int32(points),
			End:      int32(points + utf8.RuneCountInString(m.Of(text))),
			Name:     m.Name,
			Concepts: m.Concepts,
		}
	}
	return r
}

// sentence is the sentence of a row; false if a mention lies outside its text.
func (r *row) sentence() (*Sentence, bool) {
	s := &Sentence{
		Document: ctxnorm.Document{ID: r.PMID, Text: r.Text, Mentions: make([]ctxnorm.Mention, len(r.Mentions))},
		Section:  r.Section,
		Index:    int(r.Index),
	}
	at, points := 0, 0
	for i, m := range r.Mentions {
		if int(m.Start) < points {
			at, points = 0, 0
		}
		start, ok := advance(r.Text, at, int(m.Start)-points)
		end, ok2 := advance(r.Text, start, int(m.End-m.Start))
		if !ok || !ok2 {
			return nil, false
		}
		at, points = start, int(m.Start)
		s.Mentions[i] = ctxnorm.Mention{Span: ctxnorm.Span{Start: start, End: end}, Name: m.Name, Concepts: m.Concepts}
	}
	return s, true
}

// advance is the byte n code points behind the byte at; false if text ends
// before, or if n is negative.
func advance(text string, at, n int) (int, bool) {
	for ; n > 0 && at < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at, n == 0
}

// hash is what the sentence is drawn by among those of name.
func (r *row) hash(seed uint64, name string) uint64 {
	return sentenceHash(seed, r.PMID, int(r.Index), name)
}

func sentenceHash(seed uint64, pmid string, index int, name string) uint64 {
	return ctxnorm.Hash(seed, pmid, strconv.Itoa(index), name)
}
