package memory

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Kind is the kind of an entry.
type Kind string

// These are the kinds of entries, with the meaning of their fields.
const (
	KindName      Kind = "name"       // Concept has the name Name
	KindContext   Kind = "context"    // the span from Start to End of Text names Concept
	KindNIL       Kind = "nil"        // the span from Start to End of Text names no concept of the dictionary
	KindNoMention Kind = "no_mention" // the phrase Name is not a mention in any text
	KindConcept   Kind = "concept"    // ID is a new concept, with Name, Synonyms and Parents
	KindUndo      Kind = "undo"       // the entry Undoes is no longer in force
)

// Entry is a line of the log.
type Entry struct {
	Number int       `json:"number" doc:"The number of the entry, from 1"`
	At     time.Time `json:"at" doc:"When it was added"`
	By     string    `json:"by,omitempty" doc:"The author"`
	Kind   Kind      `json:"kind" enum:"name,context,nil,no_mention,concept,undo" doc:"The kind of entry: a name of a concept; a context, in which a mention names a concept; a NIL example, in which a mention names no concept; a phrase that is no mention in any text; a new concept; or the undoing of an entry"`

	Concept  kb.ConceptID   `json:"concept,omitempty" doc:"The concept of a name or a context"`
	Text     string         `json:"text,omitempty" doc:"The text of a context or of a NIL example"`
	Start    int            `json:"start,omitempty" minimum:"0" doc:"The offset of the first character of the mention, in Unicode code points of the text"`
	End      int            `json:"end,omitempty" minimum:"0" doc:"The offset after its last character"`
	Document string         `json:"document,omitempty" doc:"The identifier of the document that contains the text"`
	Only     bool           `json:"only,omitempty" doc:"Whether a context or NIL example applies only to this mention, and not to the same words elsewhere in the document and in the sentence"`
	ID       kb.ConceptID   `json:"id,omitempty" doc:"The identifier of a new concept"`
	Name     string         `json:"name,omitempty" doc:"The new name, the preferred name of a new concept, or the phrase that is no mention"`
	Synonyms []string       `json:"synonyms,omitempty" doc:"Other names of a new concept"`
	Parents  []kb.ConceptID `json:"parents,omitempty" doc:"The broader concepts of a new concept"`
	Undoes   int            `json:"undoes,omitempty" doc:"The number of the entry that is undone, for the kind undo"`
	Label    string         `json:"-"` // in an entry to add: the file's label of Concept, which must be one of its names
	Line     int            `json:"-"` // in an entry to add: its line in its file; 0 if unknown
	Replaces []int          `json:"replaces,omitempty" doc:"The numbers of the entries that this entry replaces because they disagree with it"`
}

// MarshalJSON writes the start of a mention even if it is 0.
func (e Entry) MarshalJSON() ([]byte, error) {
	type plain Entry
	if !e.hasMention() {
		return json.Marshal(plain(e))
	}
	return json.Marshal(struct {
		plain
		Start int `json:"start"`
		End   int `json:"end"`
	}{plain(e), e.Start, e.End})
}

func (e *Entry) hasMention() bool { return e.Kind == KindContext || e.Kind == KindNIL }

// EntryError is the error for a wrong field of an entry.
type EntryError struct {
	Field  string // as in JSON, such as "concept"; "start" stands for start and end
	Reason string // the requirement, with the value
}

func (e *EntryError) Error() string { return e.Field + ": " + e.Reason }

func invalid(field, format string, args ...any) error {
	return &EntryError{field, fmt.Sprintf(format, args...)}
}

// These are the maximum lengths of an entry's strings, in bytes.
const (
	maxName = 1000    // of an identifier, a name, a person or a document
	maxText = 1 << 20 // of a text
)

// kindFields lists the fields that an entry of each kind must have, or may have if a question mark follows.
var kindFields = map[Kind]string{
	KindName:      "concept name replaces?",
	KindContext:   "concept text start document? only? replaces?",
	KindNIL:       "text start document? only? replaces?",
	KindNoMention: "name replaces?",
	KindConcept:   "id name synonyms? parents?",
	KindUndo:      "undoes",
}

// check returns an error for a field that is missing, does not belong to this kind, or has a wrong value.
func (e *Entry) check() error {
	kind, known := kindFields[e.Kind]
	if !known {
		return invalid("kind", "is %s, want name, context, nil, no_mention or concept", input.Quote(string(e.Kind)))
	}
	has := strings.Fields(kind)
	for _, f := range []struct {
		name    string
		has     bool
		strings []string // identifiers, names or people
	}{
		{"by", false, []string{e.By}}, // allowed in every kind
		{"concept", e.Concept != "", []string{string(e.Concept)}},
		{"text", e.Text != "", nil},
		{"start", e.Start != 0 || e.End != 0, nil},
		{"document", e.Document != "", []string{e.Document}},
		{"only", e.Only, nil},
		{"id", e.ID != "", []string{string(e.ID)}},
		{"name", e.Name != "", []string{e.Name}},
		{"synonyms", len(e.Synonyms) > 0, e.Synonyms},
		{"parents", len(e.Parents) > 0, stringsOf(e.Parents)},
		{"undoes", e.Undoes != 0, nil},
		{"replaces", len(e.Replaces) > 0, nil},
	} {
		required := slices.Contains(has, f.name)
		switch {
		case required && !f.has:
			return invalid(f.name, "is missing from an entry of the kind %s", e.Kind)
		case f.has && !required && !slices.Contains(has, f.name+"?"):
			return invalid(f.name, "an entry of the kind %s has none", e.Kind)
		}
		for _, value := range f.strings {
			if err := checkString(f.name, value); err != nil {
				return err
			}
		}
	}
	if e.hasMention() {
		return e.checkMention()
	}
	return nil
}

func stringsOf(ids []kb.ConceptID) []string {
	values := make([]string, len(ids))
	for i, id := range ids {
		values[i] = string(id)
	}
	return values
}

// CheckAuthor returns an [*EntryError] if by cannot be the author of an entry.
func CheckAuthor(by string) error { return checkString("by", by) }

// checkString returns an error for an identifier, name or person that an entry cannot hold.
func checkString(field, value string) error {
	switch {
	case !utf8.ValidString(value):
		return invalid(field, "is %s, want UTF-8", input.Quote(value))
	case len(value) > maxName:
		return invalid(field, "has %d bytes, want at most %d", len(value), maxName)
	case strings.ContainsFunc(value, unicode.IsControl):
		return invalid(field, "is %s, want no control characters", input.Quote(value))
	case strings.TrimSpace(value) != value:
		return invalid(field, "is %s, want no space around it", input.Quote(value))
	case slices.Contains([]string{"name", "synonyms", "parents"}, field) && value != "" && normalize.Normal(value) == "":
		return invalid(field, "is %s, want letters or digits", input.Quote(value))
	}
	return nil
}

// checkMention returns an error for a text or mention that an entry cannot hold.
func (e *Entry) checkMention() error {
	switch {
	case !utf8.ValidString(e.Text):
		return invalid("text", "is not UTF-8")
	case len(e.Text) > maxText:
		return invalid("text", "has %d bytes, want at most %d", len(e.Text), maxText)
	}
	offsets := text.NewOffsets(e.Text)
	if e.Start < 0 || e.End <= e.Start || e.End > offsets.Len() {
		return invalid("start", "the mention is at %d-%d, want a range within the %d characters of the text", e.Start,
			e.End, offsets.Len())
	}
	if strings.TrimSpace(e.wording()) == "" {
		return invalid("start", "the mention is %q, want more than space", e.wording())
	}
	return nil
}

// span returns the mention's span in bytes. The fields must be valid.
func (e *Entry) span() text.Span {
	bytes, _ := text.NewOffsets(e.Text).Bytes(text.Span{Start: e.Start, End: e.End})
	return bytes
}

// wording returns the mention as it is written.
func (e *Entry) wording() string { return e.span().Of(e.Text) }

// exemplar returns the mention of a context or NIL example with its concept and author, in its whole text or only in
// its sentence.
func (e *Entry) exemplar(sentenceAlone bool) text.Exemplar {
	span, body := e.span(), e.Text
	within := sentence.Around(body, span)
	if sentenceAlone {
		body = within.Of(body)
		span = text.Span{Start: span.Start - within.Start, End: span.End - within.Start}
		within = text.Span{End: len(body)}
	}
	m := text.Mention{Span: span, Name: normalize.Normal(span.Of(body))}
	if e.Kind == KindContext {
		m.Concepts = []kb.ConceptID{e.Concept}
	}
	doc := &text.Document{ID: e.Document, Text: body, Mentions: []text.Mention{m}}
	return text.Exemplar{Query: text.Query{Document: doc, Mention: m, Sentence: within},
		Origin: text.Origin{Corrected: e.Correction()}}
}

// Correction returns the author and the time of the entry.
func (e *Entry) Correction() *text.Correction { return &text.Correction{By: e.By, At: e.At} }

// sentence returns the sentence of the mention.
func (e *Entry) sentence() string { return sentence.Around(e.Text, e.span()).Of(e.Text) }
