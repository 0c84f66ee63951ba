package linked

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text"
)

// Rounded returns x to five decimals, as files have it. Further digits are noise of float32
// vectors.
func Rounded(x float64) float64 { return math.Round(x*1e5) / 1e5 }

// CodePoints returns a copy of the mentions as files have them: offsets count code points of the text, and the
// scores of recognition are rounded. It is not nil.
func (d *Document) CodePoints() []Mention {
	offsets := text.NewOffsets(d.Text)
	mentions := make([]Mention, len(d.Mentions))
	for i, m := range d.Mentions {
		m.Span = offsets.CodePoints(m.Span)
		m.RecognitionScore = Rounded(m.RecognitionScore)
		m.Fragments = slices.Clone(m.Fragments)
		for j, f := range m.Fragments {
			m.Fragments[j] = offsets.CodePoints(f)
		}
		if m.Candidates == nil {
			m.Candidates = []Candidate{} // a list in JSON, not null
		}
		mentions[i] = m
	}
	return mentions
}

// MarshalJSON implements [json.Marshaler].
func (d *Document) MarshalJSON() ([]byte, error) {
	written := struct {
		ID       string           `json:"id"`
		Text     string           `json:"text"`
		Mentions []writtenMention `json:"mentions"`
	}{ID: d.ID, Text: d.Text, Mentions: make([]writtenMention, len(d.Mentions))}
	for i, m := range d.CodePoints() {
		written.Mentions[i] = m.written()
	}
	return marshal(&written)
}

// writtenMention is a [Mention] as JSON has it. None of its candidates is a [json.Marshaler]: encoding/json scans what
// such a one writes again at every level above it, and most of a document is candidates.
type writtenMention struct {
	plainMention
	// Members in the order of Mention, from the first that is not as there.
	Candidates  []writtenCandidate `json:"candidates"`
	Broader     *Broader           `json:"broader,omitempty"`
	SubMentions []SubMention       `json:"sub_mentions,omitempty"`
	Corrected   *text.Correction   `json:"corrected,omitempty"`
}

type plainMention Mention

func (m *Mention) written() writtenMention {
	w := writtenMention{plainMention: plainMention(*m), Broader: m.Broader, SubMentions: m.SubMentions,
		Corrected: m.Corrected}
	if m.Candidates != nil {
		w.Candidates = make([]writtenCandidate, len(m.Candidates))
	}
	for i := range m.Candidates {
		w.Candidates[i] = m.Candidates[i].written()
	}
	return w
}

// MarshalJSON implements [json.Marshaler]. Offsets are written as they are: see [Document.CodePoints].
func (m Mention) MarshalJSON() ([]byte, error) { return marshal(m.written()) }

// UnmarshalJSON implements [json.Unmarshaler]. It refuses a mention outside the text.
func (d *Document) UnmarshalJSON(data []byte) error {
	type plain Document
	var read plain
	if err := input.DecodeJSON(data, &read); err != nil {
		return err
	}
	offsets := text.NewOffsets(read.Text)
	for i := range read.Mentions {
		if err := toBytes(&read.Mentions[i].Span, offsets); err != nil {
			return fmt.Errorf("mention %d: %w", i+1, err)
		}
		for j := range read.Mentions[i].Fragments {
			if err := toBytes(&read.Mentions[i].Fragments[j], offsets); err != nil {
				return fmt.Errorf("mention %d: fragment %d: %w", i+1, j+1, err)
			}
		}
	}
	*d = Document(read)
	return nil
}

// MarshalJSON implements [json.Marshaler]. A sub-mention that is NIL has an empty list.
func (s SubMention) MarshalJSON() ([]byte, error) {
	type plain SubMention
	if s.Candidates == nil {
		s.Candidates = []Candidate{}
	}
	return marshal(plain(s))
}

// MarshalJSON implements [json.Marshaler]. The probability is rounded.
func (r Reading) MarshalJSON() ([]byte, error) {
	type plain Reading
	r.Probability = Rounded(r.Probability)
	return marshal(plain(r))
}

// MarshalJSON implements [json.Marshaler]. The probability is rounded.
func (b Broader) MarshalJSON() ([]byte, error) {
	type plain Broader
	b.Probability = Rounded(b.Probability)
	return marshal(plain(b))
}

// MarshalJSON implements [json.Marshaler]. Score and probability are rounded; a probability
// that is 0 only when rounded is there.
func (c Candidate) MarshalJSON() ([]byte, error) {
	return marshal(c.written())
}

// writtenCandidate is a [Candidate] as JSON has it.
type writtenCandidate struct {
	plainCandidate
	// Members in the order of Candidate, from the first that is not as there.
	Score       float64    `json:"score"`
	Probability *float64   `json:"probability,omitempty"`
	Votes       int        `json:"votes"`
	Evidence    []Evidence `json:"evidence,omitempty"`
}

type plainCandidate Candidate

func (c *Candidate) written() writtenCandidate {
	w := writtenCandidate{plainCandidate: plainCandidate(*c), Score: Rounded(c.Score), Votes: c.Votes,
		Evidence: c.Evidence}
	if c.Probability != 0 {
		w.Probability = new(Rounded(c.Probability))
	}
	return w
}

// UnmarshalJSON implements [json.Unmarshaler]. A probability of 0 was rounded: it is read as the
// smallest one, which is written as 0 again.
func (c *Candidate) UnmarshalJSON(data []byte) error {
	type Plain Candidate // exported, since it is embedded
	read := struct {
		*Plain
		Probability *float64 `json:"probability"`
	}{Plain: (*Plain)(c)}
	if err := input.DecodeJSON(data, &read); err != nil {
		return err
	}
	if read.Probability != nil {
		c.Probability = max(*read.Probability, math.SmallestNonzeroFloat64)
	}
	return nil
}

// MarshalJSON implements [json.Marshaler].
func (e Evidence) MarshalJSON() ([]byte, error) {
	type plain Evidence
	e.Span = text.NewOffsets(e.Text).CodePoints(e.Span)
	e.Similarity = Rounded(e.Similarity)
	return marshal(plain(e))
}

// UnmarshalJSON implements [json.Unmarshaler]. It refuses a span outside the text.
func (e *Evidence) UnmarshalJSON(data []byte) error {
	type plain Evidence
	var read plain
	if err := input.DecodeJSON(data, &read); err != nil {
		return err
	}
	if err := toBytes(&read.Span, text.NewOffsets(read.Text)); err != nil {
		return fmt.Errorf("evidence: %w", err)
	}
	*e = Evidence(read)
	return nil
}

// toBytes converts a span from code points to bytes.
func toBytes(s *text.Span, offsets *text.Offsets) error {
	bytes, ok := offsets.Bytes(*s)
	if !ok {
		return fmt.Errorf("offsets %d to %d, want a range within the %d characters of the text", s.Start, s.End,
			offsets.Len())
	}
	*s = bytes
	return nil
}

// marshal is [json.Marshal] that leaves <, > and & as they are: the caller escapes them if it
// must.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
