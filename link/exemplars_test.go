package link

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
)

func TestNamesJoinsCaseVariants(t *testing.T) {
	dict := ctxnorm.NewDictionary([]ctxnorm.Concept{
		{ID: "B", Name: "DM", Synonyms: []string{"Myotonic Dystrophy"}},
		{ID: "A", Name: "diabetes mellitus", Synonyms: []string{"dm", "Diabetes Mellitus"}},
	})
	type row struct {
		Name   string
		Owners []ctxnorm.ConceptID
	}
	want := []row{
		{"diabetes mellitus", []ctxnorm.ConceptID{"A"}},
		{"dm", []ctxnorm.ConceptID{"A", "B"}}, // as A, the first by ID, writes it
		{"Myotonic Dystrophy", []ctxnorm.ConceptID{"B"}},
	}
	var got []row
	for _, ex := range Names(dict) {
		if !ex.Bare || ex.Surface() != ex.Text {
			t.Errorf("%q is no bare name", ex.Text)
		}
		if diff := cmp.Diff(ex.Mention.Concepts, ex.Mentions[0].Concepts); diff != "" {
			t.Errorf("%q: the document's mention has other owners: %s", ex.Text, diff)
		}
		got = append(got, row{ex.Text, ex.Mention.Concepts})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

// contexts makes n contexts over the given number of concepts, some of them with
// two owners.
func contexts(n, concepts int) []ctxnorm.Exemplar {
	made := make([]ctxnorm.Exemplar, n)
	for i := range made {
		text := fmt.Sprintf("sentence %d", i)
		owners := []ctxnorm.ConceptID{ctxnorm.ConceptID(fmt.Sprintf("C%d", i%concepts))}
		if i%7 == 0 {
			owners = append(owners, ctxnorm.ConceptID(fmt.Sprintf("C%d", concepts+i%3)))
		}
		m := ctxnorm.Mention{Span: ctxnorm.Span{Start: 0, End: 8}, Name: "sentence", Concepts: owners}
		doc := &ctxnorm.Document{ID: fmt.Sprint(1000 + i%97), Text: text, Mentions: []ctxnorm.Mention{m}}
		made[i] = ctxnorm.Exemplar{Query: ctxnorm.Query{Document: doc, Mention: m, Sentence: ctxnorm.Span{Start: 0, End: len(text)}}}
	}
	return made
}

func TestSampleIsIndependentOfOrder(t *testing.T) {
	all := contexts(500, 11)
	want := Sample(all, 5, 3)
	perConcept := make(map[ctxnorm.ConceptID]int)
	for _, ex := range want {
		for _, concept := range ex.Mention.Concepts {
			perConcept[concept]++
		}
	}
	// 11 concepts with about 45 contexts each and 3 more with about 24: all have 5
	// to draw, and one drawn for the one owner counts for the other as well.
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
		if diff := cmp.Diff(want, Sample(all, 5, 3)); diff != "" {
			t.Fatalf("shuffled by %d (-want +got):\n%s", seed, diff)
		}
	}
	if cmp.Equal(want, Sample(all, 5, 4)) {
		t.Error("another seed gives the same sample")
	}
}

func TestContextsTagsAgain(t *testing.T) {
	sentences := iter.Seq2[*ctxnorm.Document, error](func(yield func(*ctxnorm.Document, error) bool) {
		old := ctxnorm.Mention{Span: ctxnorm.Span{Start: 0, End: 3}, Name: "old"}
		_ = yield(&ctxnorm.Document{ID: "1", Text: "old gout", Mentions: []ctxnorm.Mention{old}}, nil) &&
			yield(&ctxnorm.Document{ID: "2", Text: "nothing here"}, nil)
	})
	tag := func(dst []ctxnorm.Mention, text string) []ctxnorm.Mention {
		if text == "old gout" {
			dst = append(dst, ctxnorm.Mention{Span: ctxnorm.Span{Start: 4, End: 8}, Name: "gout", Concepts: []ctxnorm.ConceptID{"D1"}})
		}
		return dst
	}
	got, err := Contexts(sentences, tag)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Surface() != "gout" || len(got[0].Mentions) != 1 {
		t.Errorf("contexts = %+v, want the one mention of gout", got)
	}
}
