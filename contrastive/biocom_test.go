package contrastive

import (
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// TestBioCoMErrors: exemplars of too few concepts are an error that names their kind.
func TestBioCoMErrors(t *testing.T) {
	names := []text.Exemplar{
		text.NameExemplar("fever", "A"), text.NameExemplar("pyrexia", "A"), text.NameExemplar("cough", "B"), text.NameExemplar("tussis", "B"),
	}
	wrong := DefaultConfig()
	wrong.ConceptsPerBatch = 1
	for _, tc := range []struct {
		config          Config
		contexts, names []text.Exemplar
		want            string
	}{
		{wrong, names, names, "concepts_per_batch is 1, want 2 or more"},
		{DefaultConfig(), nil, names, "contexts: sampler: 0 of 0 concepts"},
		{DefaultConfig(), names, names[:1], "names: sampler: 0 of 1 concepts"},
	} {
		if _, err := NewBioCoM(tc.config, tc.contexts, tc.names); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
}

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
