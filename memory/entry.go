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

// Kind is what an entry says.
type Kind string

// The kinds of entries, and the fields that each has.
const (
	KindName    Kind = "name"    // Concept has the name Name
	KindContext Kind = "context" // the span from Start to End of Text names Concept
	KindNIL     Kind = "nil"     // the span from Start to End of Text names no concept of the dictionary
	KindConcept Kind = "concept" // ID is a new concept, with Name, Synonyms and Parents
	KindUndo    Kind = "undo"    // the entry Undoes is no longer in force
)

// Entry is a line of the log.
type Entry struct {
	Number int       `json:"number" doc:"The number of the entry, from 1"`
	At     time.Time `json:"at" doc:"When it was added"`
	By     string    `json:"by,omitempty" doc:"Who says so"`
	Kind   Kind      `json:"kind" enum:"name,context,nil,concept,undo" doc:"What it adds"`

	Concept  kb.ConceptID   `json:"concept,omitempty" doc:"The concept of a name or a context"`
	Text     string         `json:"text,omitempty" doc:"The text of a context or of a NIL example"`
	Start    int            `json:"start,omitempty" doc:"The start of the mention in the text, in code points"`
	End      int            `json:"end,omitempty" doc:"The end of the mention, exclusive"`
	Document string         `json:"document,omitempty" doc:"The identifier of the document that the text is of"`
	Only     bool           `json:"only,omitempty" doc:"Whether a context or NIL example is of this mention alone, and not of its wording elsewhere in the document and in the sentence"`
	ID       kb.ConceptID   `json:"id,omitempty" doc:"The identifier of a new concept"`
	Name     string         `json:"name,omitempty" doc:"The name that is added, or the preferred name of a new concept"`
	Synonyms []string       `json:"synonyms,omitempty" doc:"Other names of a new concept"`
	Parents  []kb.ConceptID `json:"parents,omitempty" doc:"The broader concepts of a new concept"`
	Undoes   int            `json:"undoes,omitempty" doc:"The entry that an entry of the kind undo undoes"`
	Replaces []int          `json:"replaces,omitempty" doc:"The entries that this one undoes because they disagree with it"`
}

// MarshalJSON writes the start of a mention also if it is 0.
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

// EntryError says what is wrong with a field of an entry.
type EntryError struct {
	Field  string // as in JSON, such as "concept"; "start" stands for start and end
	Reason string // what is wanted, with the value
}

func (e *EntryError) Error() string { return e.Field + ": " + e.Reason }

func invalid(field, format string, args ...any) error {
	return &EntryError{field, fmt.Sprintf(format, args...)}
}

// Limits of the strings of an entry, in bytes.
const (
	maxName = 1000    // of an identifier, a name, a person or a document
	maxText = 1 << 20 // of a text
)

// kindFields has the fields of each kind of entry: those that it must have, and those that it may have.
var kindFields = map[Kind]struct{ required, optional []string }{
	KindName:    {required: []string{"concept", "name"}},
	KindContext: {[]string{"concept", "text", "start"}, []string{"document", "only", "replaces"}},
	KindNIL:     {[]string{"text", "start"}, []string{"document", "only", "replaces"}},
	KindConcept: {[]string{"id", "name"}, []string{"synonyms", "parents"}},
	KindUndo:    {required: []string{"undoes"}},
}

// checkFields reports the first field that is missing, or that an entry of this kind does not have.
func (e *Entry) checkFields() error {
	kind, known := kindFields[e.Kind]
	if !known {
		return invalid("kind", "is %s, want name, context, nil or concept", input.Quote(string(e.Kind)))
	}
	fields := []struct {
		name string
		has  bool
	}{
		{"concept", e.Concept != ""},
		{"text", e.Text != ""},
		{"start", e.Start != 0 || e.End != 0},
		{"document", e.Document != ""},
		{"only", e.Only},
		{"id", e.ID != ""},
		{"name", e.Name != ""},
		{"synonyms", len(e.Synonyms) > 0},
		{"parents", len(e.Parents) > 0},
		{"undoes", e.Undoes != 0},
		{"replaces", len(e.Replaces) > 0},
	}
	for _, field := range fields {
		if !field.has && slices.Contains(kind.required, field.name) {
			return invalid(field.name, "is missing from an entry of the kind %s", e.Kind)
		}
	}
	for _, field := range fields {
		if field.has && !slices.Contains(kind.required, field.name) && !slices.Contains(kind.optional, field.name) {
			return invalid(field.name, "an entry of the kind %s has none", e.Kind)
		}
	}
	return e.checkValues()
}

// CheckAuthor returns an [*EntryError] if By is no name of a person that an entry can have.
func (e *Entry) CheckAuthor() error { return (&Entry{By: e.By}).checkValues() }

// checkValues reports the first field whose value no entry can have.
func (e *Entry) checkValues() error {
	type field struct{ name, value string }
	fields := []field{
		{"by", e.By}, {"concept", string(e.Concept)}, {"document", e.Document}, {"id", string(e.ID)}, {"name", e.Name},
	}
	for _, synonym := range e.Synonyms {
		fields = append(fields, field{"synonyms", synonym})
	}
	for _, parent := range e.Parents {
		fields = append(fields, field{"parents", string(parent)})
	}
	for _, f := range fields {
		switch {
		case !utf8.ValidString(f.value):
			return invalid(f.name, "is %s, want UTF-8", input.Quote(f.value))
		case len(f.value) > maxName:
			return invalid(f.name, "has %d bytes, want at most %d", len(f.value), maxName)
		case strings.ContainsFunc(f.value, unicode.IsControl):
			return invalid(f.name, "is %s, want no control characters", input.Quote(f.value))
		case strings.TrimSpace(f.value) != f.value:
			return invalid(f.name, "is %s, want no space around it", input.Quote(f.value))
		}
	}
	for _, f := range fields[4:] { // the names, and the parents, which are never without letters
		if f.value != "" && normalize.Normal(f.value) == "" {
			return invalid(f.name, "is %s, want letters or digits", input.Quote(f.value))
		}
	}
	if !e.hasMention() {
		return nil
	}
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

// span returns the mention in bytes. The fields are known to be right.
func (e *Entry) span() text.Span {
	bytes, _ := text.NewOffsets(e.Text).Bytes(text.Span{Start: e.Start, End: e.End})
	return bytes
}

// wording returns the mention as it is written.
func (e *Entry) wording() string { return e.span().Of(e.Text) }

// exemplar returns the mention of a context or of a NIL example in its text, or in its sentence alone, with its
// concept, and with who said so.
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

// Correction returns who added the entry, and when.
func (e *Entry) Correction() *text.Correction { return &text.Correction{By: e.By, At: e.At} }

// sentence returns the sentence of the mention.
func (e *Entry) sentence() string { return sentence.Around(e.Text, e.span()).Of(e.Text) }
