package contrastive

import (
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

func TestSynonymOf(t *testing.T) {
	a := newSynonymAugmenter([]text.Exemplar{
		text.NameExemplar("Breast Cancer", "A"), text.NameExemplar("breast tumor", "A", "B"), text.NameExemplar("fever", "C"),
	})
	for _, tc := range []struct {
		concept kb.ConceptID
		normal  string
		number  uint64
		want    string
	}{
		{"A", "breast cancer", 0, "breast tumor"},
		{"A", "breast cancer", 7, "breast tumor"}, // the only other name
		{"A", "mastitis", 0, "Breast Cancer"},
		{"A", "mastitis", 3, "breast tumor"},
		{"B", "fever", 1, "breast tumor"},
		{"C", "fever", 0, ""},
		{"D", "fever", 0, ""},
	} {
		got, ok := a.synonymOf(tc.concept, tc.normal, tc.number)
		if got != tc.want || ok != (tc.want != "") {
			t.Errorf("synonym of %s beside %q: got %q, %v, want %q", tc.concept, tc.normal, got, ok, tc.want)
		}
	}
}

// TestBatchWithSynonyms: in the second context of each pair, another name of its concept replaces its mention, if there
// is one.
func TestBatchWithSynonyms(t *testing.T) {
	context := func(before, name string, concept kb.ConceptID) text.Exemplar {
		span := text.Span{Start: len(before), End: len(before) + len(name)}
		m := text.Mention{Span: span, Name: name, Concepts: []kb.ConceptID{concept}}
		doc := &text.Document{Text: before + name, Mentions: []text.Mention{m}}
		return text.Exemplar{Query: text.Query{Document: doc, Mention: m, Sentence: text.Span{End: len(doc.Text)}}}
	}
	c := DefaultConfig()
	c.NameBatchRatio, c.ConceptsPerBatch, c.SynonymReplaceProb = 0, 2, 1
	task := must.Get(NewBioCoM(c, []text.Exemplar{
		context("cough of ", "breast cancer", "A"), context("fever and ", "breast cancer", "A"),
		context("cough with ", "renal failure", "B"), context("a ", "renal failure", "B"),
	}, []text.Exemplar{
		text.NameExemplar("breast cancer", "A"), text.NameExemplar("breast tumor", "A"), text.NameExemplar("renal failure", "B"),
	}))
	b, err := task.Batch(0)
	if err != nil || len(b.Rows) != 4 {
		t.Fatalf("batch %+v, error %v, want four rows", b, err)
	}
	for i, row := range b.Rows {
		want := map[kb.ConceptID][2]string{
			"A": {"breast cancer", "breast tumor"}, "B": {"renal failure", "renal failure"},
		}[row.Label.Concept][i%2]
		if row.Query.Surface() != want || !strings.HasSuffix(row.Query.Text, " "+want) {
			t.Errorf("row %d of %s is %q of %q, want %q", i, row.Label.Concept, row.Query.Surface(), row.Query.Text, want)
		}
	}
}
