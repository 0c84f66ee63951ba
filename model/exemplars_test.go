package model

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

func TestNamesMergesCaseVariants(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "B", Name: "DM", Synonyms: []string{"Myotonic Dystrophy"}},
		{ID: "A", Name: "diabetes mellitus", Synonyms: []string{"dm", "Diabetes Mellitus"}},
	})
	type row struct {
		Name     string
		Concepts []kb.ConceptID
	}
	want := []row{
		{"diabetes mellitus", []kb.ConceptID{"A"}},
		{"dm", []kb.ConceptID{"A", "B"}}, // as A, the first by ID, spells it
		{"Myotonic Dystrophy", []kb.ConceptID{"B"}},
	}
	var got []row
	for _, ex := range NameExemplars(dict) {
		if !ex.Bare || ex.Surface() != ex.Text {
			t.Errorf("%q is not a bare name", ex.Text)
		}
		if diff := cmp.Diff(ex.Mention.Concepts, ex.Mentions[0].Concepts); diff != "" {
			t.Errorf("%q: the document's mention has other concepts: %s", ex.Text, diff)
		}
		got = append(got, row{ex.Text, ex.Mention.Concepts})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

// contexts returns n contexts of the given number of concepts. Some have two concepts.
func contexts(n, concepts int) []text.Exemplar {
	made := make([]text.Exemplar, n)
	for i := range made {
		s := fmt.Sprintf("sentence %d", i)
		ids := []kb.ConceptID{kb.ConceptID(fmt.Sprintf("C%d", i%concepts))}
		if i%7 == 0 {
			ids = append(ids, kb.ConceptID(fmt.Sprintf("C%d", concepts+i%3)))
		}
		m := text.Mention{Span: text.Span{Start: 0, End: 8}, Name: "sentence", Concepts: ids}
		doc := &text.Document{ID: fmt.Sprint(1000 + i%97), Text: s, Mentions: []text.Mention{m}}
		made[i] = text.Exemplar{Query: text.Query{Document: doc, Mention: m, Sentence: text.Span{Start: 0, End: len(s)}}}
	}
	return made
}

func TestSampleIsIndependentOfOrder(t *testing.T) {
	all := contexts(500, 11)
	want := samplePerConcept(all, 5, 3)
	perConcept := make(map[kb.ConceptID]int)
	for _, ex := range want {
		for _, concept := range ex.Mention.Concepts {
			perConcept[concept]++
		}
	}
	// 11 concepts with about 45 contexts each and 3 more with about 24: all have at least
	// 5. A context in the sample of one of its concepts counts for the other as well.
	if len(perConcept) != 14 {
		t.Errorf("%d concepts, want 14", len(perConcept))
	}
	for concept, n := range perConcept {
		if n < 5 || n > 5+3*5 {
			t.Errorf("%s has %d contexts", concept, n)
		}
	}
	for seed := range uint64(5) {
		random := rand.New(rand.NewPCG(seed, 0))
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		if diff := cmp.Diff(want, samplePerConcept(all, 5, 3)); diff != "" {
			t.Fatalf("shuffled by %d (-want +got):\n%s", seed, diff)
		}
	}
	if cmp.Equal(want, samplePerConcept(all, 5, 4)) {
		t.Error("the sample is the same for another seed")
	}
}

func TestContextsIgnoresOldMentions(t *testing.T) {
	sentences := iter.Seq2[*text.Document, error](func(yield func(*text.Document, error) bool) {
		old := text.Mention{Span: text.Span{Start: 0, End: 3}, Name: "old"}
		_ = yield(&text.Document{ID: "1", Text: "old gout", Mentions: []text.Mention{old}}, nil) &&
			yield(&text.Document{ID: "2", Text: "nothing here"}, nil)
	})
	tag := func(dst []text.Mention, s string) []text.Mention {
		if s == "old gout" {
			dst = append(dst, text.Mention{Span: text.Span{Start: 4, End: 8}, Name: "gout", Concepts: []kb.ConceptID{"D1"}})
		}
		return dst
	}
	got, err := ContextExemplars(sentences, tag)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Surface() != "gout" || len(got[0].Mentions) != 1 {
		t.Errorf("contexts = %+v, want the one mention of gout", got)
	}
}
