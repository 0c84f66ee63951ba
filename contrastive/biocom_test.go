package contrastive

import (
	"testing"

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
