package formats

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// jsonlParser reads one JSON object per line. A mention with an error is skipped, and a line
// with any other.
type jsonlParser struct {
	*file
	lines       *input.Lines
	at, number  int      // the line of the object that is read, and its number, which is the same where each has a line
	refuse      bool     // members that look like others are an error
	candidates  bool     // of mentions without ids are read
	unknown     []string // the members of the object read last that are not read
	noteUnknown func(string)
	meant       map[string]string // what such members were meant for, by their names
	warned      map[string]bool   // warnings of the whole file
	otherTexts  bool              // an object before had its text in other members: see fromOtherTexts
}

// newJSONLParser returns a parser without lines.
func newJSONLParser(f *file, o *Options) jsonlParser {
	return jsonlParser{file: f, refuse: o.RefuseMisspelled, candidates: o.Candidates}
}

// maxMeant is the number of names of unknown members that are compared with those of known ones.
const maxMeant = 1000

// decode decodes an object, whose members that are not read are then in p.unknown.
func (p *jsonlParser) decode(object []byte, v any) error {
	p.unknown = p.unknown[:0]
	if p.noteUnknown == nil {
		p.noteUnknown = func(name string) { p.unknown = append(p.unknown, name) }
	}
	return input.DecodeJSONMembers(object, v, p.noteUnknown)
}

// misspelled looks for a member that was decoded last, has no meaning, and is spelled almost like one of those
// absent from the object or is what other programs call it. It warns of it once in a file, or returns the reason why
// the object is refused, as those with other programs' names are not.
func (p *jsonlParser) misspelled(absent func() []string) (reason string) {
	for _, name := range p.unknown {
		meant, known := p.meant[name]
		if !known && len(p.meant) < maxMeant {
			if p.meant == nil {
				p.meant = make(map[string]string)
			}
			meant = cmp.Or(otherNames[name], input.LookAlike(name, jsonlMembers))
			p.meant[strings.Clone(name)] = meant
		}
		if meant == "" {
			continue
		}
		other := otherNames[name]
		if !slices.Contains(absent(), other) {
			other = ""
		}
		if meant = cmp.Or(other, input.LookAlike(name, absent())); meant == "" {
			continue
		}
		message := fmt.Sprintf("member %s is not read, want %q", input.Quote(name), meant)
		if p.refuse && other == "" {
			return message
		}
		p.noteOnce(message)
	}
	return ""
}

// otherNames are names that other programs, as Prodigy, spaCy and label-studio, have for members of the same meaning.
var otherNames = map[string]string{
	"spans": "mentions", "entities": "mentions", "annotations": "mentions", "begin": "start", "label": "type",
	"concept": "ids", "concepts": "ids", "concept_id": "ids", "identifier": "ids", "identifiers": "ids", "cui": "ids",
	"kb_id": "ids",
}

// noteOnce warns of something that holds for more objects of the file, once.
func (p *jsonlParser) noteOnce(message string) {
	if !p.warned[message] {
		if p.warned == nil {
			p.warned = make(map[string]bool)
		}
		p.warned[message] = true
		p.note(p.at, message)
	}
}

// jsonlMembers are the members of documents and mentions that have a meaning.
var jsonlMembers = []string{"id", "text", "group", "mentions", "start", "end", "fragments", "ids", "composite", "type",
	"sense"}

// jsonlSource is a line as a [jsonlWriter] needs it.
type jsonlSource struct {
	line   string
	faults map[int]string // what is wrong with mentions, by their place
}

// documentJSON is one line. Other members of the object are kept for the output.
type documentJSON struct {
	ID       json.RawMessage   `json:"id"`   // a string or a number; the line number if missing
	Text     *string           `json:"text"` // with marks, unless there are mentions
	Group    string            `json:"group,omitempty"`
	Mentions []json.RawMessage `json:"mentions"`
}

// absent returns the names of the members that the object has not.
func (d *documentJSON) absent() []string {
	return absentOf([]string{"id", "text", "group", "mentions"}, d.ID != nil, d.Text != nil, d.Group != "", d.Mentions != nil)
}

// absentOf returns the names whose members are not there.
func absentOf(names []string, there ...bool) []string {
	var absent []string
	for i, name := range names {
		if !there[i] {
			absent = append(absent, name)
		}
	}
	return absent
}

// mentionJSON is a mention of a [documentJSON].
type mentionJSON struct {
	Start     *int            `json:"start,omitempty"` // code points; both may be missing if there are fragments
	End       *int            `json:"end,omitempty"`
	Fragments []fragmentJSON  `json:"fragments,omitempty"`
	Text      *string         `json:"text"` // if present, must match the text at the offsets
	IDs       []string        `json:"ids"`
	Composite bool            `json:"composite,omitempty"`
	Type      string          `json:"type,omitempty"`
	ID        json.RawMessage `json:"id,omitempty"` // of the annotation, a string or a number
	Sense     *senseJSON      `json:"sense,omitempty"`
}

// linkedAsJSON is what linking adds to a mention.
type linkedAsJSON struct {
	candidatesJSON
	SubMentions []candidatesJSON `json:"sub_mentions"`
}

type candidatesJSON struct {
	Candidates []struct {
		ID string `json:"id"`
	} `json:"candidates"`
}

// ids returns the concept of the mention, or of each of its sub-mentions; none for NIL.
func (l *linkedAsJSON) ids() (ids []string) {
	linked := l.SubMentions
	if len(linked) == 0 {
		linked = []candidatesJSON{l.candidatesJSON}
	}
	for _, part := range linked {
		if len(part.Candidates) > 0 {
			ids = append(ids, part.Candidates[0].ID)
		}
	}
	return ids
}

// fragmentJSON is a fragment of a discontinuous mention.
type fragmentJSON struct {
	Start *int `json:"start"` // code points
	End   *int `json:"end"`
}

// absent returns the names of the members that the object has not.
func (m *mentionJSON) absent() []string {
	return absentOf([]string{"start", "end", "fragments", "text", "ids", "composite", "type", "id", "sense"},
		m.Start != nil, m.End != nil, m.Fragments != nil, m.Text != nil, m.IDs != nil, m.Composite, m.Type != "",
		m.ID != nil, m.Sense != nil)
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
		line := documentJSON{ID: id, Text: &doc.Text, Group: doc.Group,
			Mentions: make([]json.RawMessage, len(doc.Mentions))}
		for i, m := range doc.Mentions {
			at, surface := offsets.CodePoints(m.Span), m.Of(doc.Text)
			ids := make([]string, len(m.Concepts))
			for j, concept := range m.Concepts {
				ids[j] = string(concept)
			}
			mention := mentionJSON{Start: &at.Start, End: &at.End, Text: &surface, IDs: ids, Composite: m.Composite,
				Type: m.Type}
			for _, f := range m.Fragments {
				at := offsets.CodePoints(f)
				mention.Fragments = append(mention.Fragments, fragmentJSON{&at.Start, &at.End})
			}
			if s := m.Sense; s != nil {
				mention.Sense = &senseJSON{s.LongForm, s.Records}
			}
			if line.Mentions[i], err = marshal(mention); err != nil {
				return err
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
	p.at, p.number = p.lines.Number(), p.lines.Number()
	if reason != "" {
		return p.fail(p.at, reason), nil
	}
	results, reason := p.document(line)
	if reason != "" {
		return p.fail(p.at, reason), nil
	}
	return results, nil
}

// document returns the errors of the mentions of a line, followed by its document. A
// non-empty reason says what is wrong with the line.
func (p *jsonlParser) document(line string) (results []result, reason string) {
	parsed, line, reason := p.parse(line)
	if reason != "" {
		return nil, reason
	}
	id, reason := jsonID(parsed.ID)
	if reason != "" {
		return nil, reason
	}
	given := len(parsed.Mentions)
	unnamed := id == ""
	if unnamed {
		id = strconv.Itoa(p.number)
	}
	unmarked, marked, reason := parseMarks(*parsed.Text)
	switch {
	case reason != "":
		return nil, reason
	case len(marked) > 0 && given > 0:
		return nil, fmt.Sprintf("want %s marks or a list of mentions, got both", markStart)
	}
	if err := p.limits.CheckMentions(max(len(marked), given)); err != nil {
		return nil, err.Error()
	}
	b := builder{make([]annotated, 0, len(marked)+given)}
	for _, m := range marked {
		b.add(m, Annotation{place: -1})
	}
	source := &jsonlSource{line: line}
	spans := p.spans(unmarked)
	for i := range given {
		mention, annotation, reason := p.mention(&parsed, i, spans)
		if reason != "" {
			reason = fmt.Sprintf("mention %d of document %q: %s", i+1, id, reason)
			results = append(results, result{err: &RecordError{File: p.name, Line: p.at, Reason: reason,
				Mention: i + 1}})
			if source.faults == nil {
				source.faults = make(map[int]string)
			}
			source.faults[i] = reason
			continue
		}
		annotation.place = i
		b.add(mention, annotation)
	}
	doc := &text.Document{ID: id, Text: unmarked, Group: parsed.Group}
	record := b.record(doc, source)
	record.Unnamed = unnamed
	return append(results, result{record: record}), ""
}

// parse decodes a line, also one of an annotation tool or with its texts in other members, and returns it as one of a
// document with a text.
func (p *jsonlParser) parse(line string) (parsed documentJSON, converted, reason string) {
	if err := p.decode([]byte(line), &parsed); err != nil {
		return parsed, "", input.JSONError(err).Error()
	}
	if parsed.Mentions == nil && !p.refuse {
		other, note, ok := fromTool(line, p.unknown)
		switch {
		case !ok:
		case p.decode([]byte(other), &parsed) != nil:
			return parsed, "", fmt.Sprintf("want the mentions of an annotation tool, got %s", input.Quote(line))
		default:
			line = other
			if note != "" {
				p.noteOnce(note)
			}
		}
	}
	if reason := p.misspelled(parsed.absent); reason != "" {
		return parsed, "", reason
	}
	if parsed.Text == nil && !p.refuse {
		other, note, ok := fromOtherTexts(line, p.otherTexts)
		switch {
		case !ok:
		case p.decode([]byte(other), &parsed) != nil:
			return parsed, "", fmt.Sprintf("want a document, got %s", input.Quote(line))
		default:
			line, p.otherTexts = other, true
			p.noteOnce(note)
		}
	}
	if parsed.Text == nil {
		return parsed, "", fmt.Sprintf(`want a "text", got none in %s`, input.Quote(line))
	}
	if strings.ContainsRune(*parsed.Text, utf8.RuneError) {
		if half := halfCharacter(line); half != "" {
			return parsed, "", fmt.Sprintf("want characters in text, got %s, which is half of one", half)
		}
	}
	return parsed, line, ""
}

// halfCharacter returns the first surrogate in the text of a line that is not one of a pair, as it is written, or "".
// Python writes such for bytes that it could not decode; encoding/json reads U+FFFD.
func halfCharacter(line string) string {
	o, err := parseObject([]byte(line))
	if err != nil {
		return ""
	}
	raw := string(o.raw("text"))
	for i := 0; i < len(raw)-len(`\u0000`); i++ {
		if raw[i] != '\\' {
			continue
		}
		escape := raw[i : i+len(`\u0000`)]
		if i++; raw[i] != 'u' {
			continue
		}
		unit, err := strconv.ParseUint(escape[2:], 16, 16)
		if i += 4; err != nil || !utf16.IsSurrogate(rune(unit)) {
			continue
		}
		next, found := strings.CutPrefix(raw[i+1:], `\u`)
		low, err := strconv.ParseUint(next[:min(4, len(next))], 16, 16)
		if !found || err != nil || utf16.DecodeRune(rune(unit), rune(low)) == utf8.RuneError {
			return escape
		}
		i += len(`\u0000`)
	}
	return ""
}

// mention returns mention i of the document. A non-empty reason says what is wrong with it.
func (p *jsonlParser) mention(d *documentJSON, i int, spans *spans) (m text.Mention, a Annotation, reason string) {
	var parsed mentionJSON
	if err := p.decode(d.Mentions[i], &parsed); err != nil {
		return m, a, input.JSONError(err).Error()
	}
	if reason := p.misspelled(parsed.absent); reason != "" {
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
	if note != "" {
		p.note(p.at, note)
	}
	m.Type, m.Concepts, m.Composite = parsed.Type, conceptIDs(parsed.IDs), parsed.Composite
	if p.candidates && parsed.IDs == nil {
		var l linkedAsJSON
		if err := input.DecodeJSON(d.Mentions[i], &l); err != nil {
			return m, a, input.JSONError(err).Error()
		}
		m.Concepts = conceptIDs(l.ids())
	}
	if s := parsed.Sense; s != nil {
		m.Sense = &text.Sense{LongForm: s.LongForm, Records: s.Records}
	}
	return m, a, ""
}

// place returns where the mention is. A non-empty reason says what is wrong with it.
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

// jsonID returns an identifier, a string or a number; it is empty if there is none.
func jsonID(raw json.RawMessage) (id, reason string) {
	var number json.Number
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return "", ""
	case raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0:
		return string(raw[1 : len(raw)-1]), ""
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
