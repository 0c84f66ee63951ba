package formats

import (
	"strings"
	"testing"
)

// TestOtherTexts reads objects whose text is in other members than "text".
func TestOtherTexts(t *testing.T) {
	for _, c := range []struct{ name, content, want, note string }{
		{"article", `{"pmid": "7", "title": "River fever", "abstract": "A flood."}`, "7 River fever A flood.", `"title", "abstract"`},
		{"without an abstract", `{"title": "Flood", "abstract": null}` + "\n" + `{"title": "Fever"}`, "1 Flood|2 Fever", `"title"`},
		{"CSL JSON", `[{"id": "a1", "title": "Flood", "abstract": "A fever."}, {"id": "a2", "title": "Fever"}]`, "a1 Flood A fever.|a2 Fever", `"title", "abstract"`},
		{"CORD-19", "{\n" + `"paper_id": "x", "metadata": {"title": "Flood"}, "abstract": [{"text": "A fever.", "section": "Abstract"}],` + "\n" +
			`"body_text": [{"text": "B."}, {"text": "C."}], "bib_entries": {}}`, "x Flood A fever. B.\nC.", `"metadata.title", "abstract", "body_text"`},
		{"S2AG", `{"corpusid": 7, "content": {"text": "Flood", "annotations": {}}}`, "7 Flood", `"content"`},
		{"OpenAlex", `{"results": [{"id": "W1", "title": "Flood", "abstract_inverted_index": {"fever,": [1], "a": [0, 2]}}, {"id": "W2", "title": "Fever", "abstract_inverted_index": null}]}`,
			"W1 Flood a fever, a|W2 Fever", `"title", "abstract_inverted_index"`},
		{"LangChain", `{"page_content": "Flood", "metadata": {}}`, "1 Flood", `"page_content"`},
		{"note", `{"note_id": 5, "note_text": "Flood"}`, "5 Flood", `"note_text"`},
		{"with a text", `{"id": 1, "title": "Fever", "text": "Flood"}`, "1 Flood", ""},
	} {
		var warnings []string
		r := NewReader(strings.NewReader(c.content), "file", Options{Warn: func(e *RecordError) { warnings = append(warnings, e.Reason) }})
		docs, problems := readAll(t, r)
		var got []string
		for _, doc := range docs {
			got = append(got, doc.ID+" "+doc.Text)
		}
		if strings.Join(got, "|") != c.want || len(problems) > 0 {
			t.Errorf("%s: %q, problems %v, want %q", c.name, got, problems, c.want)
		}
		if first := strings.Join(warnings, ""); !strings.HasPrefix(first, "the text is that of "+c.note) && first+c.note != "" {
			t.Errorf("%s: warnings %q, want one of %s", c.name, warnings, c.note)
		}
	}
	for _, content := range []string{`{"title": "Mr"}`, `{"abstract": 7}`, `{"body": [{"a": 1}]}`, `{"abstract_inverted_index": [1]}`, `{"title": "a", "abstract": [["b"]]}`, `{"text": null, "id": 1}`} {
		docs, problems := readAll(t, NewReader(strings.NewReader(content), "file", Options{Format: JSONL}))
		if isTitle := strings.Contains(content, `[["b"]]`); len(docs) > 0 && !isTitle || len(problems) == 0 && !isTitle {
			t.Errorf("%s: documents %v, problems %v, want a refusal", content, docs, problems)
		}
	}
	// The server refuses what it does not know.
	docs, _ := readAll(t, NewReader(strings.NewReader(`{"abstract": "a"}`), "file", Options{Format: JSONL, RefuseMisspelled: true}))
	if len(docs) > 0 {
		t.Errorf("documents %v with RefuseMisspelled", docs)
	}
}
