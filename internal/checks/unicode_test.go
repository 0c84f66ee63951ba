package checks

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/kb"
)

// A text in Unicode's form D has the answers of the same text in form C, with the spans of what is written.
func TestDecomposedText(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "1", Name: "Sjögren síndrome"}, {ID: "2", Name: "bréast cáncer"}, {ID: "3", Name: "övarian cancér"},
		{ID: "4", Name: "bréast cancér"}, {ID: "5", Name: "dyströphia myötönica"},
	})
	m, err := ctxnorm.NewDictionaryModel(dict, "d")
	if err != nil {
		t.Fatal(err)
	}
	const text = "Ein é: the Sjögren síndrome (SS) and a bréast and ováriän cáncer. SS is Ängström x\u0323\u0307. A bréast/övarian cancér. The " +
		"dyströphia myötönica (DM), örgan-âdded Übel (ÖÂÜ)."
	for _, tag := range []bool{true, false} {
		documents := func(s string) []*ctxnorm.Document {
			doc := &ctxnorm.Document{ID: "d", Text: s}
			for _, name := range []string{"Sjögren síndrome", "SS", "bréast and ováriän cáncer", "bréast/övarian cancér", "DM", "ÖÂÜ"} {
				name = norm.NFD.String(name)
				if norm.NFC.IsNormalString(s) {
					name = norm.NFC.String(name)
				}
				start := strings.Index(s, name)
				doc.Mentions = append(doc.Mentions, ctxnorm.Mention{Span: ctxnorm.Span{Start: start, End: start + len(name)}})
			}
			return []*ctxnorm.Document{doc}
		}
		var said [2][]string
		for i, s := range []string{norm.NFC.String(text), norm.NFD.String(text)} {
			linked, err := m.Link(t.Context(), documents(s), ctxnorm.LinkOptions{Tag: tag})
			if err != nil {
				t.Fatal(err)
			}
			if linked[0].Text != s {
				t.Errorf("the text is %q, want that which was given", linked[0].Text)
			}
			for _, mention := range linked[0].Mentions {
				if mention.Text != mention.Of(s) {
					t.Errorf("the mention is %q, and its place %q", mention.Text, mention.Of(s))
				}
				says := norm.NFC.String(mention.Text)
				for _, c := range mention.Candidates {
					says += " " + string(c.Concept)
				}
				said[i] = append(said[i], says)
			}
		}
		if diff := cmp.Diff(said[0], said[1]); diff != "" || len(said[0]) < 3 || !slices.ContainsFunc(said[0], func(s string) bool { return strings.HasPrefix(s, "SS 1") }) {
			t.Errorf("tag %t: %q (-form C +form D):\n%s", tag, said[0], diff)
		}
	}
}

// Words of names that a text hyphenates at the end of a line are found, and given, where the text has them.
func TestHyphenatedText(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{{ID: "1", Name: "hypertension"}, {ID: "2", Name: "beta-blocker overdose"}})
	m, err := ctxnorm.NewDictionaryModel(dict, "d")
	if err != nil {
		t.Fatal(err)
	}
	const text = "Hyper-\n  tension after a beta-\nblocker overdose."
	want := []string{"Hyper-\n  tension 1", "beta-\nblocker overdose 2"}
	given := []ctxnorm.Mention{{Span: ctxnorm.Span{Start: 0, End: 16}}, {Span: ctxnorm.Span{Start: 25, End: 47}}}
	for _, tag := range []bool{true, false} {
		doc := &ctxnorm.Document{Text: text, Mentions: given}
		linked, err := m.Link(t.Context(), []*ctxnorm.Document{doc}, ctxnorm.LinkOptions{Tag: tag})
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, mention := range linked[0].Mentions {
			said = append(said, mention.Of(text)+" "+string(mention.Candidates[0].Concept))
		}
		if diff := cmp.Diff(want, said); diff != "" {
			t.Errorf("tag %t: (-want +got)\n%s", tag, diff)
		}
	}
}
