package realdata

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
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

// BenchDictionaries returns the dictionaries of a benchmark by name: the real ones if
// there is real data, else a synthetic one of 40,000 names.
func BenchDictionaries(b *testing.B) map[string]*kb.Dictionary {
	b.Helper()
	if os.Getenv(EnvVar) != "" {
		return map[string]*kb.Dictionary{"40k": HalfOfMEDIC(b), "84k": UnionOfMEDIC(b)}
	}
	r := rand.New(rand.NewPCG(1, 1))
	var concepts []kb.Concept
	for i := range 40_000 {
		concepts = append(concepts, kb.Concept{
			ID:   kb.ConceptID(fmt.Sprint("C", i/4)),
			Name: fmt.Sprintf("w%d w%d w%d", r.IntN(2000), r.IntN(2000), r.IntN(9)),
		})
	}
	return map[string]*kb.Dictionary{"synthetic": kb.NewDictionary(concepts)}
}

// BenchTexts returns the texts of a benchmark and their total length in bytes: 1,000
// abstracts if there is real data, else 100 synthetic texts.
func BenchTexts(b *testing.B) (texts []string, size int64) {
	b.Helper()
	if os.Getenv(EnvVar) != "" {
		texts = Abstracts(b, 1000)
	} else {
		r := rand.New(rand.NewPCG(1, 2))
		texts = make([]string, 100)
		for i := range texts {
			for range 200 {
				texts[i] += fmt.Sprintf("w%d ", r.IntN(4000))
			}
		}
	}
	for _, text := range texts {
		size += int64(len(text))
	}
	return texts, size
}
