package formats

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/text"
)

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
