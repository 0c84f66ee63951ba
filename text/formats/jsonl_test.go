package formats

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/text"
)

func TestJSONL(t *testing.T) {
	// "日本 ïs" is 5 characters of 3 + 3 + 1 + 2 + 1 bytes.
	const content = `{"id": "a", "text": "日本 ïs", "mentions": [` +
		`{"start": 3, "end": 5, "text": "ïs", "ids": ["D1", "D2"], "type": "Disease", "composite": true}, {"start": 0, "end": 2, "ids": ["-1"]}]}` + "\n\n" +
		`{"id": 17, "text": "a [ENT] tumor [/ENT].", "more": {"is": "ignored"}}` + "\n" +
		`{"text": "none"}` + "\n"
	docs, problems := readText(t, content, "")
	if len(problems) > 0 {
		t.Errorf("problems: %q", problems)
	}
	want := []*text.Document{
		{ID: "a", Text: "日本 ïs", Mentions: []text.Mention{
			{Span: text.Span{Start: 0, End: 6}},
			{Span: text.Span{Start: 7, End: 10}, Type: "Disease", Concepts: ids{"D1", "D2"}, Composite: true},
		}},
		{ID: "17", Text: "a tumor.", Mentions: []text.Mention{{Span: text.Span{Start: 2, End: 7}}}},
		{ID: "4", Text: "none"},
	}
	if diff := cmp.Diff(want, docs); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
}

// TestJSONLCandidates: with the option, a mention without ids has the first candidate, or those of its sub-mentions.
func TestJSONLCandidates(t *testing.T) {
	const linked = `{"text": "a b c d", "mentions": [
		{"start": 0, "end": 1, "candidates": [{"id": "A"}, {"id": "B"}]},
		{"start": 2, "end": 3, "candidates": []},
		{"start": 4, "end": 5, "ids": ["C"], "candidates": [{"id": "D"}]},
		{"start": 6, "end": 7, "candidates": [{"id": "E"}], "sub_mentions": [{"candidates": [{"id": "E"}]},
			{"candidates": [{"id": "F"}, {"id": "G"}]}, {"candidates": []}]}]}`
	for _, content := range []string{strings.ReplaceAll(linked, "\n", " "), "[" + linked + "]"} {
		for candidates, want := range map[bool][]ids{true: {{"A"}, nil, {"C"}, {"E", "F"}}, false: {nil, nil, {"C"}, nil}} {
			r := NewReader(strings.NewReader(content), "test", Options{Candidates: candidates})
			doc, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			var got []ids
			for _, m := range doc.Mentions {
				got = append(got, m.Concepts)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("candidates %t, %.10s (-want +got):\n%s", candidates, content, diff)
			}
		}
	}
}

// TestJSONLReplaced: U+FFFD in a text is no half of a character, nor is half of one in what is not read.
func TestJSONLReplaced(t *testing.T) {
	docs, problems := readText(t, `{"text": "\ud83d\ude00 \ufffd \\ud83d �", "meta": "\ud83d"}`, JSONL)
	if len(problems) > 0 || len(docs) != 1 || docs[0].Text != "😀 \ufffd \\ud83d \ufffd" {
		t.Errorf("%+v, problems %q", docs, problems)
	}
}

// TestWriteJSONL reads what was written.
func TestWriteJSONL(t *testing.T) {
	want := []*text.Document{
		{ID: "12", Text: "日本 ïs <AD>", Group: "AD", Mentions: []text.Mention{
			{Span: text.Span{Start: 0, End: 6}, Type: "Disease", Concepts: ids{"D1", "D2"}, Composite: true},
			{Span: text.Span{Start: 12, End: 14}, Sense: &text.Sense{LongForm: "Alzheimer disease", Records: 3}},
		}},
		{ID: "b", Text: "none"},
	}
	var out strings.Builder
	if err := WriteJSONL(&out, want); err != nil {
		t.Fatal(err)
	}
	docs, problems := readText(t, out.String(), JSONL)
	if len(problems) > 0 {
		t.Errorf("problems: %q", problems)
	}
	if diff := cmp.Diff(want, docs); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, out.String())
	}
	if !strings.Contains(out.String(), `"ids":[],"sense":`) {
		t.Errorf("no empty list of ids in %s", out.String())
	}
}

func TestJSONLProblems(t *testing.T) {
	tests := []struct{ line, want string }{
		{`{"id": "1"}`, `want a "text", got none in "{\"id\": \"1\"}"`},
		{`["text"]`, `want an object, got "[\"text\"]"`},
		{`{"text": 3}`, "want a string in text, got number"},
		{`{"text": "a \ud83d\ude00 \\ud83d \ud83d b"}`, `want JSON, got invalid surrogate pair "\\ud83d b\"" in string (byte 24)`},
		{`{"text": "a \ufffd\uDE00\ud83d"}`, "want JSON, got invalid surrogate pair `\\uDE00\\ud83d` in string (byte 9)"},
		{`{"text": "a"`, "want JSON, got an unfinished value"},
		{`{"text": "a", "id": {}}`, `want a string or a number in id, got "{}"`},
		{`{"text": "a", "mentions": [{"start": 0}]}`, `mention 1 of document "2": want a "start" and an "end"`},
		{`{"text": "a", "mentions": [{"start": 0, "end": 2}]}`, `mention 1 of document "2": mention at 0-2: want a range within the 1 characters of the text`},
		{`{"text": "a", "mentions": [{"start": -1, "end": 1}]}`, `mention 1 of document "2": mention at -1-1: want a range within the 1 characters of the text`},
		{`{"text": "a", "mentions": [{"start": 0, "end": 1.5}]}`, `mention 1 of document "2": want a whole number in end, got number 1.5`},
		{`{"text": "ab", "mentions": [{"start": 0, "end": 1, "text": "b"}]}`, `mention 1 of document "2": mention at 0-1: the mention says "b", the text "a"`},
		{`{"text": "[ENT]a[/ENT]", "mentions": [{"start": 0, "end": 1}]}`, "want [ENT] marks or a list of mentions, got both"},
		{`{"text": "a [ENT] b"}`, "[ENT] at character 3 is not closed"},
		{"{\"text\": \"na\xefve\"}", "want UTF-8, got byte 0xef at offset 12 (is the file Latin-1 or Shift-JIS?)"},
	}
	for _, test := range tests {
		docs, problems := readText(t, "{\"text\": \"before\"}\n"+test.line+"\n{\"text\": \"after\"}", JSONL)
		if diff := cmp.Diff([]string{"file:2: " + test.want}, problems); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.line, diff)
		}
		want := 2 // before and after it
		if strings.HasPrefix(test.want, "mention 1") {
			want++ // the document itself, without the mention
		}
		if len(docs) != want {
			t.Errorf("%s: %d documents, want %d", test.line, len(docs), want)
		}
	}
}
