package annotated

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"ctxnorm"
	"ctxnorm/corpus/internal/input"
)

// jsonlParser reads one JSON object a line. A line with anything wrong in it is
// left out as a whole.
type jsonlParser struct {
	file  string
	lines *input.Lines
}

// documentJSON is a line. Members that it does not name are not read.
type documentJSON struct {
	ID       json.RawMessage `json:"id"`   // a string or a number; the number of the line where it is left out
	Text     *string         `json:"text"` // with marks, or with mentions
	Mentions []mentionJSON   `json:"mentions"`
}

type mentionJSON struct {
	Start     *int     `json:"start"` // code points
	End       *int     `json:"end"`
	Text      *string  `json:"text"` // compared with the text at the offsets where it is there
	IDs       []string `json:"ids"`
	Composite bool     `json:"composite"`
	Type      string   `json:"type"`
}

func (p *jsonlParser) next() ([]result, error) {
	for {
		line, err := p.lines.Next()
		if bad, ok := err.(*input.LineError); ok {
			return p.fail(bad.Error()), nil
		}
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		doc, reason := p.document(line)
		if reason != "" {
			return p.fail(reason), nil
		}
		return []result{{doc: doc}}, nil
	}
}

func (p *jsonlParser) fail(reason string) []result {
	return []result{{err: &RecordError{p.file, p.lines.Number(), reason}}}
}

func (p *jsonlParser) document(line string) (doc *ctxnorm.Document, reason string) {
	var read documentJSON
	if err := json.Unmarshal([]byte(line), &read); err != nil {
		return nil, input.JSONError(err).Error()
	}
	if read.Text == nil {
		return nil, fmt.Sprintf(`want a "text", got none in %s`, quote(line))
	}
	id, reason := p.id(read.ID)
	if reason != "" {
		return nil, reason
	}
	text, mentions, reason := parseMarks(*read.Text)
	switch {
	case reason != "":
		return nil, reason
	case len(mentions) > 0 && len(read.Mentions) > 0:
		return nil, fmt.Sprintf("want %s marks or a list of mentions, got both", markStart)
	}
	offsets := NewOffsets(text)
	for i, m := range read.Mentions {
		if m.Start == nil || m.End == nil {
			return nil, fmt.Sprintf(`want a "start" and an "end" in mention %d`, i+1)
		}
		span, reason := spanOf(offsets, *m.Start, *m.End, m.Text)
		if reason != "" {
			return nil, reason
		}
		mentions = append(mentions, ctxnorm.Mention{
			Span:      span,
			Type:      m.Type,
			Concepts:  conceptIDs(m.IDs),
			Composite: m.Composite,
		})
	}
	sortMentions(mentions)
	return &ctxnorm.Document{ID: id, Text: text, Mentions: mentions}, ""
}

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
	return "", fmt.Sprintf("want a string or a number in id, got %s", quote(string(raw)))
}

func conceptIDs(ids []string) []ctxnorm.ConceptID {
	var converted []ctxnorm.ConceptID
	for _, id := range ids {
		if id = strings.TrimSpace(id); id != "" && !isNone(id) {
			converted = append(converted, ctxnorm.ConceptID(id))
		}
	}
	return converted
}
