package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// testRecognize links a name and one that is missing from the dictionary with the library and the trained model.
func testRecognize(t *testing.T, field *fixtures.Field) {
	m := must.Get(ctxnorm.Open(t.Context(), "model", ctxnorm.OpenOptions{}))
	defer m.Close()
	if r := m.Stored().Manifest.Recognizer; r == nil || r.Completeness < .3 || r.Completeness > .7 {
		t.Errorf("the manifest says of the recognizer %+v, want a completeness of about one half", r)
	}
	hidden := field.Hidden[slices.IndexFunc(field.Hidden, func(name string) bool { return len(name) >= 10 })]
	doc := &ctxnorm.Document{ID: "1", Text: "The patients had " + field.Names[0] + " after 3 weeks. The children developed " + hidden + " after 5 weeks."}
	link := func(o ctxnorm.LinkOptions, docs ...*ctxnorm.Document) []*linked.Document {
		return must.Get(m.Link(t.Context(), docs, o))
	}
	recognize := ctxnorm.LinkOptions{Recognize: true}
	got := link(recognize, doc)[0]
	if len(got.Mentions) != 2 || got.Mentions[0].Source != linked.SourceDictionary || got.Mentions[1].Source != linked.SourceRecognized {
		t.Fatalf("mentions %+v, want one of the dictionary and %q recognized", got.Mentions, hidden)
	}
	if s := got.Mentions[1].RecognitionScore; !(s > 0 && s <= 1) || got.Mentions[1].Text != hidden {
		t.Errorf("recognized %q with %g, want %q", got.Mentions[1].Text, s, hidden)
	}
	if c := got.Mentions[1].Candidates; len(c) > 0 && c[0].Probability < .5 {
		t.Errorf("%q is linked to %s with the probability %g, want NIL below one half", hidden, c[0].Concept, c[0].Probability)
	}
	if tagged := link(ctxnorm.LinkOptions{Tag: true}, doc)[0]; len(tagged.Mentions) != 1 || tagged.Mentions[0].Source != "" {
		t.Errorf("without Recognize the mentions are %+v", tagged.Mentions)
	}
	other := &ctxnorm.Document{ID: "2", Text: strings.Repeat("Then the clinic measured "+field.Hidden[1]+". ", 50)}
	must.Equal(t, link(recognize, other, doc)[1], got, "beside an unrelated document")
	if n := len(link(ctxnorm.LinkOptions{Recognize: true, FindMore: 30}, doc)[0].Mentions); n <= 2 {
		t.Errorf("%d mentions with a great bias, want more than 2", n)
	}
	must.Equal(t, len(link(ctxnorm.LinkOptions{Recognize: true, FindMore: -30}, doc)[0].Mentions), 1, "mentions with a small bias")
}

// TestRawText trains on texts of a made-up field of medicine with half of its names, and searches raw texts for the
// other half.
func TestRawText(t *testing.T) {
	must.SkipShort(t)
	t.Chdir(t.TempDir())
	t.Setenv(recognizerVariable, "learned")
	field := fixtures.NewField(220)
	var dictionary, texts, gold strings.Builder
	dictionary.WriteString("id\tname\tparents\n")
	for i := range field.Dictionary.Len() {
		concept := field.Dictionary.At(i)
		fmt.Fprintf(&dictionary, "%s\t%s\t", concept.ID, concept.Name)
		for _, parent := range concept.Parents {
			dictionary.WriteString(string(parent))
		}
		dictionary.WriteString("\n")
	}
	for _, doc := range field.Documents {
		fmt.Fprintf(&texts, `{"id":%q,"text":%q}`+"\n", doc.ID, doc.Text)
	}
	// Each gold document has a name of the dictionary and one that is missing from it, which has no concept.
	for i, hidden := range field.Hidden {
		known := field.Names[i%len(field.Names)]
		start := len("The patients had ")
		second := start + len(known) + len(". The children developed ")
		body := fmt.Sprintf("The patients had %s. The children developed %s after 5 weeks.", known, hidden)
		concept := field.Dictionary.At(2 + i%len(field.Names)).ID // after the two branches
		fmt.Fprintf(&gold, `{"id":"%d","text":%q,"mentions":[{"start":%d,"end":%d,"ids":[%q]},{"start":%d,"end":%d,"ids":[]}]}`+"\n",
			i, body, start, start+len(known), concept, second, second+len(hidden))
	}
	for name, content := range map[string]string{"dictionary.tsv": dictionary.String(), "texts.jsonl": texts.String(), "gold.jsonl": gold.String()} {
		writeFile(t, name, content)
	}
	for _, args := range []string{"build-corpus texts.jsonl", "train --encoder none"} {
		if code, _, stderr := runLine(t, args); code != exitDone {
			t.Fatalf("ctxnorm %s: exit %d: %s", args, code, stderr)
		}
	}
	t.Run("library", func(t *testing.T) { testRecognize(t, field) })

	code, stdout, stderr := runLine(t, "eval --raw --gold gold.jsonl --json")
	if code != exitDone {
		t.Fatalf("eval --raw: exit %d: %s", code, stderr)
	}
	var report eval.RawReport
	must.Succeed(t, json.Unmarshal([]byte(stdout), &report))
	if report.Documents != len(field.Hidden) || report.Mentions != 2*len(field.Hidden) || len(report.Results) != 2 || len(report.Differences) != 4 {
		t.Fatalf("%d documents, %d mentions, %d results, %d differences", report.Documents, report.Mentions, len(report.Results), len(report.Differences))
	}
	recognized, names := report.Results[0].Score(eval.ExactSpans), report.Results[1].Score(eval.ExactSpans)
	if names.Recall.Value != .5 || names.Precision.Value != 1 {
		t.Errorf("the names alone have recall %g and precision %g, want .5 and 1", names.Recall.Value, names.Precision.Value)
	}
	if recognized.Recall.Value < .8 || recognized.Precision.Value < .9 {
		t.Errorf("with the recognizer recall is %g and precision %g", recognized.Recall.Value, recognized.Precision.Value)
	}
	if code, stdout, _ := runLine(t, "eval --raw --gold gold.jsonl"); code != exitDone || !strings.Contains(stdout, "names and recognizer minus names of the dictionary\n\n ") {
		t.Errorf("eval --raw: exit %d:\n%s", code, stdout)
	}

	// Hidden names, with twice the count for the one that occurs twice.
	twice := field.Hidden[0]
	must.Succeed(t, os.WriteFile("more.jsonl", fmt.Appendf(nil, `{"id":"more","text":"The women had %s after 3 weeks."}`+"\n", twice), 0o666))
	code, stdout, stderr = runLine(t, "dict missing --json --limit 0 gold.jsonl more.jsonl")
	if code != exitDone {
		t.Fatalf("dict missing: exit %d: %s", code, stderr)
	}
	var missing []missingWording
	must.Succeed(t, json.Unmarshal([]byte(stdout), &missing))
	if len(missing) < len(field.Hidden)/2 || missing[0].Wording != twice || missing[0].Documents != 2 || missing[0].Mentions != 2 {
		t.Errorf("%d wordings are missing, the first is %+v; want %q in 2 documents first", len(missing), missing[0], twice)
	}
	for _, m := range missing[1:] {
		if m.Documents != 1 || !strings.Contains(m.Sentence, m.Wording) {
			t.Errorf("%+v", m)
		}
	}
	code, stdout, stderr = runLine(t, "dict missing --min-documents 2 gold.jsonl more.jsonl")
	if lines := strings.Split(stdout, "\n"); code != exitDone || len(lines) != 3 || !strings.HasPrefix(lines[1], "2\t2\t"+twice+"\t") {
		t.Errorf("dict missing --min-documents 2: exit %d: %s\n%s", code, stderr, stdout)
	}

	if code, stdout, _ = runLine(t, "inspect"); code != exitDone || !strings.Contains(stdout, `"completeness": `) {
		t.Errorf("inspect: exit %d:\n%s", code, stdout)
	}

	// A model without a recognizer.
	if code, _, stderr := runLine(t, "train --encoder none --recognizer none --model without"); code != exitDone {
		t.Fatalf("train: exit %d: %s", code, stderr)
	}
	if code, _, stderr := runLine(t, "link --recognize --model without --output unlinked.tsv gold.jsonl"); code == exitDone || !strings.Contains(stderr, "hint: --tag") {
		t.Errorf("link --recognize without a recognizer: exit %d: %s", code, stderr)
	}
	_, err := os.Stat("unlinked.tsv.partial")
	must.Fail(t, err, "", "link --recognize without a recognizer has begun a file")
	if code, _, stderr := runLine(t, "dict missing --model without gold.jsonl"); code == exitDone || !strings.Contains(stderr, "the model has no recognizer") {
		t.Errorf("dict missing without a recognizer: exit %d: %s", code, stderr)
	}
}
