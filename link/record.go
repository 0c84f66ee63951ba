package link

import (
	"encoding/json"
	"io"
	"math"

	"github.com/ctxnorm/ctxnorm/assertion"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Record is a linked document in the output format: JSON, one document per line. Offsets
// count Unicode code points of the text, as in the input.
type Record struct {
	ID       string         `json:"id"`
	Text     string         `json:"text"`
	Mentions []LinkedRecord `json:"mentions"`
}

// LinkedRecord is a mention with its candidates, the best first. A NIL mention has none.
type LinkedRecord struct {
	Start            int                `json:"start"`
	End              int                `json:"end"`
	Text             string             `json:"text"`
	assertion.Status                    // what the text says of the mention; absent where it affirms it
	ResolvedText     string             `json:"resolved_text,omitempty"` // with abbreviations expanded; absent if it is Text
	Readings         []ReadingRecord    `json:"readings,omitempty"`      // of a short form that the document does not define; absent if there is one
	Candidates       []CandidateRecord  `json:"candidates"`              // of a composite mention, those of its sub-mentions interleaved
	SubMentions      []SubMentionRecord `json:"sub_mentions,omitempty"`  // absent unless the mention is composite
}

// ReadingRecord is one of several readings of a mention.
type ReadingRecord struct {
	Text        string  `json:"text"`
	Probability float64 `json:"probability"`
}

// SubMentionRecord is a sub-mention of a composite mention with its candidates.
type SubMentionRecord struct {
	Text       string            `json:"text"`
	Candidates []CandidateRecord `json:"candidates"`
}

// CandidateRecord is a candidate with its preferred name in the dictionary.
type CandidateRecord struct {
	ID          kb.ConceptID     `json:"id"`
	Name        string           `json:"name"`
	Score       float64          `json:"score"`
	Probability float64          `json:"probability"`
	Votes       int              `json:"votes"`
	Evidence    []EvidenceRecord `json:"evidence,omitempty"`
}

// EvidenceRecord is an exemplar that supports a candidate: a sentence with its PMID and
// the offsets of the name in it, or a bare name.
type EvidenceRecord struct {
	PMID       string  `json:"pmid,omitempty"`
	Source     string  `json:"source,omitempty"` // the pattern by which a bare name was mined from the corpus; absent for a name of the dictionary
	Text       string  `json:"text"`
	Start      int     `json:"start"`
	End        int     `json:"end"`
	Similarity float64 `json:"similarity"` // cosine with the query
}

// NewRecord returns the record of a document, given the result of each of its mentions
// in their order and the dictionary that names the candidates.
func NewRecord(doc *text.Document, results []Result, dict *kb.Dictionary) *Record {
	offsets := text.NewOffsets(doc.Text)
	statuses := assertion.Classify(doc)
	r := &Record{ID: doc.ID, Text: doc.Text, Mentions: make([]LinkedRecord, len(doc.Mentions))}
	for i, m := range doc.Mentions {
		result := &results[i]
		linked := LinkedRecord{
			Start: offsets.CodePoint(m.Start), End: offsets.CodePoint(m.End), Text: m.Of(doc.Text), Status: statuses[i],
			Candidates: candidateRecords(result.Candidates, dict),
		}
		if result.ResolvedText != linked.Text {
			linked.ResolvedText = result.ResolvedText
		}
		if len(result.Readings) > 1 {
			for _, reading := range result.Readings {
				linked.Readings = append(linked.Readings, ReadingRecord{reading.Text, rounded(reading.Probability)})
			}
		}
		for _, sub := range result.SubMentions {
			linked.SubMentions = append(linked.SubMentions, SubMentionRecord{sub.Text, candidateRecords(sub.Candidates, dict)})
		}
		r.Mentions[i] = linked
	}
	return r
}

func candidateRecords(candidates []Candidate, dict *kb.Dictionary) []CandidateRecord {
	records := make([]CandidateRecord, len(candidates))
	for i, c := range candidates {
		records[i] = CandidateRecord{ID: c.Concept, Score: rounded(c.Score), Probability: rounded(c.Probability), Votes: c.Votes}
		if concept := dict.Lookup(c.Concept); concept != nil {
			records[i].Name = concept.Name
		}
		for _, e := range c.Evidence {
			records[i].Evidence = append(records[i].Evidence, evidenceRecord(e))
		}
	}
	return records
}

// rounded returns x to five decimals. Further digits are noise of float32 vectors.
func rounded(x float64) float64 { return math.Round(x*1e5) / 1e5 }

func evidenceRecord(e Evidence) EvidenceRecord {
	offsets := text.NewOffsets(e.Exemplar.Text)
	span := e.Exemplar.Mention.Span
	return EvidenceRecord{
		PMID: e.Exemplar.ID, Source: e.Exemplar.Source, Text: e.Exemplar.Text,
		Start: offsets.CodePoint(span.Start), End: offsets.CodePoint(span.End),
		Similarity: rounded(float64(e.Similarity)),
	}
}

// Write writes the record as one line of JSON.
func (r *Record) Write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}
