package link

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

func organDictionary() *kb.Dictionary {
	return kb.NewDictionary([]kb.Concept{
		{ID: "B", Name: "breast cancer"}, {ID: "O", Name: "ovarian cancer", Synonyms: []string{"cancer of the ovary"}},
		{ID: "H", Name: "head and neck neoplasms", Synonyms: []string{"head and neck cancer"}},
		{ID: "F", Name: "hand, foot and mouth disease"}, {ID: "M", Name: "mouth disease"}, {ID: "N", Name: "neck cancer"},
		{ID: "R", Name: "renal failure"},
	})
}

// resolverOf returns a resolver for mentions of a dictionary's concepts.
func resolverOf(t *testing.T, dict *kb.Dictionary, linker Linker, components Components) *MentionResolver {
	t.Helper()
	m := modelOf(t, dict)
	resolver := must(NewMentionResolver(m, linker, ResolverOptions{Components: components}))
	return resolver
}

func TestSplitComposite(t *testing.T) {
	names := model.NewDictionaryIndexes(organDictionary())
	for _, test := range []struct {
		surface string
		want    []string
	}{
		{"breast and ovarian cancer", []string{"breast cancer", "ovarian cancer"}},
		{"hereditary breast/ovarian cancer", []string{"hereditary breast cancer", "ovarian cancer"}},
		{"head and neck cancers", nil}, // a name in the plural
		{"hand, foot, and mouth disease", nil},
		{"renal failure", nil},
		{"breast cancer, ovarian cancer", []string{"breast cancer", "ovarian cancer"}},
		{"renal failure / breast cancer", []string{"renal failure", "breast cancer"}},
		{"cancer, breast", nil},
		{"renal failure, acute", nil},
		{"qqq and www", nil}, // no name is similar to the whole or its sub-mentions
		{"", nil},
	} {
		got := splitComposite(names, test.surface)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.surface, diff)
		}
	}
}

func TestResolverLinksSubMentions(t *testing.T) {
	dict := organDictionary()
	lexical := stringLinker{model.NewDictionaryIndexes(dict)}
	resolver := resolverOf(t, dict, lexical, ComponentDocumentAbbreviations|ComponentComposites)
	queries := []text.Query{
		linktest.Query(t, "renal failure (RF) and <RF> again"),
		linktest.Query(t, "a case of <breast and ovarian cancer> here"),
		linktest.Query(t, "<head and neck cancer>"),
	}
	answers := must(resolver.LinkMentions(t.Context(), queries, 2))
	type summary struct {
		Resolved    string
		First       kb.ConceptID
		SubMentions []string
	}
	var got []summary
	for _, a := range answers {
		s := summary{Resolved: a.ResolvedText, First: a.Candidates[0].Concept}
		for _, sub := range a.SubMentions {
			s.SubMentions = append(s.SubMentions, sub.Text+"="+string(sub.Candidates[0].Concept))
		}
		got = append(got, s)
	}
	want := []summary{
		{Resolved: "renal failure", First: "R"},
		{First: "B", SubMentions: []string{"breast cancer=B", "ovarian cancer=O"}},
		{First: "H"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// The first candidates of both come before any second one.
	if diff := cmp.Diff([]kb.ConceptID{"B", "O"}, conceptIDs(Ranking{Candidates: answers[1].Candidates})); diff != "" {
		t.Errorf("candidates of the whole (-want +got):\n%s", diff)
	}
	// Without components mentions stay as they are.
	plain := must(resolverOf(t, dict, lexical, 0).LinkMentions(t.Context(), queries, 2))
	for i := range plain {
		if plain[i].ResolvedText != "" || plain[i].SubMentions != nil {
			t.Errorf("%q is resolved to %q with sub-mentions %v", queries[i].Surface(), plain[i].ResolvedText, plain[i].SubMentions)
		}
	}
}

// A sub-mention is linked in the sentence of the whole mention.
func TestSubMentionsKeepTheirSentence(t *testing.T) {
	linker := &recorder{}
	resolver := resolverOf(t, organDictionary(), linker, ComponentComposites)
	if _, err := resolver.Link(t.Context(), []text.Query{linktest.Query(t, "Before. A case of <breast and ovarian cancer> here.")}, 1); err != nil {
		t.Fatal(err)
	}
	want := []string{"A case of breast cancer here.", "A case of ovarian cancer here."}
	if diff := cmp.Diff(want, linker.sentences); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// recorder returns no candidates and records the sentences of its queries.
type recorder struct{ sentences []string }

func (*recorder) Name() string { return "recorder" }

func (r *recorder) Link(_ context.Context, queries []text.Query, _ int) ([]Ranking, error) {
	for i := range queries {
		r.sentences = append(r.sentences, queries[i].Sentence.Of(queries[i].Text))
	}
	return make([]Ranking, len(queries)), nil
}

func TestInterleave(t *testing.T) {
	subMentions := []Ranking{
		{Candidates: []linked.Candidate{
			{Concept: "A", Score: 7, Probability: .5}, {Concept: "B", Score: 6, Probability: .3}, {Concept: "C", Score: 5, Probability: .2},
		}},
		{Candidates: []linked.Candidate{
			{Concept: "D", Score: 2, Probability: .9}, {Concept: "A", Score: 1, Probability: .1},
		}},
		{}, // NIL
	}
	// A .5 - 0, B .3 - 1, C .2 - 2; D .9 - 0, and A's .1 - 1 is less than its .5 - 0.
	want := []linked.Candidate{
		{Concept: "D", Score: .9, Probability: .9}, {Concept: "A", Score: .5, Probability: .5},
		{Concept: "B", Score: -.7, Probability: .3}, {Concept: "C", Score: -1.8, Probability: .2},
	}
	for k := range 6 {
		if diff := cmp.Diff(want[:min(k, 4)], interleave(subMentions, k)); diff != "" {
			t.Errorf("first %d (-want +got):\n%s", k, diff)
		}
	}
	slices.Reverse(subMentions)
	if diff := cmp.Diff(want, interleave(subMentions, 4)); diff != "" {
		t.Errorf("in another order (-want +got):\n%s", diff)
	}
	// Scores count if there are no probabilities.
	cosines := []Ranking{
		{Candidates: []linked.Candidate{{Concept: "A", Score: .4}}},
		{Candidates: []linked.Candidate{{Concept: "B", Score: .8}}},
	}
	if diff := cmp.Diff([]kb.ConceptID{"B", "A"}, conceptIDs(Ranking{Candidates: interleave(cosines, 2)})); diff != "" {
		t.Errorf("cosines (-want +got):\n%s", diff)
	}
}

func TestNamesOfSubMentions(t *testing.T) {
	mentions := []linked.Mention{{
		Text: "RF", ResolvedText: "renal failure", Candidates: []linked.Candidate{{Concept: "R"}},
		SubMentions: []linked.SubMention{{Text: "renal", Candidates: []linked.Candidate{{Concept: "R"}}}, {Text: "failure"}},
	}}
	NameCandidates(mentions, organDictionary())
	named := []linked.Candidate{{Concept: "R", Name: "renal failure", MatchedName: "renal failure"}}
	want := []linked.Mention{{
		Text: "RF", ResolvedText: "renal failure", Candidates: named,
		SubMentions: []linked.SubMention{{Text: "renal", Candidates: named}, {Text: "failure"}},
	}}
	if diff := cmp.Diff(want, mentions); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPlaceholders has what tables have in place of a mention, beside names that look like it.
func TestPlaceholders(t *testing.T) {
	for surface, want := range map[string]bool{
		"n/a": true, "-": true, "5": true, "x": true, "none": true, "Unknown": true, "?": true, "not applicable": true, "1/2": true,
		"NaN": true, "なし": true, "": true, "癌": false, "B12": false, "flu": false, "no pain": false, "IL-6": false,
	} {
		if got := isPlaceholder(surface); got != want {
			t.Errorf("%q: got %v, want %v", surface, got, want)
		}
	}
	dict := kb.NewDictionary([]kb.Concept{{ID: "N", Name: "n/a disease"}, {ID: "K", Name: "K"}, {ID: "MI", Name: "MI"}, {ID: "T", Name: "T5 none"},
		{ID: "NA", Name: "neonatal asphyxia"}})
	linker := stringLinker{model.NewDictionaryIndexes(dict)}
	resolver := resolverOf(t, dict, linker, AllComponents)
	for surface, want := range map[string]kb.ConceptID{"n/a": "", "none": "", "5": "", "k": "K", "MIs": "MI", "n/a disease": "N",
		"neonatal asphyxia (NA) and <NA>": "NA", "neonatal asphyxia and <NA>": "", // as the document defines it
	} {
		query := text.NameExemplar(surface).Query
		if strings.Contains(surface, "<") {
			query = linktest.Query(t, surface)
		}
		mentions := must(resolver.LinkMentions(t.Context(), []text.Query{query}, 1))
		var got kb.ConceptID
		if len(mentions[0].Candidates) > 0 {
			got = mentions[0].Candidates[0].Concept
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", surface, got, want)
		}
	}
}

// definedMentions returns the queries of the mentions that a document marks with < and >. Those of the short form's
// spelling stand for the long form outside the dictionary.
func definedMentions(t *testing.T, short, long string, marked ...string) []text.Query {
	t.Helper()
	doc := new(text.Document)
	for _, m := range marked {
		one := linktest.Query(t, m)
		mention := one.Mention
		mention.Start, mention.End = mention.Start+len(doc.Text), mention.End+len(doc.Text)
		if one.Surface() == short {
			mention.LongForm = long
		}
		doc.Mentions = append(doc.Mentions, mention)
		doc.Text += one.Text + "\n\n"
	}
	return Queries(doc)
}

// TestDefinedOnce: of the mentions of one long form outside the dictionary in a document the first is linked.
func TestDefinedOnce(t *testing.T) {
	a := definedMentions(t, "BP", "belly pain", "the <BP> is", "an <ulcer> is", "a <BP> of", "an <ulcer> is")
	b := definedMentions(t, "BP", "belly pain", "then <BP> was")
	other := definedMentions(t, "BP", "blood pressure", "one <BP> is")
	queries := slices.Concat(a, b, other)
	distinct, of := Distinct(queries)
	var spans []text.Span
	for i := range distinct {
		spans = append(spans, distinct[i].Mention.Span)
	}
	if want := []text.Span{a[0].Mention.Span, a[1].Mention.Span, a[3].Mention.Span, b[0].Mention.Span,
		other[0].Mention.Span}; !slices.Equal(spans, want) {
		t.Errorf("distinct %v, want %v", spans, want)
	}
	if want := []int{0, 1, 0, 2, 3, 4}; !slices.Equal(of, want) {
		t.Errorf("of %v, want %v", of, want)
	}
	known := slices.Clone(a) // a long form that is a name has concepts, and is linked in each sentence
	for i := range known {
		known[i].Mention.Concepts = []kb.ConceptID{"P"}
	}
	if distinct, _ := Distinct(known); len(distinct) != len(known) {
		t.Errorf("of a name %v are distinct, want all", distinct)
	}
}

// TestDefinedShortFormMeansOneThing: every mention of a short form has the result that linking finds where its
// document defines it, and stands where it stands.
func TestDefinedShortFormMeansOneThing(t *testing.T) {
	t.Parallel()
	m, encoder := cascadeModel(t, model.CascadeRow{})
	resolver := cascadeOf(t, m, RankOptions{}, 0)
	queries := definedMentions(t, "BP", "belly pain", "belly pain (<BP>) of an ulcer", "aspirin for <BP>", "sprue with <BP>")
	alone := must(resolver.LinkMentions(t.Context(), queries[:1], 3))
	encoder.encoded = nil
	together := must(resolver.LinkMentions(t.Context(), queries, 3))
	slices.Sort(encoder.encoded)
	if want := []string{"belly pain", "belly pain (belly pain) of an ulcer"}; !slices.Equal(encoder.encoded, want) {
		t.Errorf("encoded %q, want %q", encoder.encoded, want)
	}
	for i := range together {
		want := alone[0]
		want.Span = queries[i].Mention.Span
		if diff := cmp.Diff(want, together[i]); diff != "" {
			t.Errorf("mention %d (-want +got):\n%s", i, diff)
		}
	}
}
