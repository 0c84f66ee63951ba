package formats

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// toolMembers are the members that have the mentions of an object of an annotation tool, in place of "mentions":
//
//	spans          [{"start": 0, "end": 5, "label": "Disease", "kb_id": "D1"}]          Prodigy
//	label, labels  [[0, 5, "Disease"]]                                                  doccano
//	label          [{"start": 0, "end": 5, "text": "fever", "labels": ["Disease"]}]     Label Studio, JSON-MIN
//	entities       [{"id": 1, "start_offset": 0, "end_offset": 5, "label": "Disease"}]  doccano, with relations
//	entities       [{"offset": 0, "length": 5, "category": "Disease"}]                  services of language, by their programs
//	ents           [{"start": 0, "end": 5, "label": "Disease"}]                         spaCy, Doc.to_json
//	denotations    [{"id": "T1", "span": {"begin": 0, "end": 5}, "obj": "Disease"}]     PubAnnotation
//	annotations    [{"result": [{"id": "a", "value": {"start": 0, …}}]}]                Label Studio, of "data": {"text": …}
var toolMembers = []string{"spans", "label", "labels", "entities", "ents", "denotations", "annotations"}

// fromTool returns the object of an annotation tool with a list of "mentions", and for Label Studio with its "text".
// The note says where they are from. ok is false for any other object.
func fromTool(line string, unknown []string) (converted, note string, ok bool) {
	if slices.Contains(unknown, "passages") && slices.Contains(unknown, "document_id") {
		converted, ok = fromBigBIO(line)
		return converted, `the text is that of "passages", the mentions are those of "entities"`, ok
	}
	if !slices.ContainsFunc(unknown, func(name string) bool { return slices.Contains(toolMembers, name) }) {
		return "", "", false
	}
	o, err := parseObject([]byte(line))
	if err != nil {
		return "", "", false
	}
	empty := false // there is a list without mentions
	for _, name := range toolMembers {
		var entries []json.RawMessage
		if o.raw(name) == nil || o.decode(name, &entries) != nil {
			continue
		}
		isTask := name == "annotations" && o.raw("data") != nil
		if isTask {
			if entries, ok = labelStudioEntries(o, entries); !ok {
				continue
			}
		}
		mentions, isList := make([]any, len(entries)), isTask
		for i, entry := range entries {
			mentions[i] = entry // whose error the mention reports
			if m := toolMention(entry); m != nil {
				mentions[i], isList = m, true
			} else if hasPlace(entry) {
				isList = true
			}
		}
		if !isList {
			empty = empty || len(entries) == 0
			continue // labels of the whole text, or what else the member may be
		}
		note = fmt.Sprintf("the mentions are those of the member %q", name)
		var answer string
		if o.decode("answer", &answer) == nil && answer != "" && answer != "accept" {
			mentions, note = []any{}, fmt.Sprintf("the answer is %q: the mentions of %q are left out", answer, name)
		}
		o.set("mentions", mentions)
		raw, err := marshal(o)
		return string(raw), note, err == nil
	}
	if empty {
		o.set("mentions", []any{})
		raw, err := marshal(o)
		return string(raw), "", err == nil
	}
	return "", "", false
}

// labelStudioEntries returns the spans of the first annotation of a task that was not cancelled, and sets the text. ok
// is false if the object is no task of text.
func labelStudioEntries(o *object, annotations []json.RawMessage) (entries []json.RawMessage, ok bool) {
	var data struct {
		Text *string `json:"text"`
	}
	if o.decode("data", &data) != nil || data.Text == nil || o.raw("text") != nil {
		return nil, false
	}
	o.set("text", *data.Text)
	for _, raw := range annotations {
		var annotation struct {
			Cancelled bool              `json:"was_cancelled"`
			Result    []json.RawMessage `json:"result"`
		}
		if input.DecodeJSON(raw, &annotation) != nil || annotation.Cancelled {
			continue
		}
		for _, result := range annotation.Result {
			var r struct {
				ID    json.RawMessage `json:"id"`
				Type  string          `json:"type"`
				Value json.RawMessage `json:"value"`
			}
			if input.DecodeJSON(result, &r) != nil || r.Type != "labels" {
				continue // a relation, or a choice for the whole text
			}
			value, err := parseObject(r.Value)
			if err != nil {
				return nil, false
			}
			value.set("id", r.ID)
			entry, err := marshal(value)
			if err != nil {
				return nil, false
			}
			entries = append(entries, entry)
		}
		break
	}
	return entries, true
}

// toolEntry is an entry of one of the toolMembers.
type toolEntry struct {
	Start       *int            `json:"start"`
	Begin       *int            `json:"begin"`
	End         *int            `json:"end"`
	StartOffset *int            `json:"start_offset"`
	EndOffset   *int            `json:"end_offset"`
	Offset      *int            `json:"offset"`
	Length      *int            `json:"length"`
	Span        *toolSpan       `json:"span"`
	Text        *string         `json:"text"`
	ID          json.RawMessage `json:"id"`
	Label       jsonName        `json:"label"`
	Labels      []string        `json:"labels"`
	Object      jsonName        `json:"obj"`
	Type        jsonName        `json:"type"`
	Category    jsonName        `json:"category"`
	Group       jsonName        `json:"entity_group"`
	KBID        jsonName        `json:"kb_id"`
}

// toolMention returns an entry of one of the toolMembers as a member of "mentions", or nil if it is none.
func toolMention(raw json.RawMessage) *object {
	var entry toolEntry
	if strings.HasPrefix(string(raw), "[") { // start, end, label, and perhaps the concept, as in spaCy
		cells := []any{&entry.Start, &entry.End, &entry.Label, &entry.KBID}
		var values []json.RawMessage
		if json.Unmarshal(raw, &values) != nil || len(values) < 3 || len(values) > len(cells) {
			return nil
		}
		for i, value := range values {
			if json.Unmarshal(value, cells[i]) != nil {
				return nil
			}
		}
	} else if input.DecodeJSON(raw, &entry) != nil {
		return nil
	}
	start, end := entry.place()
	if start == nil || end == nil {
		return nil
	}
	m := newObject("start", *start, "end", *end)
	if entry.Text != nil {
		m.set("text", *entry.Text)
	}
	labels := jsonName(strings.Join(entry.Labels, ","))
	if name := cmp.Or(entry.Label, entry.Object, entry.Type, entry.Category, entry.Group, labels); name != "" {
		m.set("type", string(name))
	}
	if entry.ID != nil {
		m.set("id", entry.ID)
	}
	if entry.KBID != "" {
		m.set("ids", []string{string(entry.KBID)})
	}
	return m
}

// place returns where the mention begins and ends, nil for what the entry does not say.
func (e *toolEntry) place() (start, end *int) {
	switch {
	case e.StartOffset != nil:
		return e.StartOffset, e.EndOffset
	case e.Offset != nil && e.Length != nil:
		after := *e.Offset + *e.Length
		return e.Offset, &after
	case e.Span != nil:
		return e.Span.Begin, e.Span.End
	}
	return cmp.Or(e.Start, e.Begin), e.End
}

// hasPlace reports whether an entry that is no mention says where it stands.
func hasPlace(raw json.RawMessage) bool {
	o, err := parseObject(raw)
	return err == nil && slices.ContainsFunc(o.members, func(m member) bool {
		return slices.Contains([]string{"start", "begin", "start_offset", "offset", "span"}, m.key)
	})
}

// jsonName is a string, or a number that stands for one.
type jsonName string

// UnmarshalJSON implements [json.Unmarshaler].
func (n *jsonName) UnmarshalJSON(data []byte) error {
	var number json.Number
	if data[0] != '"' && json.Unmarshal(data, &number) == nil {
		*n = jsonName(number)
		return nil
	}
	return json.Unmarshal(data, (*string)(n))
}

// toolSpan is the place of a denotation.
type toolSpan struct {
	Begin *int `json:"begin"`
	End   *int `json:"end"`
}
