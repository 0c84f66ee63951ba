package formats

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// jsonlParser reads one JSON object per line. A line with any error is skipped.
type jsonlParser struct {
	file   string
	lines  *input.Lines
	limits input.Limits
}

// documentJSON is one line. Other members of the object are ignored.
type documentJSON struct {
	ID       json.RawMessage `json:"id"`   // a string or a number; the line number if missing
	Text     *string         `json:"text"` // with marks, unless there are mentions
	Group    string          `json:"group,omitempty"`
	Mentions []mentionJSON   `json:"mentions"`
}

type mentionJSON struct {
	Start     *int       `json:"start"` // code points
	End       *int       `json:"end"`
	Text      *string    `json:"text"` // if present, must match the text at the offsets
	IDs       []string   `json:"ids"`
	Composite bool       `json:"composite,omitempty"`
	Type      string     `json:"type,omitempty"`
	Sense     *senseJSON `json:"sense,omitempty"`
}

// senseJSON is a [text.Sense].
type senseJSON struct {
	LongForm string `json:"long_form"`
	Records  int    `json:"records"`
}

// WriteJSONL writes documents with their mentions, one line of JSON each, as [Reader] reads
// them. A mention without concepts has an empty list of ids.
func WriteJSONL(w io.Writer, docs []*text.Document) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, doc := range docs {
		id, err := json.Marshal(doc.ID)
		if err != nil {
			return err
		}
		offsets := text.NewOffsets(doc.Text)
		line := documentJSON{ID: id, Text: &doc.Text, Group: doc.Group, Mentions: make([]mentionJSON, len(doc.Mentions))}
		for i, m := range doc.Mentions {
			start, end, surface := offsets.CodePoint(m.Start), offsets.CodePoint(m.End), m.Of(doc.Text)
			ids := make([]string, len(m.Concepts))
			for j, concept := range m.Concepts {
				ids[j] = string(concept)
			}
			line.Mentions[i] = mentionJSON{Start: &start, End: &end, Text: &surface, IDs: ids, Composite: m.Composite, Type: m.Type}
			if s := m.Sense; s != nil {
				line.Mentions[i].Sense = &senseJSON{s.LongForm, s.Records}
			}
		}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

func (p *jsonlParser) next() ([]result, error) {
	line, reason, err := nextLine(p.lines)
	if err != nil {
		return nil, err
	}
	if reason != "" {
		return p.fail(reason), nil
	}
	doc, reason := p.document(line)
	if reason != "" {
		return p.fail(reason), nil
	}
	return []result{{doc: doc}}, nil
}

func (p *jsonlParser) fail(reason string) []result {
	return []result{{err: &RecordError{p.file, p.lines.Number(), reason}}}
}

// document returns the document of a line. A non-empty reason says what is wrong.
func (p *jsonlParser) document(line string) (doc *text.Document, reason string) {
	var parsed documentJSON
	if err := json.Unmarshal([]byte(line), &parsed); err != nil {
		return nil, input.JSONError(err).Error()
	}
	if parsed.Text == nil {
		return nil, fmt.Sprintf(`want a "text", got none in %s`, input.Quote(line))
	}
	id, reason := p.id(parsed.ID)
	if reason != "" {
		return nil, reason
	}
	unmarked, mentions, reason := parseMarks(*parsed.Text)
	switch {
	case reason != "":
		return nil, reason
	case len(mentions) > 0 && len(parsed.Mentions) > 0:
		return nil, fmt.Sprintf("want %s marks or a list of mentions, got both", markStart)
	}
	if err := p.limits.CheckMentions(max(len(mentions), len(parsed.Mentions))); err != nil {
		return nil, err.Error()
	}
	offsets := text.NewOffsets(unmarked)
	for i, m := range parsed.Mentions {
		if m.Start == nil || m.End == nil {
			return nil, fmt.Sprintf(`want a "start" and an "end" in mention %d`, i+1)
		}
		span, reason := spanOf(offsets, *m.Start, *m.End, m.Text)
		if reason != "" {
			return nil, reason
		}
		mention := text.Mention{Span: span, Type: m.Type, Concepts: conceptIDs(m.IDs), Composite: m.Composite}
		if s := m.Sense; s != nil {
			mention.Sense = &text.Sense{LongForm: s.LongForm, Records: s.Records}
		}
		mentions = append(mentions, mention)
	}
	sortMentions(mentions)
	return &text.Document{ID: id, Text: unmarked, Group: parsed.Group, Mentions: mentions}, ""
}

// id returns the identifier in raw, or the line number if there is none.
func (p *jsonlParser) id(raw json.RawMessage) (id, reason string) {
	var number json.Number
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return strconv.Itoa(p.lines.Number()), ""
	case json.Unmarshal(raw, &id) == nil:
		return id, ""
	case json.Unmarshal(raw, &number) == nil:
		return number.String(), ""
	}
	return "", fmt.Sprintf("want a string or a number in id, got %s", input.Quote(string(raw)))
}

// conceptIDs returns the ids, trimmed, without those that are empty or stand for no
// concept.
func conceptIDs(ids []string) []kb.ConceptID {
	var converted []kb.ConceptID
	for _, id := range ids {
		if id = strings.TrimSpace(id); id != "" && !isNone(id) {
			converted = append(converted, kb.ConceptID(id))
		}
	}
	return converted
}
