package formats

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/text/linked"
)

// TestAnnotationTools reads the exports of annotation tools. Each case is a file; want has the mentions of its
// documents.
func TestAnnotationTools(t *testing.T) {
	const body = `"text": "He had a river fever."`
	task := `{"id": 7, "data": {"text": "He had a river fever."}, "annotations": [{"was_cancelled": true, "result": []}, ` +
		`{"result": [{"type": "choices", "value": {"choices": ["a"]}}, {"id": "x", "type": "labels", ` +
		`"value": {"start": 9, "end": 20, "text": "river fever", "labels": ["Disease"]}}]}]}`
	for _, c := range []struct{ name, content, want, note string }{
		{"Prodigy", `{` + body + `, "spans": [{"start": 9, "end": 20, "label": "Disease", "token_start": 3, "kb_id": "D1"}], "answer": "accept"}`,
			"1: river fever/Disease D1", "spans"},
		{"Prodigy, rejected", `{` + body + `, "spans": [{"start": 9, "end": 20, "label": "Disease"}], "answer": "reject"}`, "1:",
			`the answer is "reject"`},
		{"doccano", `{"id": 3, ` + body + `, "label": [[9, 20, "Disease"], [0, 2, "Person"]]}`, "3: He/Person river fever/Disease", "label"},
		{"doccano, labels", `{` + body + `, "labels": [[9, 20, "Disease"]]}`, "1: river fever/Disease", "labels"},
		{"doccano, relations", `{` + body + `, "entities": [{"id": 4, "label": "Disease", "start_offset": 9, "end_offset": 20}], ` +
			`"relations": []}`, "1: river fever/Disease", "entities"},
		{"spaCy", `{` + body + `, "ents": [{"start": 9, "end": 20, "label": "Disease"}], "tokens": []}`, "1: river fever/Disease", "ents"},
		{"doccano, an old export", `{` + body + `, "annotations": [{"label": 3, "start_offset": 9, "end_offset": 20, "user": 1}]}`,
			"1: river fever/3", "annotations"},
		{"spaCy, with concepts", `{` + body + `, "entities": [[9, 20, "Disease", "D1"]]}`, "1: river fever/Disease D1", "entities"},
		{"offset and length", `{` + body + `, "entities": [{"offset": 9, "length": 11, "category": "Disease", "text": "river fever"}]}`,
			"1: river fever/Disease", "entities"},
		{"begin and end", `{` + body + `, "entities": [{"begin": 9, "end": 20, "type": "Disease"}]}`, "1: river fever/Disease", "entities"},
		{"Transformers", `{` + body + `, "entities": [{"start": 9, "end": 20, "entity_group": "Disease", "word": "river fever"}]}`,
			"1: river fever/Disease", "entities"},
		{"PubAnnotation", "{\n" + body + `, "denotations": [{"id": "T1", "span": {"begin": 9, "end": 20}, "obj": "Disease"}]` + "\n}\n",
			"1: river fever/Disease", "denotations"},
		{"Label Studio", "[" + task + "]", "7: river fever/Disease", "annotations"},
		{"Label Studio, indented", "[\n" + task + ",\n" + `{"id": 8, "data": {"text": "Well."}, "annotations": []}` + "\n]\n",
			"7: river fever/Disease; 8:", "annotations"},
		{"Label Studio, JSON-MIN", `[{` + body + `, "id": 1, "label": [{"start": 9, "end": 20, "text": "river fever", "labels": ["Disease"]}]}]`,
			"1: river fever/Disease", "label"},
		{"BigBIO", `{"id": "0", "document_id": "9", "passages": [{"id": "a", "type": "title", "text": ["He had"], "offsets": [[0, 6]]}, ` +
			`{"id": "b", "type": "abstract", "text": ["a river or"], "offsets": [[7, 17]]}, {"id": "c", "type": "abstract", "text": ["fever"], "offsets": [[19, 24]]}], ` +
			`"entities": [{"id": "d", "type": "Disease", "text": ["river", "fever"], "offsets": [[9, 14], [19, 24]], "normalized": [{"db_name": "X", "db_id": "D1"}]}, ` +
			`{"id": "e", "type": "Disease", "text": ["fever"], "offsets": [[19, 24]], "normalized": []}], "events": [], "relations": []}`,
			"9: river fever/Disease D1 fever/Disease", `the mentions are those of "entities"`},
		{"BigBIO, indented", "[\n" + `{"id": "0", "document_id": "9", "passages": [{"text": ["Flood"], "offsets": [[0, 5]]}], "entities": []}` + "\n]\n",
			"9:", "passages"},
		// What is no list of mentions, and what has the program's own.
		{"labels of the text", `{` + body + `, "label": ["negative"], "labels": [1, 2, 3], "entities": {"a": 1}}`, "1:",
			`member "entities" is not read`},
		{"no spans", `{` + body + `, "spans": [], "label": "negative"}`, "1:", ""},
		{"own mentions", `{` + body + `, "mentions": [], "spans": [{"start": 9, "end": 20, "label": "Disease"}]}`, "1:", ""},
		{"other objects", `{` + body + `, "spans": [{"from": 1}]}`, "1:", `member "spans" is not read`},
		{"Prodigy, a number as the concept", `{` + body + `, "spans": [{"start": 9, "end": 20, "kb_id": 5}]}`, "1: river fever/ 5", "spans"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var warnings []string
			r := NewReader(strings.NewReader(c.content), "file.json", Options{Warn: func(w *RecordError) { warnings = append(warnings, w.Reason) }})
			docs, problems := readAll(t, r)
			var got []string
			for _, doc := range docs {
				line := doc.ID + ":"
				for _, m := range doc.Mentions {
					line += " " + m.Of(doc.Text) + "/" + m.Type
					for _, id := range m.Concepts {
						line += " " + string(id)
					}
				}
				got = append(got, line)
			}
			if joined := strings.Join(got, "; "); joined != c.want || len(problems) > 0 || r.Format() != JSONL {
				t.Errorf("%s, problems %q, want %s", joined, problems, c.want)
			}
			noted := slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, c.note) })
			if c.note != "" && !noted || c.note == "" && len(warnings) > 0 {
				t.Errorf("warnings %q, want one of %q", warnings, c.note)
			}
		})
	}
}

// TestAnnotationToolsCheck: a text that a tool states is compared, as in mentions of the program's own form.
func TestAnnotationToolsCheck(t *testing.T) {
	_, problems := readText(t, `{"text": "A flu.", "entities": [{"start": 2, "end": 5, "text": "gout"}]}`, JSONL)
	want := `file:1: mention 1 of document "1": mention at 2-5: the mention says "gout", the text "flu"`
	if !slices.Equal(problems, []string{want}) {
		t.Errorf("problems %q, want %q", problems, want)
	}
}

// TestAnnotationToolsFaults: an entry that is no mention is an error, and the others are read.
func TestAnnotationToolsFaults(t *testing.T) {
	const body = `{"text": "A flu.", `
	for content, want := range map[string]string{
		`"spans": [{"start": 2.0, "end": 5}]}`:                                "want a whole number in start, got number 2.0",
		`"spans": [{"start": "2", "end": 5}]}`:                                "want a whole number in start, got string",
		`"entities": [{"start_offset": 2}]}`:                                  `want a "start" and an "end"`,
		`"denotations": [{"span": [{"begin": 2, "end": 5}]}]}`:                `want a "start" and an "end"`,
		`"label": [["two", 5, "D"], [2, 5, "D"]]}`:                            "want an object, got ",
		`"label": [null, [2, 5, "D"]]}`:                                       `want an object, got "null"`,
		`"spans": [{"start": -1, "end": 5}]}`:                                 "mention at -1-5: want a range within the 6 characters of the text",
		`"entities": [{"offset": 9223372036854775807, "length": 9}]}`:         "want a range within the 6 characters of the text",
		`"spans": [{"from": 2}, {"start": 2, "end": 5}]}`:                     `want a "start" and an "end"`,
		`"ents": [{"start": 2, "end": 1e300}, {"start": 2, "end": 5}]}`:       "want a whole number in end, got number 1e300",
		`"spans": [{"start": 2, "end": 5, "start": 3}, {"start":2,"end":5}]}`: `want each member of an object once, got another "start"`,
	} {
		docs, problems := readText(t, body+content, JSONL)
		if len(docs) != 1 || len(problems) != 1 || !strings.HasPrefix(problems[0], `file:1: mention 1 of document "1": `) ||
			!strings.Contains(problems[0], want) {
			t.Errorf("%s: %d documents, problems %q, want %q", content, len(docs), problems, want)
			continue
		}
		if isOther := strings.Contains(content, "}, {") || strings.Contains(content, "], ["); len(docs[0].Mentions) != 1 && isOther {
			t.Errorf("%s: %d mentions, want the other", content, len(docs[0].Mentions))
		}
	}
}

// TestAnnotationToolsWritten: what a tool wrote stays, and the mentions with their candidates are added.
func TestAnnotationToolsWritten(t *testing.T) {
	const line = `{"text":"A flu.","spans":[{"start":2,"end":5,"label":"Disease"}],"answer":"accept"}`
	r := NewReader(strings.NewReader(line+"\n"), "file", Options{})
	record, err := r.NextRecord()
	if err != nil {
		t.Fatal(err)
	}
	doc := &linked.Document{ID: record.ID, Text: record.Text, Mentions: []linked.Mention{{
		Span: record.Mentions[0].Span, Text: "flu", Candidates: []linked.Candidate{{Concept: "D1", Name: "influenza", Score: 1}},
	}}}
	record.AddAnnotations(doc)
	var out bytes.Buffer
	w, err := NewWriter(&out, JSONL)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(record, doc); err != nil {
		t.Fatal(err)
	}
	want := `{"id":"1","text":"A flu.","spans":[{"start":2,"end":5,"label":"Disease"}],"answer":"accept","mentions":[` +
		`{"start":2,"end":5,"text":"flu","type":"Disease","candidates":[{"id":"D1","name":"influenza","matched_name":"","score":1,"votes":0}]}]}`
	if diff := cmp.Diff(want+"\n", out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestJSONValues reads objects that are not one a line, and says where they are malformed.
func TestJSONValues(t *testing.T) {
	content := "[\n{\"text\": \"A\"},\n{\"id\": \"b\",\n\"text\": \"B\"}, {\"title\": \"C\"},\n\"D\", {\"text\": \"E\"}\n]\n"
	docs, problems := readAll(t, NewReader(strings.NewReader(content), "file", Options{}))
	var ids []string
	for _, doc := range docs {
		ids = append(ids, fmt.Sprint(doc.ID, doc.Text))
	}
	if want := []string{"1A", "bB", "5E"}; !slices.Equal(ids, want) {
		t.Errorf("documents %q, want %q", ids, want)
	}
	if want := []string{`file:4: want a "text", got none in "{\"title\": \"C\"}"`, `file:5: want an object with a "text", got "\"D\""`}; !slices.Equal(problems, want) {
		t.Errorf("problems %q, want %q", problems, want)
	}
	docs, problems = readAll(t, NewReader(strings.NewReader(`{"total": 2, "documents": [{"text": "A"}, {"id": "b", "text": "B"}], "next": {}}`), "file", Options{}))
	if len(docs) != 2 || docs[1].ID != "b" || len(problems) > 0 {
		t.Errorf("a list in an object: %d documents, problems %q", len(docs), problems)
	}
	for content, want := range map[string]string{
		"[{\"text\": \"A\"},\n{\"text\": \"B\"":      "file:1: want JSON, got an unfinished value",
		"[{\"text\": \"A\"}\n{\"text\": \"B\"}]":     "file:2: want JSON, got ",
		"[{\"text\": \"A\"},\n{\"text\": \"\xff\"}]": "file:2: want UTF-8, got byte 0xff",
		"[{\"text\": \"A\"}, {\"text\": 1}]":         "file:1: want a string in text, got number",
	} {
		docs, problems := readAll(t, NewReader(strings.NewReader(content), "file", Options{}))
		if len(docs) != 1 || len(problems) != 1 || !strings.HasPrefix(problems[0], want) {
			t.Errorf("%q: %d documents, problems %q, want %s", content, len(docs), problems, want)
		}
	}
}
