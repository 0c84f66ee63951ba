package mine

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
)

// newTagger returns a tagger that finds names in any case.
func newTagger(t testing.TB, names ...string) *matcher.Tagger {
	t.Helper()
	var concepts []kb.Concept
	for _, name := range names {
		concepts = append(concepts, kb.Concept{ID: kb.ConceptID("D:" + name), Name: name})
	}
	tagger, _, err := matcher.NewTagger(kb.NewDictionary(concepts), matcher.NameFilter{})
	must.Succeed(t, err)
	return tagger
}

func TestPatternExtractor(t *testing.T) {
	tagger := newTagger(t, "gout", "Wilson disease", "whooping cough", "vomiting", "ataxia", "familial dysautonomia", "cancer", "糖尿病")
	for _, c := range []struct {
		text string
		want string // kind: left = right, joined by "; "
	}{
		// A cue between name and phrase, in both orders.
		{"Gout, also known as podagra, is old.", "also known as: Gout = podagra"},
		{"Podagra, also known as gout, is old.", "also known as: gout = Podagra"},
		{"Gout (also called the podagra) is old.", "also known as: Gout = podagra"},
		{"The king's disease (commonly referred to as gout) is old.", "also known as: gout = king's disease"},
		{"Gout is now commonly called podagra.", "formerly: Gout = podagra"},
		{"Wilson disease (formerly hepatolenticular degeneration) is rare.", "formerly: Wilson disease = hepatolenticular degeneration"},
		{"Hepatolenticular degeneration, now known as Wilson disease.", "formerly: Wilson disease = Hepatolenticular degeneration"},
		{"Gout (aka “the podagra”) hurts.", "also known as: Gout = podagra"},
		{"Gout (synonyms: podagra, arthritis urica) hurts.", "also known as: Gout = podagra"},
		{"Gout [more commonly known as podagra]", "also known as: Gout = podagra"},
		{"糖尿病 (also known as diabetes)", "also known as: 糖尿病 = diabetes"},
		// Brackets.
		{"Patients with gout (uric acid arthritis) came.", "bracket: gout = uric acid arthritis"},
		{"A violent whoop of infants (whooping cough) was common.", "gloss: whooping cough = violent whoop of infants"},
		{"Signs include loss of the balance (ataxia).", "gloss: ataxia = loss of the balance"},
		// Abbreviations, and brackets that contain one.
		{"Wilson disease (WD) is rare.", "abbreviation: WD = Wilson disease; bracket: Wilson disease = WD"},
		{"A left ventricle (LV) was seen.", "abbreviation: LV = left ventricle"},
		// No apposition.
		{"Gout, also seen in horses, hurts.", ""},
		{"Gout, previously described, hurts.", ""},
		{"Gout previously known.", ""},
		{"Nausea and vomiting (sickness) came.", ""},          // the bracket does not belong to vomiting alone
		{"Tophaceous gout, also known as stones, hurts.", ""}, // the mention is the end of a longer name
		{"A form of cancer, also known as carcinoid, grew.", ""},
		{"Problems with coordination (ataxia) came.", ""},
		{"Blood in the small joints (gout) came.", ""},
		{"Hereditary sensory and autonomic neuropathy, also known as familial dysautonomia, is rare.", ""},
		{"Familial dysautonomia, also known as hereditary sensory and autonomic neuropathy.", ""},
		{"f(gout) and gout(x)", ""},
		{"Gout (", ""},
		{"gout, also known as", ""},
		{"Gout (a b c d e f g h i j k l m n)", ""},
		{"also known as gout", ""},
		{"", ""},
	} {
		var got []string
		for _, p := range (PatternExtractor{}).Extract(nil, c.text, abbrev.Find(c.text), tagger.Tag(nil, c.text)) {
			got = append(got, p.Kind+": "+p.Left+" = "+p.Right)
		}
		must.Equal(t, strings.Join(got, "; "), c.want, c.text)
	}
}

func TestExtractAppends(t *testing.T) {
	have := corpus.SynonymPair{Kind: "k", Left: "l", Right: "r"}
	got := PatternExtractor{}.Extract([]corpus.SynonymPair{have}, "Left ventricle (LV)", abbrev.Find("Left ventricle (LV)"), nil)
	want := []corpus.SynonymPair{have, {Kind: kindAbbreviation, Left: "LV", Right: "Left ventricle"}}
	must.Equal(t, got, want)
}

// FuzzPatternExtractor checks for each apposition that its left side is a mention and its right side a trimmed, valid
// and short phrase of the text.
func FuzzPatternExtractor(f *testing.F) {
	tagger := newTagger(f, "gout", "cold sore", "糖尿病")
	for _, text := range []string{
		"Gout, also known as podagra.", "Podagra (formerly gout), or a \"cold sore\", is", "糖尿病 (a.k.a. S. x) gout ( [", "the of gout (the of the)",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		mentions := tagger.Tag(nil, text)
		names := make(map[string]bool)
		for _, m := range mentions {
			names[m.Of(text)] = true
		}
		for _, p := range (PatternExtractor{}).Extract(nil, text, abbrev.Find(text), mentions) {
			if p.Kind == kindAbbreviation {
				continue
			}
			if !names[p.Left] {
				t.Errorf("%q is not a mention: %+v", p.Left, p)
			}
			if p.Right == "" || p.Right != strings.TrimSpace(p.Right) || !strings.Contains(text, p.Right) {
				t.Errorf("%q is not a phrase of the text: %+v", p.Right, p)
			}
			if utf8.ValidString(text) && !utf8.ValidString(p.Right) {
				t.Errorf("%q cuts a character: %+v", p.Right, p)
			}
			if n := len(strings.Fields(p.Right)); n > 2*maxPhraseWords {
				t.Errorf("%d words: %+v", n, p)
			}
		}
	})
}
