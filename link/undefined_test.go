package link

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
	"ctxnorm/mine"
)

// shortForms is a table, and the dictionary beside it has "ms" for a name and "hiv"
// for a word of one.
func shortForms(t *testing.T) (*mine.AbbreviationTable, *ctxnorm.Dictionary) {
	t.Helper()
	table, err := mine.TableOf([]mine.ShortForm{
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
	return table, ctxnorm.NewDictionary([]ctxnorm.Concept{
		{ID: "A", Name: "ms"}, {ID: "B", Name: "hiv infections"}, {ID: "C", Name: "celiac disease"},
	})
}

func TestUndefinedAbbreviations(t *testing.T) {
	table, dict := shortForms(t)
	undefined := newCorpusAbbreviations(table, dict)
	for _, test := range []struct{ text, want, why string }{
		{"early <CD> was seen", "Crohn's disease", "6 of 10 records say so"},
		{"early <CDs> were seen", "Crohn's disease", "a plural"},
		{"<CD> is a disease of those with celiac sprue", "celiac disease", "its words stand in the text"},
		{"celiac disease (CD) and <CD>", "celiac disease", "the text defines it"},
		{"severe <PA> here", "PA", "no long form is in most records"},
		{"<PA> is an anemia that is pernicious", "pernicious anemia", "rare, but its words stand in the text"},
		{"severe <RA> here", "RA", "4 records are too few"},
		{"<ms> and MS", "ms", "case counts"},
		{"<MS> here", "MS", "the dictionary has it for a name"},
		{"<MS> of the mitral valve, a stenosis", "mitral stenosis", "a name, but the text has the words"},
		{"<HIV> here", "human immunodeficiency virus", "a word of names, but the whole mention"},
		{"<HIV infection> here", "HIV infection", "a word of names"},
		{"<advanced CD> here", "advanced Crohn's disease", "no word of names"},
		{"<QT> here", "QT", "QTc is no long form"},
		{"type <II> here", "II", "a number"},
	} {
		q := query(t, test.text)
		got := expandAbbreviations([]ctxnorm.Query{q}, true, undefined)
		if surface := got[0].Surface(); surface != test.want {
			t.Errorf("%q is read as %q, want %q: %s", test.text, surface, test.want, test.why)
		}
	}
}

// The document's definitions and the corpus's are read each without the other.
func TestDefinitionsApart(t *testing.T) {
	table, dict := shortForms(t)
	known := newCorpusAbbreviations(table, dict)
	queries := []ctxnorm.Query{query(t, "<MS>: mitral stenosis (MS)"), query(t, "<CD>")}
	for _, test := range []struct {
		defined bool
		table   *corpusAbbreviations
		want    []string
	}{
		{false, nil, []string{"MS", "CD"}},
		{true, nil, []string{"mitral stenosis", "CD"}},
		{false, known, []string{"mitral stenosis", "Crohn's disease"}}, // its words stand in the text
	} {
		var got []string
		for _, q := range expandAbbreviations(queries, test.defined, test.table) {
			got = append(got, q.Surface())
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("defined %v, table %v (-want +got):\n%s", test.defined, test.table != nil, diff)
		}
	}
}

func TestAbbreviationsInAModel(t *testing.T) {
	table, _ := shortForms(t)
	build := func() string { return buildGutWith(t, nil, func(o *BuildOptions) { o.Abbreviations = table }) }
	dir := build()
	if diff := cmp.Diff(table.Entries(), open(t, dir, nil).Abbreviations.Entries()); diff != "" {
		t.Errorf("written and read (-want +got):\n%s", diff)
	}
	path := filepath.Join(dir, filepath.FromSlash(abbreviationsFile))
	first, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	second, err := os.ReadFile(filepath.Join(build(), filepath.FromSlash(abbreviationsFile)))
	if err != nil {
		t.Fatal(err)
	}
	if string(first) != string(second) {
		t.Error("built twice, the files differ")
	}
	if n := open(t, buildGut(t, nil), nil).Abbreviations.Len(); n != 0 {
		t.Errorf("%d short forms in a model without, want none", n)
	}
	for _, damage := range []struct{ content, reason string }{
		{`{"short":"A","long":[{"text":"b","count":1,"share":1}]}` + "\n" + `{"short":`, "short form 2: unexpected EOF"},
		{`{"short":"A","long":[]}`, `short form 1, "A", has no long form`},
		{`{"short":"B","long":[{}]}{"short":"A","long":[{}]}`, `short form 2, "A", comes after "B"`},
	} {
		if err := os.WriteFile(path, []byte(damage.content), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadAbbreviations(dir); err == nil || err.Error() != path+": "+damage.reason {
			t.Errorf("%s: %v, want %s", damage.content, err, damage.reason)
		}
		if _, err := Open(dir, nil); err == nil || !strings.Contains(err.Error(), "abbreviations.jsonl") {
			t.Errorf("Open with %s: %v, want an error that names the file", damage.content, err)
		}
	}
}

// A model of version 1 is read: it has no abbreviations.
func TestFormat1IsRead(t *testing.T) {
	dir := buildGut(t, nil)
	path := filepath.Join(dir, manifestFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	old := strings.Replace(string(data), `"format": 2`, `"format": 1`, 1)
	if old == string(data) {
		t.Fatal("the manifest does not say format 2")
	}
	if err := os.WriteFile(path, []byte(old), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := open(t, dir, nil).Manifest.Format; got != 1 {
		t.Errorf("format %d, want 1", got)
	}
}
