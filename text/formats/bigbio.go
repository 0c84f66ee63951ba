package formats

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// bigBIOJSON is a document of the schema "kb" of BigBIO (Fries et al. 2022,
// https://github.com/bigscience-workshop/biomedical/blob/main/docs/schema.md), whose offsets count code points of the
// document.
type bigBIOJSON struct {
	ID         json.RawMessage `json:"id"`
	DocumentID json.RawMessage `json:"document_id"`
	Passages   []bigBIOSpan    `json:"passages"`
	Entities   []bigBIOEntity  `json:"entities"`
}

// bigBIOSpan is a passage or an entity: its texts and their offsets.
type bigBIOSpan struct {
	Texts   []string `json:"text"`
	Offsets [][]int  `json:"offsets"`
}

type bigBIOEntity struct {
	bigBIOSpan
	ID         json.RawMessage `json:"id"`
	Type       string          `json:"type"`
	Normalized []struct {
		ID jsonName `json:"db_id"`
	} `json:"normalized"`
}

// isBigBIO reports whether the first object of JSON, which may be cut off, is a document of BigBIO.
func isBigBIO(head []byte) bool { return hasMember(head, "document_id") && hasMember(head, "passages") }

// fromBigBIO returns a document of BigBIO with a "text" and "mentions". ok is false if it is malformed.
func fromBigBIO(line string) (converted string, ok bool) {
	var doc bigBIOJSON
	o, err := parseObject([]byte(line))
	if err != nil || input.DecodeJSONMembers([]byte(line), &doc, func(string) {}) != nil {
		return "", false
	}
	content, length := "", 0
	for _, passage := range doc.Passages {
		if len(passage.Offsets) == 0 || len(passage.Offsets[0]) != 2 || passage.Offsets[0][0] < length {
			return "", false
		}
		gap := passage.Offsets[0][0] - length
		if gap > len(line) { // of a passage that is not there
			return "", false
		}
		text := strings.Join(passage.Texts, " ")
		content += strings.Repeat(" ", gap) + text
		length += gap + utf8.RuneCountInString(text)
	}
	mentions := make([]any, 0, len(doc.Entities))
	for _, entity := range doc.Entities {
		m := &object{}
		fragments := make([]any, 0, len(entity.Offsets))
		for _, span := range entity.Offsets {
			if len(span) != 2 {
				return "", false
			}
			start, end := span[0], span[1]
			fragments = append(fragments, fragmentJSON{&start, &end})
		}
		if len(fragments) == 1 {
			m.set("start", entity.Offsets[0][0])
			m.set("end", entity.Offsets[0][1])
		} else {
			m.set("fragments", fragments)
		}
		m.set("text", strings.Join(entity.Texts, " "))
		ids := make([]string, 0, len(entity.Normalized))
		for _, concept := range entity.Normalized {
			ids = append(ids, string(concept.ID))
		}
		m.set("ids", ids)
		m.set("type", entity.Type)
		if entity.ID != nil {
			m.set("id", entity.ID)
		}
		mentions = append(mentions, m)
	}
	if doc.DocumentID != nil {
		o.set("id", doc.DocumentID)
	}
	o.set("text", content)
	o.set("mentions", mentions)
	raw, err := marshal(o)
	return string(raw), err == nil
}
