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

// toolNames are the names by which tools call a member of a mention, the first that an entry has.
var toolNames = []struct {
	member string
	names  []string
}{
	{"start", []string{"start_offset", "offset", "start", "begin"}}, {"end", []string{"end_offset", "end"}},
	{"text", []string{"text", "mention"}}, {"type", []string{"label", "obj", "type", "category", "entity_group", "labels"}},
	{"id", []string{"id"}}, {"ids", []string{"kb_id"}},
}

// fromTool gives the object of an annotation tool a list of "mentions", and that of Label Studio and BigBIO its "text".
// The note says where they are from. ok is false for any other object.
func fromTool(o *object) (note string, ok bool) {
	if o.raw("passages") != nil && o.raw("document_id") != nil {
		return `the text is that of "passages", the mentions are those of "entities"`, fromBigBIO(o)
	}
	empty := false // there is a list without mentions
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
			mentions[i] = entry // whose error the mention reports
			if m := toolMention(entry); m != nil {
				mentions[i], isList = m, true
			}
		}
		if !isList {
			empty = empty || len(entries) == 0
			continue // labels of the whole text, or what else the member may be
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

// setRaw sets a member to a value as it would be read. What was read can be written.
func (o *object) setRaw(key string, value any) {
	raw, _ := marshal(value)
	o.set(key, jsontext.Value(raw))
}

// labelStudioText returns the text of the data of a task: "text", what is a text by its name, or the one string that
// has a space.
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
// note says where else there are spans. ok is false if the object is no task of text, or has predictions alone.
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
			return nil, "", false // the predictions follow
		case len(entries) == 0:
			note += `, which has none: those of "predictions" are not read`
		}
	}
	o.set("text", content)
	return entries, note, true
}

// toolMention returns an entry of one of the toolMembers as a member of "mentions", or nil if it does not say where it
// stands.
func toolMention(raw jsontext.Value) *object {
	var cells []jsontext.Value // start, end, label, and perhaps the concept, as in spaCy
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
			case of.member == "id" && value.Kind() == '[': // of BERN2
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

// bigBIOSpan is a passage or an entity of a document of the schema "kb" of BigBIO (Fries et al. 2022,
// https://github.com/bigscience-workshop/biomedical/blob/main/docs/schema.md): its texts and their offsets, which count
// code points of the document.
type bigBIOSpan struct {
	ID         jsontext.Value `json:"id"`
	Type       string         `json:"type"`
	Texts      []string       `json:"text"`
	Offsets    [][2]int       `json:"offsets"`
	Normalized []struct {
		ID jsontext.Value `json:"db_id"`
	} `json:"normalized"`
}

// fromBigBIO gives a document of BigBIO a "text" and "mentions". ok is false if it is malformed.
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
		if gap < 0 || gap > len(o.raw("passages")) { // of a passage that is not there
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

// invertedAbstract has the places of each word of an abstract, as OpenAlex publishes it.
const invertedAbstract = "abstract_inverted_index"

// The members of objects whose text is in others than "text": of articles, such as CSL JSON, S2ORC and CORD-19, and of
// notes. Of each list the first that an object has counts.
var (
	titleMembers    = []string{"title", "article_title"}
	abstractMembers = []string{"abstract", "abstractText", "abstract_text", "abstractNote", invertedAbstract}
	bodyMembers     = []string{"body_text", "sentence", "note_text", "note", "full_text", "content", "page_content", "body"}
	idMembers       = []string{"pmid", "doc_id", "document_id", "note_id", "paper_id", "corpusid", "id_str"}
	// otherTextMembers may have a text, besides a title.
	otherTextMembers = slices.Concat(abstractMembers, bodyMembers)
)

// fromOtherTexts gives an object without a "text" the one of its title, abstract and body. The note says which
// members these are. ok is false for an object that has none; a title alone is a text only with titles, as where other
// objects of the file have an abstract.
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

// textOf returns the text of a member: a string, an object with a "text", or a list of either, a line each.
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

// wordsInOrder returns the text of an inverted index, {"fever": [1, 4], "River": [0]}.
func wordsInOrder(raw jsontext.Value) (s string, ok bool) {
	var places map[string][]int
	if raw == nil || input.DecodeJSON(raw, &places) != nil {
		return "", false
	}
	words := make(map[int][]string) // by their places
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
