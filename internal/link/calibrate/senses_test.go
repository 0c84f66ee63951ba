package calibrate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

// Without the record that defines a form, a sense with only that record is unknown, unless the dictionary allows it.
func TestWithoutRecord(t *testing.T) {
	for _, test := range []struct {
		own    sense.Sense
		gold   int
		senses int
	}{
		{sense.Sense{LongForm: "axial diffusivity", Records: 2}, 1, 3},
		{sense.Sense{LongForm: "axial diffusivity", Records: 1}, 2, 2},
		{sense.Sense{LongForm: "atopic dermatitis", Concepts: []kb.ConceptID{"D"}, Records: 1, HasInitials: true}, 1, 3},
		{sense.Sense{LongForm: "AD", Concepts: []kb.ConceptID{"A"}, OwnName: true}, 1, 3},
	} {
		senses := []sense.Sense{{LongForm: "first", Records: 9}, test.own, {LongForm: "third", Records: 1}}
		got, gold := withoutRecord(senses, 1)
		if gold != test.gold || len(got) != test.senses {
			t.Errorf("%+v: sense %d of %d, want %d of %d", test.own, gold, len(got), test.gold, test.senses)
		}
		if gold == 1 && got[1].Records != max(0, test.own.Records-1) {
			t.Errorf("%+v: %d records remain", test.own, got[1].Records)
		}
	}
}

// TestFitLogistic plants weights and recovers them; at the optimum the numerical derivatives are 0.
func TestFitLogistic(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	planted := []float64{1, -2, .5}
	fit := func(examples []logisticExample, prior []float64, keep []bool) []float64 {
		return must.Get(maximizePosterior(examples, prior, logisticPrecision, keep))
	}
	var examples []logisticExample
	for range 20_000 {
		e := logisticExample{x: []float64{1, r.NormFloat64(), r.NormFloat64()}, weight: 1}
		if r.Float64() < 1/(1+math.Exp(-dot.InOrder(planted, e.x))) {
			e.y = 1
		}
		examples = append(examples, e)
	}
	for i, got := range fit(examples, []float64{0, 0, 0}, nil) {
		// The standard error is about 1/sqrt(20000 * .15) = .02.
		if math.Abs(got-planted[i]) > .08 {
			t.Errorf("weight %d is %.3f, want %.3f", i, got, planted[i])
		}
	}
	// An example of weight 2 counts as two.
	heavy := slices.Clone(examples[:100])
	heavy[0].weight = 2
	weighed := fit(heavy, []float64{1, 0, 0}, nil)
	for i, twice := range fit(append(examples[:100:100], examples[0]), []float64{1, 0, 0}, nil) {
		if math.Abs(twice-weighed[i]) > 1e-4 {
			t.Errorf("weight %d: %g with a row twice, %g with its weight doubled", i, twice, weighed[i])
		}
	}
	// A kept weight stays as in the prior, and the others are learned given that weight. Here the second column equals
	// the first, which is 1, and compensates for it.
	for i := range examples {
		examples[i].x[1] = 1
	}
	kept := fit(examples, []float64{0, 2, 0}, []bool{false, true, false})
	free := fit(examples, []float64{2, 0, 0}, []bool{false, true, false})
	if kept[1] != 2 || free[1] != 0 || math.Abs(kept[0]+2-free[0]) > 1e-3 {
		t.Errorf("weights %v beside a kept 2, and %v beside 0", kept, free)
	}
	// Without examples the prior stays.
	prior := []float64{3, 1, 4}
	must.Equal(t, must.Get(maximizePosterior([]logisticExample(nil), prior, logisticPrecision, nil)), prior,
		"without rows")
}

// TestHiddenQueries checks the gold senses of hidden definitions: the concept of the long form, a sense outside the
// dictionary, and the unknown sense if no other record defines it.
func TestHiddenQueries(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{{ID: "A", Name: "Alzheimer disease"}, {ID: "D", Name: "atopic dermatitis"}})
	abbreviation := func(long string, records int) corpus.SynonymPairCount {
		return corpus.SynonymPairCount{SynonymPair: corpus.SynonymPair{Kind: "abbreviation", Left: "AD", Right: long}, Records: records}
	}
	table := mine.NewAbbreviationTable([]corpus.SynonymPairCount{
		abbreviation("Alzheimer disease", 5), abbreviation("atopic dermatitis", 3), abbreviation("axial diffusivity", 2), abbreviation("autonomic dysreflexia", 1),
	})
	tagger, _, err := matcher.NewTagger(dict, matcher.DefaultNameFilter())
	must.Succeed(t, err)
	hidden := func(id, marked, long string) text.Exemplar {
		q := fixtures.Query(t, marked)
		q.ID, q.Mention.LongForm = id, long
		q.Mention.Name, q.Mention.Concepts = tagger.LookupLongForm(long)
		q.Mentions[0] = q.Mention
		return text.Exemplar{Query: q}
	}
	m := modeltest.Open(t, modeltest.Build(t, nil, func(o *model.BuildOptions) {
		o.Dictionary, o.Tagger, o.Abbreviations, o.Contexts = dict, tagger, table, nil
		o.HiddenDefinitions = []text.Exemplar{
			hidden("1", "Skin itches. <AD> is one cause.", "atopic dermatitis"),
			hidden("2", "The <AD> fell.", "axial diffusivity"),
			hidden("3", "With <AD>, pressure rises.", "autonomic dysreflexia"),
			hidden("4", "An <AD> nobody knows.", "acute depression"),
		}
	}), nil)
	queries := must.Get(hiddenQueries(m))
	got := make(map[string]string)
	for i := range queries {
		q := &queries[i]
		long := "unknown"
		if q.gold < len(q.Senses) {
			long = q.Senses[q.gold].LongForm
		}
		got[q.ID] = long
		if sentence := q.Sentence.Of(q.Text); q.ID == "1" && sentence != "AD is one cause." {
			t.Errorf("the sentence of the first query is %q", sentence)
		}
	}
	must.Equal(t, got, map[string]string{"1": "atopic dermatitis", "2": "axial diffusivity", "3": "unknown"},
		"gold senses")
}

// TestIsWord: a word in a context counts; a short form, a phrase or a name without a context does not.
func TestIsWord(t *testing.T) {
	for marked, want := range map[string]bool{
		"He has <gout> again.": true, "He has <BD> again.": false, "He has <liver cancer> again.": false, "<gout>": false,
	} {
		ex := text.Exemplar{Query: fixtures.Query(t, marked)}
		ex.Mention.Concepts = []kb.ConceptID{"A"}
		must.Equal(t, isWord(&ex), want, marked)
		ex.Mention.Concepts = []kb.ConceptID{"A", "B"}
		must.Equal(t, isWord(&ex), false, marked, "of two concepts")
		ex.Mention.Concepts, ex.Mention.LongForm = ex.Mention.Concepts[:1], "a long form"
		must.Equal(t, isWord(&ex), false, marked, "with a long form")
	}
}

// TestLearnLongForms: long forms whose short forms also stand for concepts are more probably NIL than their likeness to
// names suggests. This is learned from names, held out of the dictionary, and from other long forms.
func TestLearnLongForms(t *testing.T) {
	var concepts []kb.Concept
	var pairs []corpus.SynonymPairCount
	var contexts []text.Exemplar
	add := func(short, long string, ids ...kb.ConceptID) {
		pairs = append(pairs, corpus.SynonymPairCount{SynonymPair: corpus.SynonymPair{Kind: "abbreviation", Left: short, Right: long}, Records: 3})
		q := fixtures.Query(t, "patients in whom <"+short+"> was seen")
		q.Document.ID, q.Mention.LongForm, q.Mention.Name, q.Mention.Concepts = long, long, long, ids
		contexts = append(contexts, text.Exemplar{Query: q})
	}
	for i := range 3 * minSenseQueries {
		stem, id := fmt.Sprintf("%c%c", 'a'+i%26, 'a'+i/26), kb.ConceptID(fmt.Sprint(i))
		concepts = append(concepts, kb.Concept{ID: id, Name: stem + "ral lesion"})
		add(strings.ToUpper(stem+"l"), stem+"ral lesion", id)
		add(strings.ToUpper(stem+"l"), stem+"tic ligand")
	}
	c := modeltest.Open(t, buildCalibrated(t, nil, func(o *model.BuildOptions) {
		o.Dictionary, o.Abbreviations, o.Contexts = kb.NewDictionary(concepts), mine.NewAbbreviationTable(pairs), contexts
	}), nil).Calibration
	if l := c.LongForms; l == nil || l.Queries < 2*minSenseQueries || l.Correct(.5, 0) <= .5 {
		t.Errorf("calibration of long forms %+v, want one by which NIL is more probable", l)
	}
}
