package model

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/must"
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
		{"dm", []kb.ConceptID{"A", "B"}}, // in the spelling of A, the first by ID
		{"Myotonic Dystrophy", []kb.ConceptID{"B"}},
	}
	var got []row
	for _, ex := range NameExemplars(dict) {
		if !ex.Bare || ex.Surface() != ex.Text {
			t.Errorf("%q is not a bare name", ex.Text)
		}
		must.Equal(t, ex.Mentions[0].Concepts, ex.Mention.Concepts, ex.Text, "concepts of the document's mention")
		got = append(got, row{ex.Text, ex.Mention.Concepts})
	}
	must.Equal(t, got, want, "names")
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
	want := samplePerSense(all, 5, 3)
	perConcept := make(map[kb.ConceptID]int)
	for _, ex := range want {
		for _, concept := range ex.Mention.Concepts {
			perConcept[concept]++
		}
	}
	// 11 concepts with about 45 contexts each and 3 more with about 24: all have at least 5. A context sampled for one
	// of its concepts also counts for the other.
	must.Equal(t, len(perConcept), 14, "concepts")
	for concept, n := range perConcept {
		if n < 5 || n > 5+3*5 {
			t.Errorf("%s has %d contexts", concept, n)
		}
	}
	for seed := range uint64(5) {
		random := rand.New(rand.NewPCG(seed, 0))
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		if diff := cmp.Diff(want, samplePerSense(all, 5, 3)); diff != "" {
			t.Fatalf("shuffled by %d (-want +got):\n%s", seed, diff)
		}
	}
	if cmp.Equal(want, samplePerSense(all, 5, 4)) {
		t.Error("the sample is the same for another seed")
	}
}

// fakeTagger finds names as strings. A long form is a name if it equals one of them.
type fakeTagger map[string]kb.ConceptID

func (t fakeTagger) Tag(dst []text.Mention, s string) []text.Mention {
	for name, id := range t {
		if i := strings.Index(s, name); i >= 0 {
			dst = append(dst, text.Mention{Span: text.Span{Start: i, End: i + len(name)}, Name: name, Concepts: []kb.ConceptID{id}})
		}
	}
	slices.SortFunc(dst, func(a, b text.Mention) int { return a.Start - b.Start })
	return dst
}

func (t fakeTagger) LookupLongForm(long string) (string, []kb.ConceptID) {
	if id, ok := t[long]; ok {
		return long, []kb.ConceptID{id}
	}
	return long, nil
}

// TestContextExemplars keeps the mentions that are tagged by their definition, looks their long forms up again, and
// tags the rest of the sentences again.
func TestContextExemplars(t *testing.T) {
	tagger := fakeTagger{"gout": "D1", "AD": "D2", "eczema": "D3", "MS type 2": "D4"}
	tests := []struct {
		sentence string
		stored   map[string]string // surface -> its long form, or empty
		want     []string          // surface = long form: concepts
	}{
		{"old gout", map[string]string{"old": ""}, []string{"gout = : [D1]"}},
		{"nothing here", nil, nil},
		{"AD and gout", nil, []string{"AD = : [D2]", "gout = : [D1]"}},
		{"AD and gout", map[string]string{"AD": "eczema"}, []string{"AD = eczema: [D3]", "gout = : [D1]"}},
		{"AD and gout", map[string]string{"AD": "axial diffusivity"}, []string{"AD = axial diffusivity: []", "gout = : [D1]"}},
		{"gout in MS type 2", map[string]string{"MS": "eczema"}, []string{"gout = : [D1]", "MS type 2 = : [D4]"}}, // the longer name
		{"no AD", map[string]string{"AD": ""}, []string{"AD = : [D2]"}},
		{"not accepted gout", nil, nil},
	}
	for _, test := range tests {
		doc := &text.Document{ID: "1", Text: test.sentence}
		for surface, long := range test.stored {
			start := strings.Index(test.sentence, surface)
			doc.Mentions = append(doc.Mentions, text.Mention{
				Span: text.Span{Start: start, End: start + len(surface)}, Name: "old", Concepts: []kb.ConceptID{"OLD"}, LongForm: long,
			})
		}
		sentences := func(yield func(*text.Document, error) bool) { yield(doc, nil) }
		accept := func(surface string, concepts []kb.ConceptID) bool {
			if len(concepts) != 1 || tagger[surface] != concepts[0] {
				t.Errorf("%q: asked for %q of %v", test.sentence, surface, concepts)
			}
			return !strings.HasPrefix(test.sentence, "not accepted")
		}
		contexts := must.Get(ContextExemplars(sentences, tagger, accept))
		var got []string
		named := 0
		for i := range contexts {
			ex := &contexts[i]
			got = append(got, fmt.Sprintf("%s = %s: %v", ex.Surface(), ex.Mention.LongForm, ex.Mention.Concepts))
			if !slices.ContainsFunc(ex.Mentions, func(m text.Mention) bool { return cmp.Equal(m, ex.Mention) }) || len(ex.Mentions) != len(contexts) {
				t.Errorf("%q: the document of %s has the mentions %v", test.sentence, got[i], ex.Mentions)
			}
			if len(ex.Mention.Concepts) > 0 {
				named++
			}
		}
		must.Equal(t, got, test.want, test.sentence)
		must.Equal(t, len(WithConcepts(contexts)), named, test.sentence, "exemplars that WithConcepts keeps")
	}
}

// written returns contexts that contain a concept in these spellings.
func written(id kb.ConceptID, surfaces ...string) []text.Exemplar {
	var contexts []text.Exemplar
	for _, surface := range surfaces {
		ex := text.NameExemplar(surface, id)
		ex.Bare = false
		contexts = append(contexts, ex)
	}
	return contexts
}

func TestShownNames(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "D1", Synonyms: []string{"coad", "chronic obstructive pulmonary disease", "copd"}},
		{ID: "D2", Name: "asthma", Synonyms: []string{"bronchial asthma"}}, // has a preferred name
		{ID: "D3", Synonyms: []string{"flu, seasonal", "influenza"}},       // does not occur
		{ID: "D4", Synonyms: []string{"gout", "podagra"}},
		{ID: "D5", Synonyms: []string{"river fever"}}, // occurs in other words
	})
	contexts := written("D1", "COPD", "coad", "COPD", "copd", "chronic obstructive pulmonary disease")
	contexts = append(contexts, written("D2", "bronchial asthma")...)
	contexts = append(contexts, written("D4", "podagra", "gout")...)
	contexts = append(contexts, written("D5", "river fevers")...)
	ambiguous := text.NameExemplar("podagra", "D4", "D1")
	ambiguous.Bare = false
	got := withShownNames(dict, append(contexts, ambiguous))
	for id, want := range map[kb.ConceptID]string{"D1": "COPD", "D2": "asthma", "D3": "influenza", "D4": "gout", "D5": "river fever"} {
		must.Equal(t, got.Lookup(id).PreferredName(), want, id, "shown as")
	}
	must.Equal(t, got.Hash(), dict.Hash(), "the names that mentions are linked by have changed")
	must.Equal(t, got.Fraction(.5, 1).Lookup("D1").PreferredName(), "COPD", "a fraction shows")
}
