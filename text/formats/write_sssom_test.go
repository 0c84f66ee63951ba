package formats

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

func TestSSSOM(t *testing.T) {
	const content = "One. A däy of RF\x01 here, breast and ovarian cancer."
	span := func(words string) text.Span {
		start := strings.Index(content, words)
		return text.Span{Start: start, End: start + len(words)}
	}
	cancer := []linked.Candidate{{Concept: "D1", Name: "Breast cancer", Probability: .75}}
	doc := &linked.Document{ID: "P1", Text: content, Mentions: []linked.Mention{
		{Span: span("One"), Text: "One"},
		{Span: span("RF"), Text: "RF", Candidates: []linked.Candidate{{Concept: "MESH:D2", Name: "River fever", Probability: 1}},
			Corrected: &text.Correction{By: "ann at home", At: time.Date(2026, 1, 2, 23, 4, 5, 0, time.UTC)}},
		{Span: span("here"), Text: "here", Candidates: []linked.Candidate{{Concept: "MESH:D3", Name: "Here", Score: 2}}},
		{Span: span("breast and ovarian cancer"), Text: "breast and ovarian cancer", Candidates: cancer,
			SubMentions: []linked.SubMention{{Text: "breast cancer", Candidates: cancer}, {Text: "ovarian cancer"}}},
	}}
	var b bytes.Buffer
	w, err := NewWriter(&b, SSSOM)
	if err == nil {
		err = w.Write(NewRecord(&text.Document{ID: "P1", Text: content}), doc)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	const sentence = "A däy of RF  here, breast and ovarian cancer."
	want := []string{
		"One\trdfs literal\tskos:closeMatch\tsssom:NoTermFound\t\tsemapv:CompositeMatching\t\tctxnorm\t\t\tP1\tOne.\t0\t3\t",
		"RF\trdfs literal\tskos:closeMatch\tMESH:D2\tRiver fever\tsemapv:ManualMappingCuration\tann at home\t\t2026-01-02\t1\tP1\t" + sentence + "\t9\t11\t",
		"here\trdfs literal\tskos:closeMatch\tMESH:D3\tHere\tsemapv:UnspecifiedMatching\t\tctxnorm\t\t\tP1\t" + sentence + "\t13\t17\t",
		"breast cancer\trdfs literal\tskos:closeMatch\tdictionary:D1\tBreast cancer\tsemapv:CompositeMatching\t\tctxnorm\t\t0.75\tP1\t\t\t\t",
		"ovarian cancer\trdfs literal\tskos:closeMatch\tsssom:NoTermFound\t\tsemapv:CompositeMatching\t\tctxnorm\t\t\tP1\t\t\t\t",
	}
	var rows []string
	for line := range strings.Lines(b.String()) {
		if !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.TrimSuffix(line, "\n"))
		}
	}
	if diff := cmp.Diff(want, rows[1:]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for path, format := range map[string]Format{"a/links.SSSOM.tsv": SSSOM, "links.tsv": TSV, "sssom": "", "sssom.tsv": TSV} {
		if got := Outputs().OfPath(path); got != format {
			t.Errorf("%s: the format %q, want %q", path, got, format)
		}
	}
}
