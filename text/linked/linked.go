// Package linked defines the result of linking: documents whose mentions have candidates.
//
// The root package returns a [Document] for each document that it links, package text/formats writes it in any format,
// and the HTTP server responds with its JSON.
//
//	Document            a text with its linked mentions
//	└─ Mention          a span of the text with its candidates
//	   ├─ Reading       one way to read an ambiguous short form
//	   ├─ Candidate     a concept that the mention may name, the best first; none for NIL
//	   │  └─ Evidence   an exemplar that supports the candidate
//	   ├─ Broader       for NIL, the concept above the one that the mention names
//	   └─ SubMention    a name that a composite mention joins, with candidates of its own
//
// Offsets are bytes. In JSON they count code points, as in every file of this module.
package linked

import (
	"cmp"
	_ "embed" // for CSS
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Document is a text with its linked mentions.
type Document struct {
	ID       string    `json:"id"`
	Text     string    `json:"text"` // without marks
	Mentions []Mention `json:"mentions"`

	// Tagged means that the mentions come from the tagger, not from the input.
	Tagged bool `json:"-"`
}

// Mention is a mention with its candidates, the best first. A NIL mention has none.
type Mention struct {
	text.Span
	// of a discontinuous mention; nil otherwise
	Fragments []text.Span `json:"fragments,omitempty"`
	Text      string      `json:"text"` // of the fragments, joined by spaces
	// where the span comes from: SourceDictionary or SourceRecognized; empty if it comes from the input, or if only names
	// of the dictionary were looked for
	Source string `json:"source,omitempty"`
	// the probability, 0 to 1, that exactly this span is a mention; absent unless it was recognized
	RecognitionScore float64 `json:"recognition_score,omitempty"`
	AnnotationID     string  `json:"annotation_id,omitempty"` // in the input
	// in the unit of the input and from its start; nil if that equals Start in code points
	SourceStart *int           `json:"source_start,omitempty"`
	SourceEnd   *int           `json:"source_end,omitempty"`
	Type        string         `json:"type,omitempty"`      // in the input
	IDs         []kb.ConceptID `json:"ids,omitempty"`       // in the input
	Composite   bool           `json:"composite,omitempty"` // in the input
	Assertion                  // the context of the mention in the text, if asked for
	// the text that was linked: with abbreviations expanded, or another name for what it says; empty if it is Text
	ResolvedText string `json:"resolved_text,omitempty"`
	// of a short form that the document does not define, the most probable first; nil if there is only one
	Readings []Reading `json:"readings,omitempty"`
	// of a composite mention, the interleaved candidates of its sub-mentions
	Candidates []Candidate `json:"candidates"`
	// for NIL, the concept of which the mention is most probably a kind; nil if unknown
	Broader     *Broader     `json:"broader,omitempty"`
	Suggested   []Candidate  `json:"suggested,omitempty"`    // for NIL, candidates below the threshold
	SubMentions []SubMention `json:"sub_mentions,omitempty"` // nil unless the mention is composite
	// author and time of the correction, if one decided the candidates; nil otherwise
	Corrected *text.Correction `json:"corrected,omitempty"`
}

// These are the values of [Mention].Source.
const (
	SourceDictionary = "dictionary" // a name of the dictionary, or a short form of one
	SourceRecognized = "recognized" // not a name: found by the recognizer
)

// Assertion holds the context of a mention in its text. The zero value means affirmed, present and about the patient.
type Assertion struct {
	Negated      bool `json:"negated,omitempty"`      // "no fever"
	Uncertain    bool `json:"uncertain,omitempty"`    // "possible fever"; never together with Negated
	Historical   bool `json:"historical,omitempty"`   // "a history of fever"
	Hypothetical bool `json:"hypothetical,omitempty"` // "return if fever develops"; never together with Historical
	OtherPerson  bool `json:"other_person,omitempty"` // "her mother had a fever"
}

// AssertionNames are the names of the attributes of an [Assertion] in JSON.
var AssertionNames = []string{"negated", "uncertain", "historical", "hypothetical", "other_person"}

// AttributeValues returns the attributes in the order of [AssertionNames].
func (a *Assertion) AttributeValues() []bool {
	return []bool{a.Negated, a.Uncertain, a.Historical, a.Hypothetical, a.OtherPerson}
}

// Attributes returns the names of the attributes that are set, in the order of [AssertionNames].
func (a *Assertion) Attributes() []string {
	var names []string
	for i, set := range a.AttributeValues() {
		if set {
			names = append(names, AssertionNames[i])
		}
	}
	return names
}

// Reading is one way to read a mention: as it is written, or with a short form expanded.
type Reading struct {
	Text        string  `json:"text"`
	Probability float64 `json:"probability"` // among all readings of the mention
}

// SubMention is one of the names joined in a composite mention, with its candidates.
type SubMention struct {
	Text       string      `json:"text"`
	Candidates []Candidate `json:"candidates"`
	Broader    *Broader    `json:"broader,omitempty"`   // as in [Mention]
	Suggested  []Candidate `json:"suggested,omitempty"` // likewise
}

// Broader is the concept above the one that a NIL mention names.
type Broader struct {
	Concept kb.ConceptID `json:"id"`
	Name    string       `json:"name"` // preferred name; the id if the concept has no name
	// 0 to 1: that it is a parent of the named concept, if the dictionary lacks that concept
	Probability float64 `json:"probability"`
}

// Candidate is a concept that a mention may name.
type Candidate struct {
	Concept kb.ConceptID `json:"id"`
	Name    string       `json:"name"` // preferred name; the id if the concept has no name
	// identifiers in other vocabularies, if asked for and the dictionary has them
	Xrefs []kb.ConceptID `json:"xrefs,omitempty"`
	// the name of the concept that is most similar to the mention; Name if the concept has no name
	MatchedName string `json:"matched_name"`
	// ranks the candidates of one mention; not comparable between mentions
	Score float64 `json:"score"`
	// 0 to 1; 0, and omitted, for methods that are not calibrated
	Probability float64 `json:"probability,omitempty"`
	Votes       int     `json:"votes"` // number of nearest exemplars with this concept
	// those exemplars, in descending order of similarity; nil unless asked for
	Evidence []Evidence `json:"evidence,omitempty"`
}

// Evidence is an exemplar that supports a candidate, one of the mention's nearest neighbors: a sentence with its
// document and the span of the name, or a bare name.
type Evidence struct {
	// the identifier of the document in the corpus, which is a PMID for records of PubMed
	PMID string `json:"pmid,omitempty"`
	// the pattern by which a bare name was mined from the corpus; empty for a name of the dictionary
	Source     string  `json:"source,omitempty"`
	Text       string  `json:"text"`
	text.Span          // of the name in Text
	Similarity float64 `json:"similarity"` // cosine of the vectors of mention and exemplar, -1 to 1
}

// HasXrefs reports whether a candidate has identifiers in other vocabularies.
func (m *Mention) HasXrefs() bool {
	return slices.ContainsFunc(m.Links(), func(l Link) bool {
		return slices.ContainsFunc(l.Candidates, func(c Candidate) bool { return len(c.Xrefs) > 0 })
	})
}

// Link is a sub-mention of a composite mention, or a mention that is not composite.
type Link struct {
	SubMention
	wording string // the text that was linked
}

// Links returns the sub-mentions of a composite mention, or any other mention as a single link.
func (m *Mention) Links() (links []Link) {
	for _, s := range m.SubMentions {
		links = append(links, Link{s, s.Text})
	}
	if links == nil {
		links = []Link{{SubMention{m.Text, m.Candidates, m.Broader, m.Suggested}, cmp.Or(m.ResolvedText, m.Text)}}
	}
	return links
}

// Best returns the first candidate of each of [Mention.Links]; nil stands for NIL.
func (m *Mention) Best() (best []*Candidate) {
	for _, l := range m.Links() {
		best = append(best, l.Best())
	}
	return best
}

// Best returns the first candidate, or nil for NIL.
func (l *Link) Best() *Candidate {
	if len(l.Candidates) == 0 {
		return nil
	}
	return &l.Candidates[0]
}

// Tied returns the candidates that fit as well as the first: those with the same score or, from methods with
// probabilities, those with the same matched name and at least half its probability.
func (l *Link) Tied() (as []*Candidate) {
	for i := 1; i < len(l.Candidates); i++ {
		first, c := &l.Candidates[0], &l.Candidates[i]
		isSame := strings.EqualFold(first.MatchedName, c.MatchedName)
		isFirst := strings.EqualFold(first.MatchedName, l.wording) && !strings.EqualFold(c.MatchedName, l.wording)
		if first.Probability > 0 && isSame && c.Probability >= first.Probability/2 ||
			first.Probability == 0 && Rounded(first.Score) == Rounded(c.Score) && !isFirst {
			as = append(as, c)
		}
	}
	return as
}

// Certainty returns the probability, or the score of a method that is not calibrated.
func (c *Candidate) Certainty() float64 { return cmp.Or(c.Probability, c.Score) }

// IsUnsure reports whether the answer needs review: its certainty is below Certain, other concepts fit as well, or it is
// NIL with suggestions.
func (m *Mention) IsUnsure() bool {
	return m.Corrected == nil && slices.ContainsFunc(m.Links(), func(l Link) bool {
		c := l.Best()
		return len(l.Suggested) > 0 || len(l.Tied()) > 0 || c != nil && c.Certainty() < Certain
	})
}

// Reject makes the mention NIL and turns its candidates into suggestions.
func (m *Mention) Reject() {
	reject := func(candidates, suggested *[]Candidate) {
		if len(*candidates) > 0 {
			*suggested, *candidates = *candidates, nil
		}
	}
	reject(&m.Candidates, &m.Suggested)
	for i := range m.SubMentions {
		reject(&m.SubMentions[i].Candidates, &m.SubMentions[i].Suggested)
	}
}

// CSS is the style sheet of linked mentions: colors, light and dark, and signs of certainty. The server's page and HTML
// output share it, so a mention looks the same in both. Its variables, such as --ink and --card, are the colors of the
// whole page.
//
//go:embed mentions.css
var CSS string

// Links count as certain or likely from these probabilities on.
const (
	Certain = .8
	Likely  = .5
)
