package link

import (
	"encoding/json"
	"io"
	"math"

	"ctxnorm"
	"ctxnorm/corpus/annotated"
)

// Record is a linked document as it is written: JSON, one document a line.
// Offsets count Unicode code points of the text, as in the input.
type Record struct {
	ID       string         `json:"id"`
	Text     string         `json:"text"`
	Mentions []LinkedRecord `json:"mentions"`
}

// LinkedRecord is a mention with its candidates, the best first; none for NIL.
type LinkedRecord struct {
	Start      int               `json:"start"`
	End        int               `json:"end"`
	Text       string            `json:"text"`
	ReadAs     string            `json:"read_as,omitempty"` // with abbreviations written out, where it has any
	Candidates []CandidateRecord `json:"candidates"`        // of a composite mention those of its parts, dealt out in turn
	Parts      []PartRecord      `json:"parts,omitempty"`   // of a composite mention
}

// PartRecord is a part of a composite mention with its candidates.
type PartRecord struct {
	Text       string            `json:"text"`
	Candidates []CandidateRecord `json:"candidates"`
}

// CandidateRecord is one candidate.
type CandidateRecord struct {
	ID          ctxnorm.ConceptID `json:"id"`
	Name        string            `json:"name"`
	Score       float64           `json:"score"`
	Probability float64           `json:"probability"`
	Votes       int               `json:"votes"`
	Evidence    []EvidenceRecord  `json:"evidence,omitempty"`
}

// EvidenceRecord is an exemplar that voted: a sentence with its PMID and the
// place of the name in it, or a bare name of the dictionary.
type EvidenceRecord struct {
	PMID       string  `json:"pmid,omitempty"`
	Source     string  `json:"source,omitempty"` // how texts gave a bare name to the concept, where the dictionary does not have it
	Text       string  `json:"text"`
	Start      int     `json:"start"`
	End        int     `json:"end"`
	Similarity float64 `json:"similarity"`
}

// NewRecord joins a document with the answers to its mentions, and with evidence where
// the linker gave it.
func NewRecord(doc *ctxnorm.Document, answers []Answer, dict *ctxnorm.Dictionary) *Record {
	offsets := annotated.NewOffsets(doc.Text)
	r := &Record{ID: doc.ID, Text: doc.Text, Mentions: make([]LinkedRecord, len(doc.Mentions))}
	for i, m := range doc.Mentions {
		a := &answers[i]
		linked := LinkedRecord{
			Start: offsets.CodePoint(m.Start), End: offsets.CodePoint(m.End), Text: m.Of(doc.Text),
			Candidates: candidateRecords(a.Candidates, dict),
		}
		if a.ReadAs != linked.Text {
			linked.ReadAs = a.ReadAs
		}
		for _, part := range a.Parts {
			linked.Parts = append(linked.Parts, PartRecord{part.Text, candidateRecords(part.Candidates, dict)})
		}
		r.Mentions[i] = linked
	}
	return r
}

func candidateRecords(candidates []ctxnorm.Candidate, dict *ctxnorm.Dictionary) []CandidateRecord {
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

// rounded keeps five decimals: what follows them is the noise of float32.
func rounded(x float64) float64 { return math.Round(x*1e5) / 1e5 }

func evidenceRecord(e ctxnorm.Evidence) EvidenceRecord {
	offsets := annotated.NewOffsets(e.Exemplar.Text)
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
