package link

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/mine"
	"github.com/ctxnorm/ctxnorm/model"
	"github.com/ctxnorm/ctxnorm/text"
)

func TestDefinedAbbreviations(t *testing.T) {
	s := "We saw coeliac disease (CD). Both CD and rickets followed."
	second := strings.LastIndex(s, "CD")
	rickets := strings.Index(s, "rickets")
	doc := &text.Document{ID: "1", Text: s, Mentions: []text.Mention{
		{Span: text.Span{Start: 7, End: 22}},
		{Span: text.Span{Start: second, End: second + 2}},
		{Span: text.Span{Start: rickets, End: rickets + 7}},
	}}
	expanded := expandAbbreviations(Queries(doc), true, nil)
	q := expanded[1]
	if got, want := q.Text, "We saw coeliac disease (CD). Both coeliac disease and rickets followed."; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	if got, want := q.Sentence.Of(q.Text), "Both coeliac disease and rickets followed."; got != want {
		t.Errorf("sentence %q, want %q", got, want)
	}
	var marks []string
	for _, m := range q.Mentions {
		marks = append(marks, m.Of(q.Text))
	}
	if diff := cmp.Diff([]string{"coeliac disease", "coeliac disease", "rickets"}, marks); diff != "" {
		t.Errorf("mentions (-want +got):\n%s", diff)
	}
	if expanded[0].Document != doc || expanded[2].Document != doc {
		t.Error("a mention without an abbreviation was changed")
	}
}

// shortForms returns abbreviations of a corpus, and a dictionary in which "ms" is a name
// and "hiv" a word of one.
func shortForms(t *testing.T) (*mine.AbbreviationTable, *kb.Dictionary) {
	t.Helper()
	table, err := mine.TableFromEntries([]mine.ShortForm{
		{Short: "CD", Long: []mine.LongForm{{Text: "Crohn's disease", Count: 6, Share: .6}, {Text: "celiac disease", Count: 4, Share: .4}}},
		{Short: "HIV", Long: []mine.LongForm{{Text: "human immunodeficiency virus", Count: 90, Share: .9}}},
		{Short: "II", Long: []mine.LongForm{{Text: "intestinal ischemia", Count: 9, Share: .9}}},
		{Short: "MS", Long: []mine.LongForm{{Text: "multiple sclerosis", Count: 80, Share: .8}, {Text: "mitral stenosis", Count: 9, Share: .1}}},
		{Short: "PA", Long: []mine.LongForm{{Text: "physical activity", Count: 40, Share: .4}, {Text: "pernicious anemia", Count: 2, Share: .1}}},
		{Short: "QT", Long: []mine.LongForm{{Text: "QTc", Count: 9, Share: .9}}},
		{Short: "RA", Long: []mine.LongForm{{Text: "rheumatoid arthritis", Count: 4, Share: 1}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return table, kb.NewDictionary([]kb.Concept{
		{ID: "A", Name: "ms"}, {ID: "B", Name: "hiv infections"}, {ID: "C", Name: "celiac disease"},
	})
}

func TestCorpusAbbreviations(t *testing.T) {
	table, dict := shortForms(t)
	corpus := &corpusAbbreviations{table, model.NewDictionaryIndexes(dict)}
	for _, test := range []struct{ text, want, why string }{
		{"early <CD> was seen", "Crohn's disease", "6 of 10 records define it so"},
		{"early <CDs> were seen", "Crohn's disease", "a plural"},
		{"<CD> is a disease of those with celiac sprue", "celiac disease", "its words are in the text"},
		{"celiac disease (CD) and <CD>", "celiac disease", "the text defines it"},
		{"severe <PA> here", "PA", "no long form has most records"},
		{"<PA> is an anemia that is pernicious", "pernicious anemia", "rare, but its words are in the text"},
		{"severe <RA> here", "RA", "4 records are too few"},
		{"<ms> and MS", "ms", "case counts"},
		{"<MS> here", "MS", "a name of the dictionary"},
		{"<MS> of the mitral valve, a stenosis", "mitral stenosis", "a name, but the text has the words"},
		{"<HIV> here", "human immunodeficiency virus", "a word of names, but the whole mention"},
		{"<HIV infection> here", "HIV infection", "a word of names"},
		{"<advanced CD> here", "advanced Crohn's disease", "no word of names"},
		{"<QT> here", "QT", "QTc is not long enough"},
		{"type <II> here", "II", "a Roman numeral"},
	} {
		q := linktest.Query(t, test.text)
		got := expandAbbreviations([]text.Query{q}, true, corpus)
		if surface := got[0].Surface(); surface != test.want {
			t.Errorf("%q is resolved to %q, want %q: %s", test.text, surface, test.want, test.why)
		}
	}
}

// The definitions of the document and of the corpus each work without the other.
func TestAbbreviationSources(t *testing.T) {
	table, dict := shortForms(t)
	corpus := &corpusAbbreviations{table, model.NewDictionaryIndexes(dict)}
	queries := []text.Query{linktest.Query(t, "<MS>: mitral stenosis (MS)"), linktest.Query(t, "<CD>")}
	for _, test := range []struct {
		defined bool
		corpus  *corpusAbbreviations
		want    []string
	}{
		{false, nil, []string{"MS", "CD"}},
		{true, nil, []string{"mitral stenosis", "CD"}},
		{false, corpus, []string{"mitral stenosis", "Crohn's disease"}}, // its words are in the text
	} {
		var got []string
		for _, q := range expandAbbreviations(queries, test.defined, test.corpus) {
			got = append(got, q.Surface())
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("defined %v, corpus %v (-want +got):\n%s", test.defined, test.corpus != nil, diff)
		}
	}
}
