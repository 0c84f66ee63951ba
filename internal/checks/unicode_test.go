package checks

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

// TestWrittenForms checks that mentions are found, or linked if they are given, at their positions in the text: in
// Unicode's form D as in form C, and in words hyphenated at the end of a line.
func TestWrittenForms(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "1", Name: "Sjögren síndrome"}, {ID: "2", Name: "bréast cáncer"}, {ID: "3", Name: "övarian cancér"},
		{ID: "4", Name: "bréast cancér"}, {ID: "5", Name: "dyströphia myötönica"}, {ID: "6", Name: "hypertension"}, {ID: "7", Name: "beta-blocker overdose"},
	})
	m := ctxnorm.NewDictionaryModel(dict, "d")
	linkTo := func(s string, mentions []string, tag bool) (said []string) {
		doc := &ctxnorm.Document{ID: "d", Text: s}
		for _, name := range mentions {
			start := strings.Index(s, name)
			doc.Mentions = append(doc.Mentions, ctxnorm.Mention{Span: ctxnorm.Span{Start: start, End: start + len(name)}})
		}
		linked := linkOne(t, m, ctxnorm.LinkOptions{Tag: tag}, doc)
		must.Equal(t, linked.Text, s, "the text")
		for _, mention := range linked.Mentions {
			must.Equal(t, mention.Text, mention.Of(s), "the mention and its place")
			says := norm.NFC.String(mention.Text)
			for _, c := range mention.Candidates {
				says += " " + string(c.Concept)
			}
			said = append(said, says)
		}
		return said
	}
	const text = "Ein é: the Sjögren síndrome (SS) and a bréast and ováriän cáncer. SS is Ängström x\u0323\u0307. A bréast/övarian cancér. The " +
		"dyströphia myötönica (DM), örgan-âdded Übel (ÖÂÜ)."
	mentions := []string{"Sjögren síndrome", "SS", "bréast and ováriän cáncer", "bréast/övarian cancér", "DM", "ÖÂÜ"}
	decomposed := make([]string, len(mentions))
	for i, name := range mentions {
		mentions[i], decomposed[i] = norm.NFC.String(name), norm.NFD.String(name)
	}
	for _, tag := range []bool{true, false} {
		composed := linkTo(norm.NFC.String(text), mentions, tag)
		if diff := cmp.Diff(composed, linkTo(norm.NFD.String(text), decomposed, tag)); diff != "" || len(composed) < 3 || !slices.ContainsFunc(composed, func(s string) bool { return strings.HasPrefix(s+" ", "SS 1 ") }) {
			t.Errorf("tag %t: %q (-form C +form D):\n%s", tag, composed, diff)
		}
		hyphenated := []string{"Hyper-\n  tension", "beta-\nblocker overdose"}
		said := linkTo("Hyper-\n  tension after a beta-\nblocker overdose.", hyphenated, tag)
		must.Equal(t, len(said), len(hyphenated), "tag", tag, said)
		for i, said := range said {
			if want := fmt.Sprint(hyphenated[i], " ", 6+i, " "); !strings.HasPrefix(said+" ", want) {
				t.Errorf("tag %t: %q, want %q", tag, said, want)
			}
		}
	}
}
