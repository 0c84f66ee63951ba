package linked

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text"
)

// Rounded returns x rounded to five decimals, as written to files. Further digits are noise of float32 vectors.
func Rounded(x float64) float64 { return math.Round(x*1e5) / 1e5 }

// CodePoints returns a copy of the mentions as they are written to files: offsets count code points, and recognition
// scores are rounded. It never returns nil.
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

// written are the options for writing results: floating-point numbers are rounded, spans of evidence count code points,
// and empty lists are written as lists, not null. The mentions, candidates and so on of a result are written together
// with it. As separate [json.Marshaler]s, their JSON would be scanned again at each level above.
var written = json.JoinOptions(
	jsonv1.OmitEmptyWithLegacySemantics(true), jsontext.EscapeForJS(true), jsontext.AllowInvalidUTF8(true),
	json.WithMarshalers(json.JoinMarshalers(
		json.MarshalToFunc(func(e *jsontext.Encoder, x float64) error {
			return e.WriteToken(jsontext.Float(Rounded(x)))
		}),
		json.MarshalToFunc(func(e *jsontext.Encoder, m Mention) error {
			type plain Mention
			return json.MarshalEncode(e, plain(m))
		}),
		json.MarshalToFunc(func(e *jsontext.Encoder, b Broader) error {
			type plain Broader
			return json.MarshalEncode(e, plain(b))
		}),
		json.MarshalToFunc(func(e *jsontext.Encoder, c Candidate) error {
			type plain Candidate
			return json.MarshalEncode(e, plain(c))
		}),
		json.MarshalToFunc(func(e *jsontext.Encoder, evidence Evidence) error {
			type plain Evidence
			evidence.Span = text.NewOffsets(evidence.Text).CodePoints(evidence.Span)
			return json.MarshalEncode(e, plain(evidence))
		}),
	)),
)

// MarshalJSON implements [json.Marshaler].
func (d *Document) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		ID       string    `json:"id"`
		Text     string    `json:"text"`
		Mentions []Mention `json:"mentions"`
	}{d.ID, d.Text, d.CodePoints()}, written)
}

// MarshalJSON implements [json.Marshaler]. It does not convert offsets: see [Document.CodePoints].
func (m Mention) MarshalJSON() ([]byte, error) { return json.Marshal(m, written) }

// MarshalJSON implements [json.Marshaler]. The probability is rounded.
func (b Broader) MarshalJSON() ([]byte, error) { return json.Marshal(b, written) }

// MarshalJSON implements [json.Marshaler]. Score and probability are rounded; a probability that becomes 0 is written.
func (c Candidate) MarshalJSON() ([]byte, error) { return json.Marshal(c, written) }

// UnmarshalJSON implements [json.Unmarshaler]. It refuses a mention outside the text.
func (d *Document) UnmarshalJSON(data []byte) error {
	type plain Document
	var read plain
	if err := input.DecodeJSON(data, &read); err != nil {
		return input.JSONError(err)
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

// UnmarshalJSON implements [json.Unmarshaler]. A probability of 0 was rounded. It becomes the smallest positive number,
// which is written as 0 again.
func (c *Candidate) UnmarshalJSON(data []byte) error {
	type Plain Candidate // embedded fields must be exported
	read := struct {
		*Plain
		Probability *float64 `json:"probability"`
	}{Plain: (*Plain)(c)}
	if err := input.DecodeJSON(data, &read); err != nil {
		return input.JSONError(err)
	}
	if read.Probability != nil {
		c.Probability = max(*read.Probability, math.SmallestNonzeroFloat64)
	}
	return nil
}

// UnmarshalJSON implements [json.Unmarshaler]. It refuses a span outside the text.
func (e *Evidence) UnmarshalJSON(data []byte) error {
	type plain Evidence
	var read plain
	if err := input.DecodeJSON(data, &read); err != nil {
		return input.JSONError(err)
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
		return &input.LineError{Want: fmt.Sprintf("a range within the %d characters of the text", offsets.Len()),
			Got: fmt.Sprintf("offsets %d to %d", s.Start, s.End)}
	}
	*s = bytes
	return nil
}
