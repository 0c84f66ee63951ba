package ctxnorm

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/papers"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// TestRecipeLinkers checks that the linker of every training method is a linking method.
func TestRecipeLinkers(t *testing.T) {
	for _, recipe := range papers.Recipes() {
		if !slices.Contains(papers.MethodNames(nil), recipe.Linker) {
			t.Errorf("%s links with %q, want one of %q", recipe.Name, recipe.Linker, papers.MethodNames(nil))
		}
	}
}

func TestHideDefinitions(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "A", Name: "Alzheimer disease", Synonyms: []string{"AD"}},
		{ID: "E", Name: "atopic dermatitis"}, {ID: "M", Name: "multiple sclerosis"},
	})
	tagger, _, err := NewTagger(t.Context(), dict, Observer{})
	must.Succeed(t, err)
	pair := func(short, long string, records int) corpus.SynonymPairCount {
		return corpus.SynonymPairCount{SynonymPair: corpus.SynonymPair{Kind: "abbreviation", Left: short, Right: long}, Records: records}
	}
	table := mine.NewAbbreviationTable([]corpus.SynonymPairCount{
		pair("AD", "Alzheimer disease", 9), pair("AD", "atopic dermatitis", 5), pair("AD", "axial diffusivity", 3), pair("MS", "multiple sclerosis", 4),
		pair("BP", "blood pressure", 4), pair("BP", "base pairs", 4),
	})
	broken := errors.New("broken")
	texts := func(docs ...string) func(func(*text.Document, error) bool) {
		return func(yield func(*text.Document, error) bool) {
			for _, body := range docs {
				var err error
				if body == "" {
					err = broken
				}
				if !yield(&text.Document{ID: "1", Text: body}, err) {
					return
				}
			}
		}
	}
	long := longFormTagger{tagger, sense.NewNames(t.Context(), dict).Inventory(table, nil)}
	for _, test := range []struct {
		name, body   string
		hidden, long string // empty for none
		concepts     []kb.ConceptID
	}{
		{"a concept", "Atopic dermatitis (AD) itches.", "AD itches.", "Atopic dermatitis", []kb.ConceptID{"E"}},
		{"a sense outside the dictionary", "The axial diffusivity (AD) fell.", "The AD fell.", "axial diffusivity", nil},
		{"one sense", "Multiple sclerosis (MS) is rare.", "", "", nil},
		{"no concept", "The blood pressure (BP) fell.", "", "", nil},
		{"no definition", "AD itches.", "", "", nil},
	} {
		got := must.Get(hideDefinitions(texts(test.body), long, 1))
		if test.hidden == "" {
			must.Equal(t, len(got), 0, test.name)
			continue
		}
		if len(got) != 1 {
			t.Errorf("%s: %d short forms, want 1", test.name, len(got))
			continue
		}
		ex := got[0]
		if ex.Text != test.hidden || ex.Surface() != "AD" || ex.Mention.LongForm != test.long || !slices.Equal(ex.Mention.Concepts, test.concepts) {
			t.Errorf("%s: got %q with %q, %q, %v, want %q with AD, %q, %v", test.name,
				ex.Text, ex.Surface(), ex.Mention.LongForm, ex.Mention.Concepts, test.hidden, test.long, test.concepts)
		}
	}
	_, err = hideDefinitions(texts("AD", ""), long, 1)
	must.FailWith(t, err, broken)
}

func TestHoldOutNames(t *testing.T) {
	var names []text.Exemplar
	for concept := range 1000 {
		for name := range 3 {
			names = append(names, text.NameExemplar(fmt.Sprint(concept, " ", name), kb.ConceptID(fmt.Sprint(concept))))
		}
	}
	training, validation := splitNames(names, 1)
	must.Equal(t, len(training)+len(validation), len(names), len(training), len(validation), "of names")
	// Of 1,000 concepts .02 are 20, with a standard deviation of sqrt(1000 * .02 * .98) = 4.4.
	if n := len(validation); n%3 != 0 || n < 3*7 || n > 3*33 {
		t.Errorf("%d names are held out, want all 3 of about 20 concepts", n)
	}
	trained := make(map[kb.ConceptID]bool)
	for _, ex := range training {
		trained[ex.Mention.Concepts[0]] = true
	}
	for _, ex := range validation {
		if trained[ex.Mention.Concepts[0]] {
			t.Errorf("%s is in both training and validation", ex.Text)
		}
	}
}

// TestHoldOutTooFew checks that nothing is held out if there are only one concept with two names and one with a single
// name, because these cannot be distinguished.
func TestHoldOutTooFew(t *testing.T) {
	names := []text.Exemplar{
		text.NameExemplar("a", "A"), text.NameExemplar("b", "A"), text.NameExemplar("c", "C"),
	}
	for seed := range uint64(200) { // some seeds hold out A, some C, some both
		if training, validation := splitNames(names, seed); len(training) != 3 || validation != nil {
			t.Fatalf("seed %d: %d and %d names, want 3 and none", seed, len(training), len(validation))
		}
	}
}

func TestHoldOutContexts(t *testing.T) {
	var contexts []text.Exemplar
	for pmid := range 2000 {
		for _, name := range []string{"gout", "rickets"} {
			ex := text.NameExemplar(name, kb.ConceptID(name))
			ex.ID = fmt.Sprint(pmid)
			contexts = append(contexts, ex)
		}
	}
	training, validation := splitContexts(contexts, 1)
	seen := make(map[string]bool)
	for _, ex := range training {
		seen[ex.ID] = true
	}
	for _, ex := range validation {
		if seen[ex.ID] {
			t.Errorf("document %s is in both training and validation", ex.ID)
		}
	}
	if len(validation) == 0 || len(validation)%2 != 0 {
		t.Errorf("%d contexts are held out, want both of some documents", len(validation))
	}
}

// TestDropUnnamed: a short form whose long form is not a name stays if each part of the long form is linked with enough
// certainty.
func TestDropUnnamed(t *testing.T) {
	sure, unsure := []linked.Candidate{{Score: .8}}, []linked.Candidate{{Score: .79}}
	parts := func(second []linked.Candidate) linked.Mention {
		return linked.Mention{Candidates: sure, SubMentions: []linked.SubMention{{Candidates: sure}, {Candidates: second}}}
	}
	answers := []linked.Mention{{Candidates: unsure}, {Candidates: sure}, parts(nil), parts(unsure), parts(sure)}
	result, doc := &LinkedDocument{Mentions: slices.Clone(answers)}, &Document{Mentions: make([]text.Mention, len(answers))}
	doc.Mentions[0].Concepts = []kb.ConceptID{"a name"}
	dropUnnamed(result, doc, .8)
	must.Equal(t, result.Mentions, []linked.Mention{answers[0], answers[1], answers[4]})
	must.Equal(t, len(doc.Mentions), 3)
}
