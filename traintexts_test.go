package ctxnorm

import (
	"errors"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

func TestHideDefinitions(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "A", Name: "Alzheimer disease", Synonyms: []string{"AD"}},
		{ID: "E", Name: "atopic dermatitis"},
		{ID: "M", Name: "multiple sclerosis"},
	})
	tagger, _, err := NewTagger(dict, Observer{})
	if err != nil {
		t.Fatal(err)
	}
	pair := func(short, long string, records int) corpus.SynonymPairCount {
		return corpus.SynonymPairCount{SynonymPair: corpus.SynonymPair{Kind: "abbreviation", Left: short, Right: long}, Records: records}
	}
	table := mine.NewAbbreviationTable([]corpus.SynonymPairCount{
		pair("AD", "Alzheimer disease", 9), pair("AD", "atopic dermatitis", 5), pair("AD", "axial diffusivity", 3), pair("MS", "multiple sclerosis", 4),
		pair("BP", "blood pressure", 4), pair("BP", "base pairs", 4),
	}, mine.DefaultAbbreviationOptions())
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
	for _, test := range []struct {
		name, body   string
		hidden, long string // empty for nothing
		concepts     []kb.ConceptID
	}{
		{"a concept", "Atopic dermatitis (AD) itches.", "AD itches.", "Atopic dermatitis", []kb.ConceptID{"E"}},
		{"a sense outside the dictionary", "The axial diffusivity (AD) fell.", "The AD fell.", "axial diffusivity", nil},
		{"one sense", "Multiple sclerosis (MS) is rare.", "", "", nil},
		{"no concept", "The blood pressure (BP) fell.", "", "", nil},
		{"no definition", "AD itches.", "", "", nil},
	} {
		got, err := hideDefinitions(texts(test.body), longFormTagger{tagger, sense.NewInventory(table, dict, nil)}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if test.hidden == "" {
			if len(got) != 0 {
				t.Errorf("%s: got %q, want nothing", test.name, got[0].Text)
			}
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
	if _, err := hideDefinitions(texts("AD", ""), longFormTagger{tagger, sense.NewInventory(table, dict, nil)}, 1); !errors.Is(err, broken) {
		t.Errorf("got %v, want the error of the texts", err)
	}
}
