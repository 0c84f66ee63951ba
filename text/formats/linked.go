package formats

import (
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/assertion"
	"github.com/ctxnorm/ctxnorm/kb"
)

// Linked is a record whose mentions are linked.
type Linked struct {
	Record   *Record
	Mentions []LinkedMention // of the record's document, one each
}

// LinkedMention is a mention with its candidates, the best first. A NIL mention has none.
// Offsets count code points of the document's text.
type LinkedMention struct {
	Start            int             `json:"start"`
	End              int             `json:"end"`
	Text             string          `json:"text"`
	AnnotationID     string          `json:"annotation_id,omitempty"` // in the input
	SourceStart      *int            `json:"source_start,omitempty"`  // as the input counts, in its own unit and from its own start; absent if that is Start
	SourceEnd        *int            `json:"source_end,omitempty"`
	Type             string          `json:"type,omitempty"`      // in the input
	IDs              []kb.ConceptID  `json:"ids,omitempty"`       // in the input
	Composite        bool            `json:"composite,omitempty"` // in the input
	assertion.Status                 // what the text says of the mention, if asked
	ResolvedText     string          `json:"resolved_text,omitempty"` // with abbreviations expanded; absent if it is Text
	Readings         []LinkedReading `json:"readings,omitempty"`      // of a short form that the document does not define; absent if there is one
	Candidates       []Candidate     `json:"candidates"`              // of a composite mention, those of its sub-mentions interleaved
	SubMentions      []SubMention    `json:"sub_mentions,omitempty"`  // absent unless the mention is composite
	Corrected        string          `json:"corrected,omitempty"`     // who said so, and when, if a correction decided it
}

// LinkedReading is one of several readings of a mention.
type LinkedReading struct {
	Text        string  `json:"text"`
	Probability float64 `json:"probability"`
}

// SubMention is a sub-mention of a composite mention with its candidates.
type SubMention struct {
	Text       string      `json:"text"`
	Candidates []Candidate `json:"candidates"`
}

// Candidate is a candidate concept of a mention.
type Candidate struct {
	ID          kb.ConceptID `json:"id"`
	Name        string       `json:"name"`         // preferred name; the ID if the concept has no name
	MatchedName string       `json:"matched_name"` // the name of the concept that is most like the mention; Name if it has none
	Score       float64      `json:"score"`
	Probability *float64     `json:"probability,omitempty"` // nil from methods that return none
	Votes       int          `json:"votes"`
	Evidence    []Evidence   `json:"evidence,omitempty"`
}

// Evidence is an exemplar that supports a candidate: a sentence with its PMID and the
// offsets of the name in it, in code points, or a bare name.
type Evidence struct {
	PMID       string  `json:"pmid,omitempty"`
	Source     string  `json:"source,omitempty"` // the pattern by which a bare name was mined from the corpus; absent for a name of the dictionary
	Text       string  `json:"text"`
	Start      int     `json:"start"`
	End        int     `json:"end"`
	Similarity float64 `json:"similarity"` // cosine with the query
}

// none is written where a format has one place for the ids of a mention and it is NIL.
const none = "-"

// best returns the first candidate of each sub-mention of a composite mention, or of the
// mention; nil stands for NIL.
func (m *LinkedMention) best() []*Candidate {
	first := func(candidates []Candidate) *Candidate {
		if len(candidates) == 0 {
			return nil
		}
		return &candidates[0]
	}
	if len(m.SubMentions) == 0 {
		return []*Candidate{first(m.Candidates)}
	}
	best := make([]*Candidate, len(m.SubMentions))
	for i := range m.SubMentions {
		best[i] = first(m.SubMentions[i].Candidates)
	}
	return best
}

// linkedID returns the concepts that the mention was linked to, in the notation of
// PubTator: "D001943|D010051" for a composite mention, "-" for NIL.
func (m *LinkedMention) linkedID() string {
	return m.join("|", none, func(c *Candidate) string { return string(c.ID) })
}

// join joins what of returns for the best candidates. nilText stands for NIL; it is
// written once if all of them are NIL.
func (m *LinkedMention) join(separator, nilText string, of func(*Candidate) string) string {
	best := m.best()
	parts := make([]string, len(best))
	linked := false
	for i, c := range best {
		parts[i] = nilText
		if c != nil {
			parts[i], linked = of(c), true
		}
	}
	if !linked {
		return nilText
	}
	return strings.Join(parts, separator)
}

// untyped is the type that is written for mentions without one, where a format needs one.
const untyped = "Concept"

// typeOf returns the type of a mention for formats that need one.
func (m *LinkedMention) typeOf() string {
	if m.Type == "" {
		return untyped
	}
	return m.Type
}
