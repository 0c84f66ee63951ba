package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/lsa"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// wordSpace returns vectors of 30 words, trained on random texts.
func wordSpace(t testing.TB) *lsa.Space {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 1))
	texts := func(yield func([]string, error) bool) {
		for range 100 {
			var words []string
			for i := range 30 {
				if random.IntN(3) == 0 {
					words = append(words, fmt.Sprintf("w%02d", i))
				}
			}
			if !yield(words, nil) {
				return
			}
		}
	}
	space, err := lsa.Train(t.Context(), texts, 3, 2, 1)
	if err != nil || space == nil {
		t.Fatal(space, err)
	}
	return space
}

// TestModelKeepsWhatTextsTeach checks that a model has the word vectors and the hidden definitions that it was built
// with, and that its smaller copies have them too.
func TestModelKeepsWhatTextsTeach(t *testing.T) {
	space := wordSpace(t)
	q := fixtures.Query(t, "An <AD> of the skin.")
	q.ID, q.Mention.LongForm, q.Mention.Name = "7", "atopic dermatitis", "atopic dermatitis"
	q.Mention.Concepts = []kb.ConceptID{}
	q.Mentions[0] = q.Mention
	hidden := []text.Exemplar{{Query: q}}
	dir := buildGut(t, nil, func(o *BuildOptions) { o.Space, o.HiddenDefinitions = space, hidden })
	m := open(t, dir, nil)
	words := []string{"w01", "w17"}
	must.Equal(t, m.Space.Vector(words), space.Vector(words), "the vector", words)
	got := must.Get(m.HiddenDefinitions())
	must.Equal(t, got, hidden, "hidden definitions")
	plain := open(t, buildGut(t, nil, nil), nil)
	if v := plain.Space.Vector(words); v != nil {
		t.Errorf("a model without word vectors has %v", v)
	}
	if got, err := plain.HiddenDefinitions(); len(got) > 0 || err != nil {
		t.Errorf("a model without hidden definitions has %v, %v", got, err)
	}
}

// TestNameLikeness checks the likeness of a phrase against the mean cosine with the names.
func TestNameLikeness(t *testing.T) {
	space := wordSpace(t)
	m := open(t, buildGut(t, nil, func(o *BuildOptions) {
		o.Space = space
		o.Contexts = nil
		o.Dictionary = kb.NewDictionary([]kb.Concept{{ID: "1", Name: "w01 w02"}, {ID: "2", Name: "w05", Synonyms: []string{"w06"}}, {ID: "3", Name: "unknown"}})
	}), nil)
	want := 0.
	phrase := space.Vector([]string{"w07"})
	for _, name := range [][]string{{"w01", "w02"}, {"w05"}} { // the third has no vector
		want += 10 * dot.InOrder(space.Vector(name), phrase) / 2
	}
	if got := m.NameLikeness("W07 and more"); math.Abs(got-want) > 1e-5 {
		t.Errorf("likeness %g, want %g", got, want)
	}
	must.Equal(t, m.NameLikeness("nothing known"), 0, "likeness of unknown words")
}

func TestCorrectNIL(t *testing.T) {
	c := &LongFormCalibration{Slope: 2, Likeness: -1, Intercept: .5}
	// The log-odds of .8 are ln 4.
	want := 1 / (1 + math.Exp(-(2*math.Log(4) - 3 + .5)))
	if got := c.Correct(.8, 3); math.Abs(got-want) > 1e-12 {
		t.Errorf("corrected to %g, want %g", got, want)
	}
	must.Equal(t, (*LongFormCalibration)(nil).Correct(.8, 3), .8, "without a calibration")
}

// TestOwnSense: the dictionary has the first sense, unless all names of its concept are nearer to another one by at
// least the margin.
func TestOwnSense(t *testing.T) {
	vectors := [][]float32{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	for _, tc := range []struct {
		names [][]float32
		want  int
	}{
		{nil, 0},
		{[][]float32{{1, 0, 0}}, 0},
		{[][]float32{{0, 0, 1}}, 2},
		{[][]float32{{.5, .55, 0}}, 0}, // within the margin
		{[][]float32{{.5, .65, 0}}, 1},
		{[][]float32{{0, 1, 0}, {1, 0, 0}}, 0}, // the names do not agree
		{[][]float32{{0, .8, .6}}, 1},          // the nearest of two
	} {
		must.Equal(t, ownSense(vectors, tc.names), tc.want, "names", tc.names, "sense")
	}
	if got := leadOf(vectors, 1, []float32{.2, .9, .4}); math.Abs(got-.5) > 1e-6 { // .9 - .4
		t.Errorf("lead %g, want .5", got)
	}
}

// TestPhraseVectors checks that the same phrases are encoded once, and again after a failure.
func TestPhraseVectors(t *testing.T) {
	counting := &countingEncoder{BagOfWords: fixtures.GutEncoder(), failures: 1}
	m := &Model{senses: &senseIndexes{phrases: make(map[string][][]float32)}}
	m.Vectors = &Vectors{base: func() (*baseEncoder, error) { return &baseEncoder{Encoder: counting}, nil }}
	for call := range 3 {
		if vectors, err := m.phraseVectors(t.Context(), []string{"ulcer", "wheat"}); (err != nil) != (call == 0) || err == nil && len(vectors) != 2 {
			t.Errorf("call %d: %d vectors, %v", call, len(vectors), err)
		}
	}
	must.Equal(t, counting.encoded, 4, "phrases were encoded")
}

func TestOtherNames(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{{ID: "H", Name: "hives", Synonyms: []string{"nettle rash", "Hive"}}})
	if got := NewDictionaryIndexes(dict).otherNames("hives"); len(got) != 1 || got[0] != "nettle rash" {
		t.Errorf("other names %q, want nettle rash alone", got)
	}
}
