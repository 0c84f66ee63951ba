package realdata

import (
	"encoding/json"
	"testing"

	"github.com/ctxnorm/ctxnorm/kb"
)

// HalfOfMEDIC returns a dictionary of half of MEDIC, 39,960 names in lower case. A name of several
// concepts belongs to the first of them only.
func HalfOfMEDIC(t testing.TB) *kb.Dictionary {
	t.Helper()
	var concepts []kb.Concept
	lines := json.NewDecoder(Unpack(t, "dict/biocom_half.jsonl.gz"))
	for lines.More() {
		var name string
		var ids []kb.ConceptID
		if err := lines.Decode(&[]any{&name, &ids}); err != nil {
			t.Fatal(err)
		}
		concepts = append(concepts, kb.Concept{ID: ids[0], Name: name})
	}
	return kb.NewDictionary(concepts)
}

// UnionOfMEDIC returns a dictionary of 83,943 names in lower case.
func UnionOfMEDIC(t testing.TB) *kb.Dictionary {
	t.Helper()
	var names map[kb.ConceptID][]string
	if err := json.NewDecoder(Unpack(t, "dict/medic_union.json.gz")).Decode(&names); err != nil {
		t.Fatal(err)
	}
	var concepts []kb.Concept
	for id, names := range names {
		concepts = append(concepts, kb.Concept{ID: id, Synonyms: names})
	}
	return kb.NewDictionary(concepts)
}

// BenchDictionaries returns the dictionaries of a benchmark by name.
func BenchDictionaries(b *testing.B) map[string]*kb.Dictionary {
	b.Helper()
	return map[string]*kb.Dictionary{"40k": HalfOfMEDIC(b), "84k": UnionOfMEDIC(b)}
}

// BenchTexts returns the texts of a benchmark, 1,000 abstracts, and their total length in bytes.
func BenchTexts(b *testing.B) (texts []string, size int64) {
	b.Helper()
	texts = Abstracts(b, 1000)
	for _, text := range texts {
		size += int64(len(text))
	}
	return texts, size
}
