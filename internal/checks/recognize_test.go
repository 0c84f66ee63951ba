package checks

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// TestRecognize trains on the raw texts of a made-up field of medicine with half of its names, and links names that are
// missing from the dictionary.
func TestRecognize(t *testing.T) {
	must.SkipShort(t)
	dir := t.TempDir()
	field := fixtures.NewField(220)
	input := filepath.Join(dir, "texts.jsonl")
	f := must.Get(os.Create(input))
	for _, doc := range field.Documents {
		must.Succeed(t, json.NewEncoder(f).Encode(map[string]string{"id": doc.ID, "text": doc.Text}))
	}
	must.Succeed(t, f.Close())
	must.Get(ctxnorm.BuildCorpus(t.Context(), corpus.Options{
		Dir: filepath.Join(dir, "corpus"), Inputs: []string{input}, Dictionary: field.Dictionary, Seed: 1,
	}, ctxnorm.Observer{}))
	o := ctxnorm.DefaultTrainOptions()
	o.Dictionary, o.Corpus, o.Model, o.EncoderKind = field.Dictionary, filepath.Join(dir, "corpus"), filepath.Join(dir, "model"), ctxnorm.NoEncoder
	must.Succeed(t, ctxnorm.Train(t.Context(), o))
	m := openModel(t, o.Model)
	if r := m.Stored().Manifest.Recognizer; r == nil || r.Completeness < .3 || r.Completeness > .7 {
		t.Errorf("the manifest says of the recognizer %+v, want a completeness of about one half", r)
	}
	known, hidden := field.Names[0], field.Hidden[slices.IndexFunc(field.Hidden, func(name string) bool { return len(name) >= 10 })]
	doc := &ctxnorm.Document{ID: "1", Text: "The patients had " + known + " after 3 weeks. The children developed " + hidden + " after 5 weeks."}
	recognize := ctxnorm.LinkOptions{Recognize: true}
	got := linkOne(t, m, recognize, doc)
	if len(got.Mentions) != 2 || got.Mentions[0].Source != linked.SourceDictionary || got.Mentions[1].Source != linked.SourceRecognized {
		t.Fatalf("mentions %+v, want %q of the dictionary and %q recognized", got.Mentions, known, hidden)
	}
	if s := got.Mentions[1].RecognitionScore; !(s > 0 && s <= 1) || got.Mentions[1].Text != hidden {
		t.Errorf("recognized %q with %g, want %q", got.Mentions[1].Text, s, hidden)
	}
	if c := got.Mentions[1].Candidates; len(c) > 0 && c[0].Probability < .5 {
		t.Errorf("%q is linked to %s with the probability %g, want NIL below one half", hidden, c[0].Concept, c[0].Probability)
	}
	if tagged := linkOne(t, m, ctxnorm.LinkOptions{Tag: true}, doc); len(tagged.Mentions) != 1 || tagged.Mentions[0].Source != "" {
		t.Errorf("without Recognize the mentions are %+v", tagged.Mentions)
	}

	// An unrelated document changes nothing.
	other := &ctxnorm.Document{ID: "2", Text: strings.Repeat("Then the clinic measured "+field.Hidden[1]+". ", 50)}
	together := linkAll(t, m, []*ctxnorm.Document{other, doc}, recognize)
	if !reflect.DeepEqual(together[1], got) {
		t.Errorf("beside another document: %+v, alone: %+v", together[1], got)
	}

	// A larger bias finds more.
	more, fewer := recognize, recognize
	more.FindMore, fewer.FindMore = 30, -30
	if n := len(linkOne(t, m, more, doc).Mentions); n <= 2 {
		t.Errorf("%d mentions with a great bias, want more than 2", n)
	}
	must.Equal(t, len(linkOne(t, m, fewer, doc).Mentions), 1, "mentions with a small bias")

	o.NoRecognizer, o.Model = true, filepath.Join(dir, "without")
	must.Succeed(t, ctxnorm.Train(t.Context(), o))
	_, err := openModel(t, o.Model).Link(t.Context(), []*ctxnorm.Document{doc}, recognize)
	must.FailWith(t, err, ctxnorm.ErrNoRecognizer, "without a recognizer")
}
