package checks

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/realdata"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// japaneseGold has a hundred sentences as clinicians write them, with the mentions of diseases and
// symptoms and their concepts in manbyo (codes of ICD-10): abbreviations, composites, variant spellings, names of
// one kanji, and diseases that do not exist.
const japaneseGold = "eval/testdata/japanese.jsonl"

// japaneseRecord is the text that the model of the test is made from.
const japaneseRecord = `<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>糖尿病と高血圧の治療。</ArticleTitle>
<Abstract><AbstractText>糖尿病の患者は高血圧を合併しやすい。肺炎の患者に発熱と咳を認めた。胃癌の術後に貧血を認めた。心不全では浮腫がみられる。</AbstractText></Abstract>
</Article></MedlineCitation></PubmedArticle></PubmedArticleSet>`

// TestJapanese compares the spans and concepts that the tagger finds with the gold, and, with the small
// dictionary, links the gold mentions by strings.
func TestJapanese(t *testing.T) {
	t.Run("hand-made dictionary", func(t *testing.T) {
		dictionary := "eval/testdata/japanese_dictionary.tsv"
		dict, gold := readLanguageGold(t, dictionary, japaneseGold)
		checkTagging(t, dict, gold, .94, .97)
		const minAccuracy = .969 // 128 of 132
		predictions, err := eval.Predict(t.Context(), japaneseLinker(t, dict, dictionary), gold, eval.DictionaryConceptSet(dict), nil)
		if err != nil {
			t.Fatal(err)
		}
		policy, err := eval.PolicyByName("strict")
		if err != nil {
			t.Fatal(err)
		}
		accuracy := eval.MetricNamed(eval.NewResult("", predictions, policy, nil, 1).Metrics, "Acc@1")
		if accuracy.Value < minAccuracy {
			t.Errorf("Acc@1 %s, want at least %v", accuracy.Fraction(), minAccuracy)
		}
	})
	t.Run("manbyo", func(t *testing.T) {
		dict, gold := readLanguageGold(t, realdata.File(t, "dict/manbyo_ja.csv.gz"), japaneseGold)
		checkTagging(t, dict, gold, .80, .91)
	})
}

// readLanguageGold reads a dictionary, and gold with its concepts.
func readLanguageGold(t *testing.T, dictionary, path string) (*ctxnorm.Dictionary, []eval.GoldMention) {
	dict, _, err := ctxnorm.ReadDictionary(dictionary, ctxnorm.DictionaryOptions{})
	if err != nil {
		t.Fatal(err)
	}
	set := eval.DictionaryConceptSet(dict)
	gold, err := eval.ReadGold([]string{path}, nil, set, files.Limits{})
	if err != nil || len(gold.Malformed) > 0 {
		t.Fatal(err, gold.Malformed)
	}
	return dict, gold.Mentions
}

// checkTagging compares the figures of tagging with the least that they must be.
func checkTagging(t *testing.T, dict *ctxnorm.Dictionary, gold []eval.GoldMention, minPrecision, minRecall float64) {
	t.Helper()
	precision, recall := tagGold(t, dict, gold)
	t.Logf("precision %.3f, recall %.3f", precision, recall)
	if precision < minPrecision || recall < minRecall {
		t.Errorf("precision %.3f, recall %.3f, want at least %v and %v", precision, recall, minPrecision, minRecall)
	}
}

// japaneseLinker returns a linker by strings of a model of the dictionary.
func japaneseLinker(t *testing.T, dict *ctxnorm.Dictionary, path string) link.Linker {
	dir := t.TempDir()
	file := filepath.Join(dir, "record.xml")
	if err := os.WriteFile(file, []byte(japaneseRecord), 0o666); err != nil {
		t.Fatal(err)
	}
	o := ctxnorm.DefaultTrainOptions()
	o.Dictionary, o.DictionaryPath, o.EncoderKind = dict, path, ctxnorm.NoEncoder
	o.Corpus, o.Model = filepath.Join(dir, "corpus"), filepath.Join(dir, "model")
	_, err := ctxnorm.BuildCorpus(t.Context(), ctxnorm.BuildCorpusOptions{Options: corpus.Options{
		Dir: o.Corpus, Inputs: []string{file}, Dictionary: dict, DictionaryPath: path, Seed: 1,
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := ctxnorm.Train(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	linker, err := openModel(t, o.Model).Linker(ctxnorm.LinkOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return linker
}

// tagGold returns the precision and recall of the mentions that [link.TagDocument] finds in the texts
// of gold mentions: those with the span of a gold mention that is not composite, and its concept.
func tagGold(t *testing.T, dict *ctxnorm.Dictionary, gold []eval.GoldMention) (precision, recall float64) {
	tagger, _, err := ctxnorm.NewTagger(dict, ctxnorm.Observer{})
	if err != nil {
		t.Fatal(err)
	}
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
