package formats

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// jsonlParser reads one JSON object per line. It skips mentions with errors, and lines with any other error.
type jsonlParser struct {
	*file
	number     int             // of objects so far, or the line number if there is one object per line
	warned     map[string]bool // messages already sent for this file
	otherTexts bool            // an earlier object had its text in other members: see fromOtherTexts
}

// readJSONL reads one object per line, or the objects of a list.
func readJSONL(f *file, r *bufio.Reader) (parser, error) {
	if startsList(r) {
		return readJSONValues(f, r)
	}
	p := jsonlParser{file: f, warned: make(map[string]bool)}
	return f.parseLines(r, lineDocuments{f, func(line string) string {
		p.number = f.at
		return p.document(line)
	}}), nil
}

// documentMembers and mentionMembers are the members that the parser reads.
var (
	documentMembers = []string{"id", "text", "group", "mentions"}
	mentionMembers  = []string{"start", "end", "fragments", "text", "ids", "composite", "type", "id", "sense"}
)

// otherNames maps names that other programs (Prodigy, spaCy, Label Studio) give to members to their names here.
var otherNames = map[string]string{
	"spans": "mentions", "entities": "mentions", "annotations": "mentions", "begin": "start", "label": "type",
	"concept": "ids", "concepts": "ids", "concept_id": "ids", "identifier": "ids", "identifiers": "ids", "cui": "ids",
	"kb_id": "ids",
}

// misspelled looks for an unknown member that is either spelled almost like a known one that the object lacks, or
// another program's name for it. It warns once per file. With RefuseMisspelled it returns the reason to refuse the
// object instead, except for the names of other programs.
func (p *jsonlParser) misspelled(o *object, known []string) (reason string) {
	absent := slices.DeleteFunc(slices.Clone(known), func(name string) bool { return o.has(name) })
	if len(absent) == 0 {
		return ""
	}
	for _, m := range o.members {
		if slices.Contains(known, m.key) {
			continue
		}
		other := otherNames[m.key]
		if !slices.Contains(absent, other) {
			other = ""
		}
		meant := cmp.Or(other, input.LookAlike(m.key, absent))
		if meant == "" {
			continue
		}
		message := fmt.Sprintf("member %s is not read, want %q", input.Quote(m.key), meant)
		if p.RefuseMisspelled && other == "" {
			return message
		}
		p.noteOnce(message)
	}
	return ""
}

// noteOnce warns once of something that may apply to many objects of the file.
func (p *jsonlParser) noteOnce(message string) {
	if !p.warned[message] {
		p.warned[message] = true
		p.note(p.at, message)
	}
}

// jsonlSource is an object with the data that [jsonlWriter] needs.
type jsonlSource struct {
	object *object
	faults map[int]string // errors of mentions, by the place of the mention
}

// mentionJSON is a mention of a document in JSON.
type mentionJSON struct {
	Start     *int           `json:"start,omitzero"` // code points; both may be missing if there are fragments
	End       *int           `json:"end,omitzero"`
	Fragments []fragmentJSON `json:"fragments,omitzero"`
	Text      *string        `json:"text"` // if present, must match the text at the offsets
	IDs       []string       `json:"ids"`
	Composite bool           `json:"composite,omitzero"`
	Type      string         `json:"type,omitzero"`
	ID        jsontext.Value `json:"id,omitzero"` // identifier of the annotation, a string or a number
	Sense     *text.Sense    `json:"sense,omitzero"`
}

// fragmentJSON is a fragment of a discontinuous mention.
type fragmentJSON struct {
	Start *int `json:"start"` // code points
	End   *int `json:"end"`
}

// WriteJSONL writes documents with their mentions, one JSON object per line, in the format that [Reader] reads. A
// mention without concepts gets an empty list of ids.
func WriteJSONL(w io.Writer, docs []*text.Document) error {
	for _, doc := range docs {
		line := struct {
			ID       string        `json:"id"`
			Text     string        `json:"text"`
			Group    string        `json:"group,omitzero"`
			Mentions []mentionJSON `json:"mentions"`
		}{ID: doc.ID, Text: doc.Text, Group: doc.Group}
		offsets := text.NewOffsets(doc.Text)
		for _, m := range doc.Mentions {
			at, words := offsets.CodePoints(m.Span), m.Of(doc.Text)
			written := mentionJSON{Start: &at.Start, End: &at.End, Text: &words, Composite: m.Composite, Type: m.Type,
				Sense: m.Sense}
			for _, id := range m.Concepts {
				written.IDs = append(written.IDs, string(id))
			}
			for _, f := range m.Fragments {
				f = offsets.CodePoints(f)
				written.Fragments = append(written.Fragments, fragmentJSON{&f.Start, &f.End})
			}
			line.Mentions = append(line.Mentions, written)
		}
		raw, err := marshal(line)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(raw, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// document reports the errors of an object's mentions and emits its document. If the object is wrong, it returns the
// reason.
func (p *jsonlParser) document(line string) (reason string) {
	o, err := parseObject([]byte(line))
	if err != nil {
		return input.JSONError(err).Error()
	}
	if reason = p.convert(o); reason != "" {
		return reason
	}
	var content, group string
	given, err := o.list("mentions")
	if !o.has("text") {
		return fmt.Sprintf(`want a "text", got none in %s`, input.Quote(line))
	}
	// strictly: Python writes an unpaired surrogate for a byte that it could not decode
	err = cmp.Or(input.InMember("text", json.Unmarshal(o.raw("text"), &content)), o.decode("group", &group), err)
	if err != nil {
		return input.JSONError(err).Error()
	}
	id, reason := jsonID(o.raw("id"))
	if reason != "" {
		return reason
	}
	unmarked, marked, reason := parseMarks(content)
	switch {
	case reason != "":
		return reason
	case len(marked) > 0 && len(given) > 0:
		return fmt.Sprintf("want %s marks or a list of mentions, got both", markStart)
	}
	if err := p.Limits.CheckMentions(max(len(marked), len(given))); err != nil {
		return err.Error()
	}
	doc := &text.Document{ID: cmp.Or(id, strconv.Itoa(p.number)), Text: unmarked, Group: group}
	b := make(builder, 0, len(marked)+len(given))
	for _, m := range marked {
		b.add(m, Annotation{place: -1})
	}
	source := &jsonlSource{object: o, faults: make(map[int]string)}
	spans := p.spans(unmarked)
	for i, raw := range given {
		mention, annotation, reason := p.mention(raw, spans)
		if reason != "" {
			source.faults[i] = fmt.Sprintf("mention %d of document %q: %s", i+1, doc.ID, reason)
			p.failWith(&RecordError{Line: p.at, Reason: source.faults[i], Mention: i + 1})
			continue
		}
		annotation.place = i
		b.add(mention, annotation)
	}
	record := b.record(doc, source)
	record.Unnamed = id == ""
	p.emit(record)
	return ""
}

// convert adds text and mentions to an object of another program, and looks for misspelled members.
func (p *jsonlParser) convert(o *object) (reason string) {
	if !o.has("mentions") && !p.RefuseMisspelled {
		if note, ok := fromTool(o); ok && note != "" {
			p.noteOnce(note)
		}
	}
	if reason := p.misspelled(o, documentMembers); reason != "" || o.has("text") || p.RefuseMisspelled {
		return reason
	}
	if note, ok := fromOtherTexts(o, p.otherTexts); ok {
		p.otherTexts = true
		p.noteOnce(note)
	}
	return ""
}

// mention returns a mention of the document. If it is wrong, mention returns the reason.
func (p *jsonlParser) mention(raw jsontext.Value, spans *spans) (m text.Mention, a Annotation, reason string) {
	var parsed mentionJSON
	o, err := parseObject(raw)
	if err == nil {
		err = input.DecodeJSON(raw, &parsed)
	}
	if err != nil {
		return m, a, input.JSONError(err).Error()
	}
	if reason := p.misspelled(o, mentionMembers); reason != "" {
		return m, a, reason
	}
	where, reason := parsed.place()
	if reason != "" {
		return m, a, reason
	}
	a = Annotation{Start: where.start(), End: where.end()}
	if a.ID, reason = jsonID(parsed.ID); reason != "" {
		return m, a, reason
	}
	m, note, reason := spans.find(where)
	if reason != "" {
		return m, a, reason
	}
	p.note(p.at, note)
	m.Type, m.Concepts, m.Composite = parsed.Type, conceptIDs(parsed.IDs), parsed.Composite
	if p.Candidates && parsed.IDs == nil {
		var before linked.Mention
		if err := input.DecodeJSON(raw, &before); err != nil {
			return m, a, input.JSONError(err).Error()
		}
		for _, c := range before.Best() {
			if c != nil {
				m.Concepts = append(m.Concepts, conceptIDs([]string{string(c.Concept)})...)
			}
		}
	}
	m.Sense = parsed.Sense
	return m, a, ""
}

// place returns the position of the mention. If it is wrong, place returns the reason.
func (m *mentionJSON) place() (p place, reason string) {
	if m.Fragments == nil {
		if m.Start == nil || m.End == nil {
			return p, `want a "start" and an "end"`
		}
		return at(*m.Start, *m.End, m.Text), ""
	}
	p.text = m.Text
	for _, f := range m.Fragments {
		if f.Start == nil || f.End == nil {
			return p, `want a "start" and an "end" in each of the "fragments"`
		}
		p.ranges = append(p.ranges, [2]int{*f.Start, *f.End})
	}
	switch {
	case len(p.ranges) == 0:
		return p, `want "fragments", or none, got an empty list`
	case m.Start != nil && *m.Start != p.start():
		return p, fmt.Sprintf("want fragments from the start %d, got them from %d", *m.Start, p.start())
	case m.End != nil && *m.End != p.end():
		return p, fmt.Sprintf("want fragments up to the end %d, got them up to %d", *m.End, p.end())
	}
	return p, ""
}

// jsonID returns an identifier, which is a string or a number, or "" if there is none.
func jsonID(raw jsontext.Value) (id, reason string) {
	if kind := raw.Kind(); len(raw) > 0 && kind != '"' && kind != '0' && kind != 'n' {
		return "", fmt.Sprintf("want a string or a number in id, got %s", input.Quote(string(raw)))
	}
	return scalar(raw), ""
}

// conceptIDs returns the ids, trimmed, without those that are empty or mean NIL.
func conceptIDs(ids []string) []kb.ConceptID {
	var converted []kb.ConceptID
	for _, id := range ids {
		if id = strings.TrimSpace(id); id != "" && !isNone(id) {
			converted = append(converted, kb.ConceptID(id))
		}
	}
	return converted
}
