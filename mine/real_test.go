package mine

import (
	"encoding/json"
	"testing"

	"ctxnorm"
	"ctxnorm/corpus"
	"ctxnorm/internal/realdata"
	"ctxnorm/matcher"
)

// TestSynonymsReal mines real abstracts for names that half of MEDIC lacks.
func TestSynonymsReal(t *testing.T) {
	var concepts []ctxnorm.Concept
	lines := json.NewDecoder(realdata.Unpack(t, "dict/biocom_half.jsonl.gz"))
	for lines.More() {
		var name string
		var ids []ctxnorm.ConceptID
		if err := lines.Decode(&[]any{&name, &ids}); err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			concepts = append(concepts, ctxnorm.Concept{ID: id, Synonyms: []string{name}})
		}
	}
	d := ctxnorm.NewDictionary(concepts)
	tagger, _, err := matcher.NewTagger(d, matcher.DefaultClean())
	if err != nil {
		t.Fatal(err)
	}
	const documents = 5000
	counts := make(map[corpus.Pair]int)
	kinds := make(map[string]int)
	for _, text := range realdata.Abstracts(t, documents) {
		seen := make(map[corpus.Pair]bool)
		for _, p := range (Finder{}).Mine(nil, text, tagger.Tag(nil, text)) {
			if !seen[p] {
				seen[p] = true
				counts[p]++
				kinds[p.Kind]++
			}
		}
	}
	var pairs []corpus.PairCount
	for p, n := range counts {
		pairs = append(pairs, corpus.PairCount{Pair: p, Records: n})
	}
	table := NewAbbreviationTable(pairs, DefaultAbbreviations())
	synonyms := Synonyms(pairs, d, DefaultSynonyms())
	t.Logf("%d documents: %v; %d short forms in the table, %d synonyms", documents, kinds, table.Len(), len(synonyms))

	// Half of all abstracts define an abbreviation, some of them several.
	if n := kinds[kindAbbreviation]; n < documents/10 || n > 5*documents {
		t.Errorf("%d definitions in %d documents", n, documents)
	}
	if table.Len() < 50 || len(synonyms) < 20 {
		t.Errorf("%d short forms and %d synonyms, want at least 50 and 20", table.Len(), len(synonyms))
	}
	exact := matcher.NewExact(d)
	for i, s := range synonyms {
		if concepts := exact.Lookup(s.Text); len(concepts) > 0 {
			t.Errorf("%+v is already a name of %v", s, concepts)
		}
		if d.Lookup(s.Concept) == nil || s.Count < 1 || s.Source == "" {
			t.Errorf("%+v is incomplete", s)
		}
		if i > 0 && synonyms[i-1].Concept == s.Concept && synonyms[i-1].Text >= s.Text {
			t.Errorf("%+v is out of order", s)
		}
	}
}

func BenchmarkPatternExtractor(b *testing.B) {
	tagger := newTagger(b, "gout", "whooping cough")
	text := "Gout, also known as podagra, and whooping cough (pertussis) were seen. Left ventricular function (LVF) of all was normal. " +
		"Nothing else was of note in these patients, who had been treated for years and had no other complaints at all."
	mentions := tagger.Tag(nil, text)
	var pairs []corpus.Pair
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		pairs = Finder{}.Mine(pairs[:0], text, mentions)
	}
	if len(pairs) == 0 {
		b.Fatal("no pair was found")
	}
}
