package formats

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestJSONMembers reads and writes documents with members that are almost those of the format.
func TestJSONMembers(t *testing.T) {
	for _, c := range []struct{ name, line, text, mention, warning, fault, refusal string }{
		{name: "another text", line: `{"text": "A flu.", "TEXT": "A flood.", "mentions": [{"start": 2, "end": 5}]}`, text: "A flu.", mention: "flu"},
		{name: "other mentions", line: `{"mentions": [{"start": 2, "end": 5}], "text": "A flu.", "Mentions": []}`, text: "A flu.", mention: "flu"},
		{name: "another start", line: `{"text": "A flu.", "mentions": [{"start": 2, "START": 0, "end": 5, "End": 6}]}`, text: "A flu.", mention: "flu"},
		{name: "no text", line: `{"Text": "A flu."}`,
			warning: `file:1: member "Text" is not read, want "text"`, fault: `file:1: want a "text", got none in "{\"Text\": \"A flu.\"}"`,
			refusal: `file:1: member "Text" is not read, want "text"`},
		{name: "misspelled", line: `{"text": "A flu.", "mentons": [{"start": 2, "end": 5}]}`, text: "A flu.",
			warning: `file:1: member "mentons" is not read, want "mentions"`, refusal: `file:1: member "mentons" is not read, want "mentions"`},
		{name: "misspelled in a mention", line: `{"text": "A flu.", "mentions": [{"start": 2, "end": 5, "tpye": "x"}]}`, text: "A flu.", mention: "flu",
			warning: `file:1: member "tpye" is not read, want "type"`, refusal: `file:1: mention 1 of document "1": member "tpye" is not read, want "type"`},
		{name: "mentions of another program", line: `{"text": "A flu.", "spans": [{"from": 2, "to": 5}]}`, text: "A flu.",
			warning: `file:1: member "spans" is not read, want "mentions"`},
		{name: "beside mentions", line: `{"text": "A flu.", "spans": [], "label": "x", "mentions": [{"start": 2, "end": 5}]}`, text: "A flu.", mention: "flu"},
		{name: "concepts of another program", line: `{"text": "A flu.", "mentions": [{"start": 2, "end": 5, "concept_id": "D1"}]}`, text: "A flu.", mention: "flu",
			warning: `file:1: member "concept_id" is not read, want "ids"`},
		{name: "twice", line: `{"text": "A flu.", "text": "A flu."}`,
			fault: `file:1: want each member of an object once, got another "text"`, refusal: `file:1: want each member of an object once, got another "text"`},
		{name: "twice in a mention", line: `{"text": "A flu.", "mentions": [{"start": 2, "end": 5, "end": 6}]}`, text: "A flu.",
			fault:   `file:1: mention 1 of document "1": want each member of an object once, got another "end"`,
			refusal: `file:1: mention 1 of document "1": want each member of an object once, got another "end"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var warnings []string
			r := NewReader(strings.NewReader(c.line+"\n"), "file", Options{Format: JSONL, Warn: func(w *RecordError) { warnings = append(warnings, w.Error()) }})
			docs, faults := readAll(t, r)
			if !slices.Equal(warnings, nonEmpty(c.warning)) || !slices.Equal(faults, nonEmpty(c.fault)) {
				t.Errorf("warnings %q and faults %q, want %q and %q", warnings, faults, c.warning, c.fault)
			}
			text, mention := "", ""
			if len(docs) == 1 {
				text = docs[0].Text
				for _, m := range docs[0].Mentions {
					mention += m.Of(text)
				}
			}
			if text != c.text || mention != c.mention {
				t.Errorf("text %q with mention %q, want %q with %q", text, mention, c.text, c.mention)
			}
			_, refusals := readAll(t, NewReader(strings.NewReader(c.line+"\n"), "file", Options{Format: JSONL, RefuseMisspelled: true}))
			if !slices.Equal(refusals, nonEmpty(c.refusal)) {
				t.Errorf("refused: %q, want %q", refusals, c.refusal)
			}
		})
	}
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// TestJSONMembersWarnOnce warns of a misspelled member once in a file.
func TestJSONMembersWarnOnce(t *testing.T) {
	warnings := 0
	r := NewReader(strings.NewReader(strings.Repeat(`{"text": "A flu.", "mentons": []}`+"\n", 3)), "file", Options{Format: JSONL, Warn: func(*RecordError) { warnings++ }})
	if docs, _ := readAll(t, r); len(docs) != 3 || warnings != 1 {
		t.Errorf("%d documents and %d warnings, want 3 and 1", len(docs), warnings)
	}
}

// TestBioCJSONMembers refuses members that are there twice, and goes on after them.
func TestBioCJSONMembers(t *testing.T) {
	const good = `{"id": "2", "passages": [{"offset": 0, "text": "A flu."}]}`
	for _, c := range []struct{ name, content, fault string }{
		{"document", `{"documents": [{"id": "1", "passages": [], "id": "3"}, ` + good + `]}`, `file:1: want each member of an object once, got another "id"`},
		{"passage", `{"documents": [{"id": "1", "passages": [{"offset": 0, "text": "a", "text": "b"}]}, ` + good + `]}`,
			`file:1: document "1": want each member of an object once, got another "text"`},
		{"collection", `{"key": "", "key": "", "documents": [` + good + `]}`, `file:1: want each member of an object once, got another "key"`},
		{"other case", `{"documents": [{"ID": "1", "id": "2", "Passages": [], "passages": [{"offset": 0, "Text": "b", "text": "A flu."}]}]}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := NewReader(strings.NewReader(c.content), "file", Options{Format: BioCJSON})
			var faults []string
			var ids []string
			for {
				doc, err := r.Next()
				if err == io.EOF {
					break
				}
				if bad, ok := errors.AsType[*RecordError](err); ok {
					faults = append(faults, bad.Error())
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				ids = append(ids, doc.ID+" "+doc.Text)
			}
			if !slices.Equal(faults, nonEmpty(c.fault)) || !slices.Equal(ids, []string{"2 A flu."}) {
				t.Errorf("faults %q and documents %q, want %q and document 2", faults, ids, c.fault)
			}
		})
	}
}
