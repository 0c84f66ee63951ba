package link

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

// A short form that the text defines is tagged by its definition in all of the text: with the
// concepts of the long form, or with none if the dictionary lacks it.
func TestTagDocumentByDefinition(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "E", Name: "atopic dermatitis"},
		{ID: "A", Name: "Alzheimer disease", Synonyms: []string{"AD"}},
	})
	tagger, _, err := matcher.NewTagger(dict, matcher.DefaultNameFilter())
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string][]string{
		"AD is old.": {"AD=[A] "},
		"Atopic dermatitis (AD) itches. AD is red.":  {"Atopic dermatitis=[E] ", "AD=[E] Atopic dermatitis", "AD=[E] Atopic dermatitis"},
		"An autosomal dominant (AD) trait. AD here.": {"AD=[] autosomal dominant", "AD=[] autosomal dominant"},
	} {
		var got []string
		for _, m := range TagDocument(&text.Document{Text: body}, tagger).Mentions {
			ids := ""
			for _, id := range m.Concepts {
				ids += string(id)
			}
			got = append(got, m.Of(body)+"=["+ids+"] "+m.LongForm)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}
