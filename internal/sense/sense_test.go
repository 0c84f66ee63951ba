package sense

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/lsa"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

func inventory(t *testing.T) *Inventory {
	t.Helper()
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "D:1", Name: "Alzheimer disease", Synonyms: []string{"AD"}},
		{ID: "D:2", Name: "atopic dermatitis"},
		{ID: "D:3", Name: "stenosis, mitral"},
		{ID: "D:4", Name: "Marfan syndrome"},
		{ID: "D:5", Name: "multiple sclerosis"},
		{ID: "D:6", Name: "ataxia"},
	})
	table := mine.AbbreviationTable{
		{Short: "AD", Long: []mine.LongForm{
			{Text: "Alzheimer's disease", Count: 9}, {Text: "axial diffusivity", Count: 4}, {Text: "dermatitis, atopic", Count: 3},
			{Text: "Axial-diffusivities", Count: 2}, {Text: "Alzheimer disease", Count: 2},
		}},
		{Short: "MEN 2", Long: []mine.LongForm{{Text: "multiple endocrine neoplasia", Count: 3}}},
		{Short: "MS", Long: []mine.LongForm{{Text: "mass spectrometry", Count: 5}, {Text: "multiple sclerosis", Count: 5}}},
	}
	return NewNames(t.Context(), dict).Inventory(table, nil)
}

func TestSenses(t *testing.T) {
	x := inventory(t)
	for _, test := range []struct {
		form string
		want []Sense
	}{
		{"AD", []Sense{
			{LongForm: "Alzheimer's disease", Concepts: []kb.ConceptID{"D:1"}, Records: 11, OwnName: true, HasInitials: true}, {LongForm: "axial diffusivity", Records: 6}, {LongForm: "dermatitis, atopic", Concepts: []kb.ConceptID{"D:2"}, Records: 3, HasInitials: true},
		}},
		{"MSs", []Sense{ // a plural; mitral stenosis and Marfan syndrome match by their initials
			{LongForm: "mass spectrometry", Records: 5}, {LongForm: "multiple sclerosis", Concepts: []kb.ConceptID{"D:5"}, Records: 5, HasInitials: true},
			{LongForm: "stenosis, mitral", Concepts: []kb.ConceptID{"D:3"}, HasInitials: true}, {LongForm: "Marfan syndrome", Concepts: []kb.ConceptID{"D:4"}, HasInitials: true},
		}},
		{"SM", nil}, // "stenosis, mitral" is mitral stenosis, and initials alone are not enough
		{"MEN\n 2", []Sense{{LongForm: "multiple endocrine neoplasia", Records: 3}}}, // across the end of a line
		{"ataxia", nil}, // not a short form
		{"XY", nil},
	} {
		must.Equal(t, x.Senses(test.form), test.want, test.form)
	}
}

// A long form that is not a name means the only concept of the short form with names that contain all of its words.
func TestResembledConcept(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "P", Name: "paralysis agitans", Synonyms: []string{"PD", "Parkinson disease, idiopathic"}},
		{ID: "A", Name: "myeloid leukemia, acute", Synonyms: []string{"acute myelocytic leukemia"}},
		{ID: "M", Name: "acute monocytic leukemia"},
		{ID: "S", Name: "multiple sclerosis"},
	})
	table := mine.AbbreviationTable{
		{Short: "AML", Long: []mine.LongForm{{Text: "acute leukemia", Count: 4}, {Text: "anterior mitral leaflet", Count: 2}}}, // A or M
		{Short: "MEN 2", Long: []mine.LongForm{{Text: "multiple endocrine neoplasia", Count: 3}}},
		{Short: "MS", Long: []mine.LongForm{{Text: "metabolic syndrome", Count: 2}}},
		{Short: "PD", Long: []mine.LongForm{{Text: "Parkinson's disease", Count: 9}, {Text: "peritoneal dialysis", Count: 5}, {Text: "idiopathic paralysis agitans", Count: 1}}},
	}
	x := NewNames(t.Context(), dict).Inventory(table, nil)
	for _, test := range []struct {
		form, long string
		want       []kb.ConceptID
	}{
		{"PD", "Parkinson's disease", []kb.ConceptID{"P"}},
		{"PD", "idiopathic paralysis agitans", []kb.ConceptID{"P"}},
		{"PD", "peritoneal dialysis", nil},
		{"AML", "acute leukemia", nil},
		{"MS", "metabolic syndrome", nil},
		{"MS", "multiple sclerosis", []kb.ConceptID{"S"}}, // a name
		{"XX", "Parkinson's disease", nil},
	} {
		must.Equal(t, x.Means(test.form, test.long), test.want, test.form, test.long, "means")
	}
	first := x.Senses("PD")[0]
	if first.Records != 10 || !first.IsOf(&text.Mention{LongForm: "Parkinson's disease"}) || !first.IsOf(&text.Mention{LongForm: "idiopathic paralysis agitans"}) ||
		!first.IsOf(&text.Mention{LongForm: "PD", Concepts: []kb.ConceptID{"P"}}) || first.IsOf(&text.Mention{LongForm: "peritoneal dialysis"}) {
		t.Errorf("the first sense of PD is %+v, want that of 10 records and both long forms", first)
	}
	if got := x.Senses("PD")[1]; got.LongForm != "peritoneal dialysis" || len(got.Concepts) > 0 {
		t.Errorf("the second sense of PD is %+v, want peritoneal dialysis, outside the dictionary", got)
	}
}

func TestIsShortFormOf(t *testing.T) {
	x := inventory(t)
	for _, test := range []struct {
		form    string
		concept kb.ConceptID
		want    bool
	}{
		{"AD", "D:1", true}, // defined
		{"MS", "D:3", true}, // initials of "stenosis, mitral"
		{"AD", "D:3", false},
		{"ad", "D:1", false}, // not a short form
		{"ATAXIA", "D:6", false},
	} {
		must.Equal(t, x.IsShortFormOf(test.form, test.concept), test.want, "IsShortFormOf", test.form, test.concept)
	}
}

func TestMayMean(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "ECZ", Name: "eczema", Synonyms: []string{"atopic dermatitis"}},
		{ID: "CEL", Name: "celiac disease"}, {ID: "CRO", Name: "Crohn disease"}, {ID: "ALZ", Name: "Alzheimer disease"},
	})
	x := NewNames(t.Context(), dict).Inventory(mine.AbbreviationTable{
		{Short: "AD", Long: []mine.LongForm{{Text: "Alzheimer diseases", Count: 96}, {Text: "axial diffusivity", Count: 4}, {Text: "atopic dermatitis", Count: 1}}},
		{Short: "CD", Long: []mine.LongForm{{Text: "celiac disease", Count: 94}, {Text: "Crohn disease", Count: 6}}},
		{Short: "RD", Long: []mine.LongForm{{Text: "rare difference", Count: 2}}},
		{Short: "XD", Long: []mine.LongForm{{Text: "x-ray diffraction", Count: 2}, {Text: "Crohn disease", Count: 1}}},
	}, nil)
	for _, test := range []struct {
		form     string
		concepts []kb.ConceptID
		want     bool
	}{
		{"AD", []kb.ConceptID{"ALZ"}, true}, // 96 of 101, 95.05 %
		{"ADs", []kb.ConceptID{"ALZ"}, true},
		{"AD", []kb.ConceptID{"ECZ"}, false},
		{"CD", []kb.ConceptID{"CEL"}, false},       // 94 %
		{"CD", []kb.ConceptID{"CEL", "CRO"}, true}, // one of the two
		{"RD", []kb.ConceptID{"ECZ"}, true},        // two records are too few
		{"XD", []kb.ConceptID{"CRO"}, false},       // three are enough
		{"ZD", []kb.ConceptID{"CRO"}, true},        // not defined
		{"cd", []kb.ConceptID{"CEL"}, true},        // not a short form
	} {
		must.Equal(t, x.MayMean(test.form, test.concepts), test.want, "MayMean", test.form, test.concepts)
	}
}

// Of four contexts two have "skin" and one "itch". "tattoo" is in none and counts as rare as "itch".
func TestOverlap(t *testing.T) {
	p := NewProfiles(ContextsOf([]text.Exemplar{exemplar("1", "AD skin", ""), exemplar("2", "AD skin itch", ""), exemplar("3", "AD brain", ""), exemplar("4", "AD brain", "")}), nil, nil)
	skin, rare := math.Log(5./2), math.Log(5.)
	for _, test := range []struct {
		name, document string
		want           float64
	}{
		{"skin itch", "the skin", skin / (skin + rare)},
		{"skin tattoo", "a tattoo", rare / (skin + rare)},
		{"skin itch", "an itch of the skin", 1},
		{"skin itch", "brain", 0},
		{"of the", "skin", 0},
	} {
		if got := p.Overlap(normalize.ContentWords(test.name), normalize.ContentWords(test.document)); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("Overlap(%q, %q) = %g, want %g", test.name, test.document, got, test.want)
		}
	}
}

// exemplar returns an exemplar whose mention is the first word of a sentence.
func exemplar(id, sentence, long string, concepts ...kb.ConceptID) text.Exemplar {
	word, _, _ := strings.Cut(sentence, " ")
	m := text.Mention{Span: text.Span{Start: 0, End: len(word)}, LongForm: long, Concepts: concepts}
	doc := &text.Document{ID: id, Text: sentence, Mentions: []text.Mention{m}}
	return text.Exemplar{Query: text.Query{Document: doc, Mention: m, Sentence: text.Span{Start: 0, End: len(sentence)}}}
}

// TestProfilesAgainstDullCounts compares the scores with sums over all exemplars, for random exemplars of few words,
// with some of them excluded and with none.
func TestProfilesAgainstDullCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	vocabulary := strings.Fields("skin itch brain memory valve fever scan axon tract child rash joint pulse sleep")
	space := randomSpace(t, r, vocabulary)
	for round := range 200 {
		var exemplars []text.Exemplar
		var vectors [][]float32
		for i := range 2 + r.IntN(12) {
			sentence := "AD"
			for range 1 + r.IntN(5) {
				sentence += " " + vocabulary[r.IntN(len(vocabulary))]
			}
			switch id := strconv.Itoa(i / 2); r.IntN(3) {
			case 0:
				exemplars = append(exemplars, exemplar(id, sentence, "Alzheimer disease", "D:1"))
			case 1:
				exemplars = append(exemplars, exemplar(id, sentence, "atopic dermatitis", "D:2"))
			default:
				exemplars = append(exemplars, exemplar(id, sentence, []string{"axial diffusivity", "Axial Diffusivities"}[r.IntN(2)]))
			}
			vectors = append(vectors, unit(r, 4))
		}
		vectorOf := func(row int) []float32 { return vectors[row] }
		cut := r.IntN(len(exemplars))
		p := NewProfiles(ContextsOf(exemplars[:cut]), vectorOf, space).Extend(ContextsOf(exemplars[cut:]), vectorOf)
		latent := make([][]float32, len(exemplars))
		for row := range latent {
			latent[row] = space.Vector(ContextWords(&exemplars[row].Query))
		}
		var rows []int32 // excluded
		for row := range exemplars {
			if r.IntN(4) == 0 {
				rows = append(rows, int32(row))
			}
		}
		query := normalize.ContentWords(strings.Join(vocabulary[:1+r.IntN(len(vocabulary)-1)], " "))
		vector, latentVector := unit(r, 4), space.Vector(query)
		for _, excluded := range [][]int32{nil, rows} {
			isExcluded := func(row int) bool { return slices.Contains(excluded, int32(row)) }
			for _, s := range []Sense{{Concepts: []kb.ConceptID{"D:1"}}, {Concepts: []kb.ConceptID{"D:2"}}, {LongForm: "axial diffusivity"}} {
				d, ofWords := dullProfile{exemplars, vectors}, dullProfile{exemplars, latent}
				key := s.Keys()[0]
				if got, want := p.WordScore(key, p.Numbers(query), excluded), d.wordScore(&s, query, isExcluded); math.Abs(got-want) > 1e-9 {
					t.Fatalf("round %d, %v: word score %g, want %g", round, s, got, want)
				}
				if got, want := p.CentroidScore(Encoded, key, vector, excluded), d.centroidScore(&s, vector, isExcluded); math.Abs(got-want) > 1e-5 {
					t.Fatalf("round %d, %v: centroid score %g, want %g", round, s, got, want)
				}
				if got, want := p.CentroidScore(Latent, key, latentVector, excluded), ofWords.centroidScore(&s, latentVector, isExcluded); math.Abs(got-want) > 1e-5 {
					t.Fatalf("round %d, %v: centroid score of words %g, want %g", round, s, got, want)
				}
			}
		}
	}
}

// randomSpace returns a latent space of the words, built from random texts.
func randomSpace(t *testing.T, r *rand.Rand, vocabulary []string) *lsa.Space {
	t.Helper()
	texts := func(yield func([]string, error) bool) {
		for range 60 {
			var words []string
			for _, word := range vocabulary {
				if r.IntN(4) == 0 {
					words = append(words, normalize.ContentWords(word)...)
				}
			}
			if !yield(words, nil) {
				return
			}
		}
	}
	space, err := lsa.Train(context.Background(), texts, 4, 1, 1)
	if err != nil || space == nil {
		t.Fatal(space, err)
	}
	return space
}

func unit(r *rand.Rand, dim int) []float32 {
	x := make([]float32, dim)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	length := norm(x)
	for i := range x {
		x[i] /= length
	}
	return x
}

// dullProfile computes the results of Profiles by their definition.
type dullProfile struct {
	exemplars []text.Exemplar
	vectors   [][]float32
}

func (d *dullProfile) is(row int, s *Sense) bool {
	m := &d.exemplars[row].Mention
	if len(s.Concepts) > 0 {
		return slices.Equal(m.Concepts, s.Concepts)
	}
	return len(m.Concepts) == 0 && strings.EqualFold(m.LongForm[:10], s.LongForm[:10])
}

func (d *dullProfile) wordScore(s *Sense, words []string, excluded func(int) bool) float64 {
	sum, n := 0.0, 0
	for _, word := range words {
		all, allWith, own, ownWith := 0., 0., 0., 0.
		for row := range d.exemplars {
			has := 0.
			if slices.Contains(normalize.ContentWords(d.exemplars[row].Text), word) {
				has = 1
			}
			all, allWith = all+1, allWith+has
			if d.is(row, s) && !excluded(row) {
				own, ownWith = own+1, ownWith+has
			}
		}
		if own == 0 {
			return 0
		}
		if allWith == 0 {
			continue
		}
		n++
		p := allWith / all
		sum += math.Log((.3*ownWith/own + .7*p) / p)
	}
	if n == 0 {
		return 0
	}
	return sum / math.Sqrt(float64(n))
}

// centroid returns the unit centroid of a sense, or nil if it has no exemplars.
func (d *dullProfile) centroid(s *Sense, excluded func(int) bool) []float64 {
	sum, n := make([]float64, len(d.vectors[0])), 0
	for row := range d.exemplars {
		if d.is(row, s) && !excluded(row) {
			n++
			for i, x := range d.vectors[row] {
				sum[i] += float64(x)
			}
		}
	}
	if n == 0 {
		return nil
	}
	length := 0.
	for _, x := range sum {
		length += x * x
	}
	for i := range sum {
		sum[i] /= math.Sqrt(length)
	}
	return sum
}

func (d *dullProfile) centroidScore(s *Sense, vector []float32, excluded func(int) bool) float64 {
	own := d.centroid(s, excluded)
	if own == nil {
		return 0
	}
	mean, n := 0., 0.
	for _, other := range []Sense{{Concepts: []kb.ConceptID{"D:1"}}, {Concepts: []kb.ConceptID{"D:2"}}, {LongForm: "axial diffusivity"}} {
		if c := d.centroid(&other, func(int) bool { return false }); c != nil {
			n++
			mean += cosine(c, vector)
		}
	}
	return cosine(own, vector) - mean/n
}

func cosine(a []float64, b []float32) float64 {
	sum := 0.
	for i := range a {
		sum += a[i] * float64(b[i])
	}
	return sum
}

func TestContextWords(t *testing.T) {
	ex := exemplar("1", "ADs of the children itch. Another sentence.", "", "D:2")
	ex.Sentence.End = len("ADs of the children itch.")
	must.Equal(t, ContextWords(&ex.Query), normalize.ContentWords("children itch"), "sentence")
	must.Equal(t, NewDocuments().WordsAround(&ex.Query), normalize.ContentWords("children itch another sentence"),
		"document")
}

// TestSynonymsOfInventory checks that a long form that is a synonym means the concept of the synonym.
func TestSynonymsOfInventory(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{{ID: "D:1", Name: "idiopathic Parkinson's disease"}, {ID: "D:2", Name: "parkinsonian diseases"}})
	table := mine.AbbreviationTable{{Short: "PD", Long: []mine.LongForm{{Text: "Parkinson's disease", Count: 9}}}}
	synonyms := []mine.Synonym{{Concept: "D:1", Text: "Parkinson disease"}, {Concept: "D:1", Text: "IPD"}, {Concept: "D:3", Text: "Parkinson disease"}}
	x := NewNames(t.Context(), dict).Inventory(table, synonyms)
	want := []Sense{
		{LongForm: "Parkinson's disease", Concepts: []kb.ConceptID{"D:1"}, Records: 9},
		{LongForm: "parkinsonian diseases", Concepts: []kb.ConceptID{"D:2"}, HasInitials: true},
	}
	must.Equal(t, x.Senses("PD"), want, "senses of PD")
	if senses := x.Senses("IPD"); senses != nil {
		t.Errorf("a short form among the synonyms has the senses %v, want those of the table alone", senses)
	}
}

// TestWordsAround compares the words around a mention with the expected ones.
func TestWordsAround(t *testing.T) {
	for _, tc := range []struct{ text, mention, as, want string }{
		{"severe asthma in children", "asthma", "", "children sever"},
		{"asthma, and asthma in children", "asthma", "", "children"},                    // without the same word elsewhere
		{"AD in children with eczema", "AD", "atopic dermatitis", "children eczem"},     // without the short form
		{"AD in children; eczema (AD)", "AD", "atopic dermatitis", "ad children eczem"}, // but with the short form if it occurs twice
		{"AD in children with dermatitis", "AD", "atopic dermatitis", "children"},       // without the words of the long form
		{"of the AD", "AD", "atopic dermatitis", ""},
	} {
		start := strings.Index(tc.text, tc.mention)
		m := text.Mention{Span: text.Span{Start: start, End: start + len(tc.mention)}}
		doc := &text.Document{Text: tc.text, Mentions: []text.Mention{m}}
		q := text.Query{Document: doc, Mention: m, Sentence: text.Span{End: len(tc.text)}}
		if tc.as != "" {
			q = q.WithSurface(tc.as)
		}
		must.Equal(t, NewDocuments().WordsAround(&q), strings.Fields(tc.want), tc.mention, tc.text, "as", tc.as)
	}
}

func TestEnglish(t *testing.T) {
	for _, word := range []string{"thrush", "Thrush", "thrushes", "stroke"} {
		if senses := English(word); len(senses) < 2 {
			t.Errorf("%s: %v", word, senses)
		}
	}
	cold := English("colds")
	if len(cold) != 2 || cold[0].Name != "common cold" || cold[1].Name != "" {
		t.Errorf("cold: %+v", cold)
	}
	for _, word := range []string{"", "hepatitis", "common cold", "a"} {
		if senses := English(word); senses != nil {
			t.Errorf("%q: %v, want none", word, senses)
		}
	}
}

// TestEnglishFile: words are in their base form and in alphabetical order, senses differ, and only the first sense, the
// medical one, has a name.
func TestEnglishFile(t *testing.T) {
	senses := englishSenses()
	if len(senses) < 100 {
		t.Fatalf("%d words", len(senses))
	}
	for word, own := range senses {
		if base := normalize.CanonicalWord(word); base != word && senses[base] != nil {
			t.Errorf("%s: its base form %s is there, too", word, base)
		}
		seen := make(map[string]bool)
		for i, s := range own {
			if s.Gloss == "" || seen[s.Gloss] {
				t.Errorf("%s: gloss %q is empty or there twice", word, s.Gloss)
			}
			seen[s.Gloss] = true
			if i > 0 && s.Name != "" {
				t.Errorf("%s: its sense %q outside medicine has the name %q", word, s.Gloss, s.Name)
			}
			must.Equal(t, s.Name, normalize.Normal(s.Name), word, "name is not in normal form")
		}
	}
}
