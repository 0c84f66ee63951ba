package formats

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// toolMembers are the members that have the mentions of an object of an annotation tool, in place of "mentions":
//
//	spans          [{"start": 0, "end": 5, "label": "Disease", "kb_id": "D1"}]          Prodigy
//	label, labels  [[0, 5, "Disease"]]                                                  doccano
//	label          [{"start": 0, "end": 5, "text": "fever", "labels": ["Disease"]}]     Label Studio, JSON-MIN
//	entities       [{"id": 1, "start_offset": 0, "end_offset": 5, "label": "Disease"}]  doccano, with relations
//	entities       [{"offset": 0, "length": 5, "category": "Disease"}]                  services of language
//	ents           [{"start": 0, "end": 5, "label": "Disease"}]                         spaCy, Doc.to_json
//	denotations    [{"id": "T1", "span": {"begin": 0, "end": 5}, "obj": "Disease"}]     PubAnnotation
//	annotations    [{"id": ["mesh:D1"], "mention": "fever", "span": {…}, "obj": "disease"}]   BERN2
//	annotations    [{"result": [{"id": "a", "value": {"start": 0, …}}]}]                Label Studio, of "data"
//	predictions    the same, if there are no annotations
var toolMembers = []string{"spans", "label", "labels", "entities", "ents", "denotations", "annotations", "predictions"}

// toolNames are the names that tools use for the members of a mention. The first one present counts.
var toolNames = []struct {
	member string
	names  []string
}{
	{"start", []string{"start_offset", "offset", "start", "begin"}}, {"end", []string{"end_offset", "end"}},
	{"text", []string{"text", "mention"}}, {"type", []string{"label", "obj", "type", "category", "entity_group", "labels"}},
	{"id", []string{"id"}}, {"ids", []string{"kb_id"}},
}

// fromTool adds "mentions" to the object of an annotation tool, and "text" to one of Label Studio or BigBIO. The note
// tells where they come from. ok is false for any other object.
func fromTool(o *object) (note string, ok bool) {
	if o.raw("passages") != nil && o.raw("document_id") != nil {
		return `the text is that of "passages", the mentions are those of "entities"`, fromBigBIO(o)
	}
	empty := false // some list has no mentions
	for _, name := range toolMembers {
		entries, err := o.list(name)
		if err != nil || entries == nil {
			continue
		}
		isList := o.raw("data") != nil && (name == "annotations" || name == "predictions")
		more := ""
		if isList {
			if entries, more, ok = labelStudioEntries(o, entries); !ok {
				continue
			}
		}
		mentions := make([]any, len(entries))
		for i, entry := range entries {
			mentions[i] = entry // an error in it is reported with the mention
			if m := toolMention(entry); m != nil {
				mentions[i], isList = m, true
			}
		}
		if !isList {
			empty = empty || len(entries) == 0
			continue // labels of the whole text, or another use of the name
		}
		note = fmt.Sprintf("the mentions are those of the member %q%s", name, more)
		if answer := o.scalar("answer"); answer != "" && answer != "accept" {
			mentions, note = []any{}, fmt.Sprintf("the answer is %q: the mentions of %q are left out", answer, name)
		}
		o.setRaw("mentions", mentions)
		return note, true
	}
	if empty {
		o.setRaw("mentions", []any{})
	}
	return "", empty
}

// setRaw sets a member to a value as it would be read. Values that were read can always be written.
func (o *object) setRaw(key string, value any) {
	raw, _ := marshal(value)
	o.set(key, jsontext.Value(raw))
}

// labelStudioText returns the text in the data of a task: the member "text", another member with a known name for
// texts, or the only string with a space.
func labelStudioText(data *object) (name string, raw jsontext.Value) {
	for _, name := range append([]string{"text"}, otherTextMembers...) {
		if data.raw(name).Kind() == '"' {
			return name, data.raw(name)
		}
	}
	for _, m := range data.members {
		if value, _ := m.value.(jsontext.Value); value.Kind() == '"' && strings.Contains(scalar(value), " ") {
			if raw != nil {
				return "", nil
			}
			name, raw = m.key, value
		}
	}
	return name, raw
}

// labelStudioEntries returns the spans of the first annotation of a task that was not cancelled, and sets the text. The
// note tells where there are other spans. ok is false if the object is not a text task, or has only predictions.
func labelStudioEntries(o *object, annotations []jsontext.Value) (entries []jsontext.Value, note string, ok bool) {
	data, err := parseObject(o.raw("data"))
	if err != nil || o.raw("text") != nil {
		return nil, "", false
	}
	name, content := labelStudioText(data)
	if content == nil {
		return nil, "", false
	}
	if name != "text" {
		note = fmt.Sprintf(", the text is that of \"data.%s\"", name)
	}
	isDone := false
	for _, raw := range annotations {
		var annotation struct {
			Cancelled bool `json:"was_cancelled"`
			Result    []struct {
				ID    jsontext.Value `json:"id"`
				Type  string         `json:"type"`
				Value jsontext.Value `json:"value"`
			} `json:"result"`
		}
		if input.DecodeJSON(raw, &annotation) != nil || annotation.Cancelled {
			continue
		}
		for _, r := range annotation.Result {
			if r.Type != "labels" {
				continue // a relation, or a choice for the whole text
			}
			value, err := parseObject(r.Value)
			if err != nil {
				return nil, "", false
			}
			if r.ID != nil {
				value.set("id", r.ID)
			}
			entry, _ := marshal(value)
			entries = append(entries, entry)
		}
		isDone = true
		break
	}
	if predicted, _ := o.list("predictions"); len(predicted) > 0 {
		switch {
		case !isDone:
			return nil, "", false // the caller tries predictions next
		case len(entries) == 0:
			note += `, which has none: those of "predictions" are not read`
		}
	}
	o.set("text", content)
	return entries, note, true
}

// toolMention converts an entry of one of the toolMembers to a member of "mentions". It returns nil if the entry has no
// position.
func toolMention(raw jsontext.Value) *object {
	var cells []jsontext.Value // start, end, label, and in spaCy perhaps the concept
	entry, err := parseObject(raw)
	if raw.Kind() == '[' && input.DecodeJSON(raw, &cells) == nil && (len(cells) == 3 || len(cells) == 4) {
		entry, err = newObject("start", cells[0], "end", cells[1], "label", cells[2]), nil
		if entry.set("kb_id", cells[len(cells)-1]); len(cells) == 3 {
			entry.remove("kb_id")
		}
		if cells[0].Kind() != '0' || cells[1].Kind() != '0' {
			return nil
		}
	}
	if err != nil {
		return nil
	}
	span, err := parseObject(entry.raw("span"))
	if err == nil {
		entry.members = append(entry.members, span.members...)
	}
	m := &object{}
	for _, of := range toolNames {
		for _, name := range of.names {
			value := entry.raw(name)
			switch {
			case len(value) == 0 || value.Kind() == 'n' || m.index(of.member) >= 0:
			case of.member == "ids":
				m.set("ids", []string{scalar(value)})
			case of.member == "id" && value.Kind() == '[': // BERN2
				m.set("ids", value)
			case name == "labels":
				var labels []string
				if input.DecodeJSON(value, &labels) == nil && len(labels) > 0 {
					m.set("type", strings.Join(labels, ","))
				}
			case of.member == "type" && value.Kind() == '0':
				m.set("type", scalar(value))
			case of.member != "type" || value.Kind() == '"' && scalar(value) != "":
				m.set(of.member, value)
			}
		}
	}
	start, errStart := strconv.Atoi(entry.scalar("offset"))
	length, errLength := strconv.Atoi(entry.scalar("length"))
	if errStart == nil && errLength == nil && m.index("end") < 0 {
		m.set("end", start+length)
	}
	if m.index("start") < 0 && entry.raw("span") == nil {
		return nil
	}
	return m
}

// bigBIOSpan is a passage or an entity in a document of BigBIO's schema "kb" (Fries et al. 2022,
// https://github.com/bigscience-workshop/biomedical/blob/main/docs/schema.md): its texts and their offsets, which count
// code points in the document.
type bigBIOSpan struct {
	ID         jsontext.Value `json:"id"`
	Type       string         `json:"type"`
	Texts      []string       `json:"text"`
	Offsets    [][2]int       `json:"offsets"`
	Normalized []struct {
		ID jsontext.Value `json:"db_id"`
	} `json:"normalized"`
}

// fromBigBIO adds "text" and "mentions" to a document of BigBIO. ok is false if it is malformed.
func fromBigBIO(o *object) (ok bool) {
	var passages, entities []bigBIOSpan
	if o.decode("passages", &passages) != nil || o.decode("entities", &entities) != nil {
		return false
	}
	var content strings.Builder
	length := 0
	for _, passage := range passages {
		if len(passage.Offsets) == 0 {
			return false
		}
		gap := passage.Offsets[0][0] - length
		if gap < 0 || gap > len(o.raw("passages")) { // a passage is missing
			return false
		}
		text := strings.Join(passage.Texts, " ")
		content.WriteString(strings.Repeat(" ", gap) + text)
		length += gap + utf8.RuneCountInString(text)
	}
	mentions := make([]any, len(entities))
	for i, entity := range entities {
		words := strings.Join(entity.Texts, " ")
		m := mentionJSON{Text: &words, Type: entity.Type, ID: entity.ID, Fragments: []fragmentJSON{}}
		for _, span := range entity.Offsets {
			m.Fragments = append(m.Fragments, fragmentJSON{&span[0], &span[1]})
		}
		if len(m.Fragments) == 1 {
			m.Start, m.End, m.Fragments = m.Fragments[0].Start, m.Fragments[0].End, nil
		}
		for _, concept := range entity.Normalized {
			m.IDs = append(m.IDs, scalar(concept.ID))
		}
		mentions[i] = m
	}
	o.set("id", o.raw("document_id"))
	o.setRaw("text", content.String())
	o.setRaw("mentions", mentions)
	return true
}

// invertedAbstract is the member in which OpenAlex maps each word of an abstract to its positions.
const invertedAbstract = "abstract_inverted_index"

// These members hold the text of objects without "text": articles, as in CSL JSON, S2ORC and CORD-19, and notes. From
// each list, only the first that an object has is used.
var (
	titleMembers    = []string{"title", "article_title"}
	abstractMembers = []string{"abstract", "abstractText", "abstract_text", "abstractNote", invertedAbstract}
	bodyMembers     = []string{"body_text", "sentence", "note_text", "note", "full_text", "content", "page_content", "body"}
	idMembers       = []string{"pmid", "doc_id", "document_id", "note_id", "paper_id", "corpusid", "id_str"}
	// otherTextMembers may hold a text in addition to a title.
	otherTextMembers = slices.Concat(abstractMembers, bodyMembers)
)

// fromOtherTexts adds a "text" to an object without one, joined from its title, abstract and body. The note names the
// members. ok is false if the object has none. A title alone is enough only if titles is true, because an earlier
// object of the file had an abstract or body, or if this object has an empty one.
func fromOtherTexts(o *object, titles bool) (note string, ok bool) {
	var texts, from []string
	add := func(o *object, names []string, path string) {
		for _, name := range names {
			s, isText := textOf(o.raw(name))
			if name == invertedAbstract {
				s, isText = wordsInOrder(o.raw(name))
			}
			if isText && strings.TrimSpace(s) != "" {
				texts, from = append(texts, s), append(from, fmt.Sprintf("%q", path+name))
				return
			}
		}
	}
	add(o, titleMembers, "")
	if metadata, err := parseObject(o.raw("metadata")); err == nil && len(texts) == 0 {
		add(metadata, titleMembers, "metadata.")
	}
	add(o, abstractMembers, "")
	add(o, bodyMembers, "")
	titles = titles || slices.ContainsFunc(otherTextMembers, func(name string) bool { return o.raw(name) != nil })
	if len(texts) == 0 || !titles {
		return "", false
	}
	o.setRaw("text", strings.Join(texts, " "))
	for _, name := range idMembers {
		if id, reason := jsonID(o.raw(name)); o.raw("id") == nil && reason == "" && id != "" {
			o.set("id", o.raw(name))
		}
	}
	return "the text is that of " + strings.Join(from, ", "), true
}

// textOf returns the text of a member: a string, an object with a "text", or a list of these, one per line.
func textOf(raw jsontext.Value) (s string, ok bool) {
	switch raw.Kind() {
	case '"':
		return scalar(raw), true
	case '{':
		o, err := parseObject(raw)
		if err != nil || o.raw("text").Kind() != '"' {
			return "", false
		}
		return textOf(o.raw("text"))
	case '[':
		var list []jsontext.Value
		if input.DecodeJSON(raw, &list) != nil {
			return "", false
		}
		lines := make([]string, len(list))
		for i, element := range list {
			if lines[i], ok = textOf(element); !ok || element.Kind() == '[' {
				return "", false
			}
		}
		return strings.Join(lines, "\n"), true
	}
	return "", false
}

// wordsInOrder returns the text of an inverted index such as {"fever": [1, 4], "River": [0]}.
func wordsInOrder(raw jsontext.Value) (s string, ok bool) {
	var places map[string][]int
	if raw == nil || input.DecodeJSON(raw, &places) != nil {
		return "", false
	}
	words := make(map[int][]string) // by position
	for _, word := range slices.Sorted(maps.Keys(places)) {
		for _, at := range places[word] {
			words[at] = append(words[at], word)
		}
	}
	var inOrder []string
	for _, at := range slices.Sorted(maps.Keys(words)) {
		inOrder = append(inOrder, words[at]...)
	}
	return strings.Join(inOrder, " "), true
}
