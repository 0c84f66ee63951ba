package checks

import (
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// TestLanguages measures the tagger's spans and concepts, and linking by strings, on sentences as clinicians write them.
// Forty each in German and French contain accents and umlauts, also omitted or written as two letters, ß and ss,
// inflected forms, and elided articles (l'insuffisance, d’asthme). Tagging misses umlauts written as two letters
// (Herzschwaeche). A hundred in Japanese have concepts of manbyo (ICD-10 codes): abbreviations, composites, variant
// spellings, names of one kanji, and diseases that do not exist.
func TestLanguages(t *testing.T) {
	must.SkipShort(t)
	const japanese = "eval/testdata/japanese_dictionary.tsv"
	for _, test := range []struct {
		name, dictionary, gold      string
		precision, recall, accuracy float64 // lower bounds; an accuracy of 0 skips linking
	}{
		{"german", "eval/testdata/german_dictionary.tsv", "eval/testdata/german.jsonl", 1, .88, 1}, // tagging 40 of 45
		{"french", "eval/testdata/french_dictionary.tsv", "eval/testdata/french.jsonl", 1, 1, 1},   // 45 of 45
		{"japanese", japanese, "eval/testdata/japanese.jsonl", .94, .97, .969},                     // linking 128 of 132
		{"manbyo", "dict/manbyo_ja.csv.gz", "eval/testdata/japanese.jsonl", .80, .91, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.accuracy == 0 {
				test.dictionary = fixtures.RealFile(t, test.dictionary)
			}
			dict, gold := readLanguageGold(t, test.dictionary, test.gold)
			precision, recall := tagGold(t, dict, gold)
			if precision < test.precision || recall < test.recall {
				t.Errorf("precision %.3f, recall %.3f, want at least %v and %v", precision, recall, test.precision, test.recall)
			}
			if test.accuracy == 0 {
				return
			}
			m := ctxnorm.NewDictionaryModel(dict, test.name)
			linker := must.Get(m.Linker(ctxnorm.LinkOptions{}))
			predictions := must.Get(eval.Predict(t.Context(), linker, gold, eval.DictionaryConceptSet(dict), nil))
			policy := must.Get(eval.PolicyByName("strict"))
			accuracy := eval.MetricNamed(eval.NewResult("", predictions, policy, nil, 1).Metrics, "Acc@1")
			if t.Logf("Acc@1 %s", accuracy.Fraction()); accuracy.Value < test.accuracy {
				t.Errorf("Acc@1 %s, want at least %v", accuracy.Fraction(), test.accuracy)
			}
		})
	}
}

// readLanguageGold reads a dictionary, and gold with its concepts.
func readLanguageGold(t *testing.T, dictionary, path string) (*ctxnorm.Dictionary, []eval.GoldMention) {
	dict, _, err := ctxnorm.ReadDictionary(dictionary, ctxnorm.DictionaryOptions{})
	must.Succeed(t, err)
	set := eval.DictionaryConceptSet(dict)
	gold, err := eval.ReadGold([]string{path}, nil, set, files.Limits{})
	if err != nil || len(gold.Malformed) > 0 {
		t.Fatal(err, gold.Malformed)
	}
	return dict, gold.Mentions
}

// tagGold returns the precision and recall of the mentions that [link.TagDocument] finds in the texts of gold mentions.
// A mention is correct if it has the span and concept of a gold mention that is not composite.
func tagGold(t *testing.T, dict *ctxnorm.Dictionary, gold []eval.GoldMention) (precision, recall float64) {
	tagger, _, err := ctxnorm.NewTagger(t.Context(), dict, ctxnorm.Observer{})
	must.Succeed(t, err)
	type place struct {
		id   string
		span text.Span
	}
	want := make(map[place][]kb.ConceptID)
	documents := make(map[string]string)
	for i := range gold {
		q := &gold[i].Query
		documents[q.ID] = q.Text
		if !q.Mention.Composite && gold[i].InSet() {
			want[place{q.ID, q.Mention.Span}] = gold[i].Gold
		}
	}
	right, found := 0, 0
	for id, body := range documents {
		for _, m := range link.TagDocument(&text.Document{ID: id, Text: body}, tagger).Mentions {
			found++
			ids, ok := want[place{id, m.Span}]
			if ok && slices.ContainsFunc(m.Concepts, func(c kb.ConceptID) bool { return slices.Contains(ids, c) }) {
				right++
			} else {
				t.Logf("%s: %s %v is not in the gold", id, m.Of(body), m.Concepts)
			}
			delete(want, place{id, m.Span})
		}
	}
	for at := range want {
		t.Logf("%s: %s is not found", at.id, at.span.Of(documents[at.id]))
	}
	return float64(right) / float64(found), float64(right) / float64(right+len(want))
}
