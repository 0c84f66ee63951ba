package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/lsa"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// wordSpace returns the vectors of 30 words by random texts of them.
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
	space, err := lsa.Train(t.Context(), texts, lsa.Config{Dim: 3, MinTexts: 2, Seed: 1})
	if err != nil || space == nil {
		t.Fatal(space, err)
	}
	return space
}

// TestModelKeepsWhatTextsTeach checks that a model has the word vectors and the hidden
// definitions that it was built with, and that its smaller copies have them too.
func TestModelKeepsWhatTextsTeach(t *testing.T) {
	space := wordSpace(t)
	q := linktest.Query(t, "An <AD> of the skin.")
	q.ID, q.Mention.LongForm, q.Mention.Name = "7", "atopic dermatitis", "atopic dermatitis"
	q.Mention.Concepts = []kb.ConceptID{}
	q.Mentions[0] = q.Mention
	hidden := []text.Exemplar{{Query: q}}
	dir := buildGut(t, nil, func(o *BuildOptions) { o.Space, o.HiddenDefinitions = space, hidden })
	m := open(t, dir, nil)
	words := []string{"w01", "w17"}
	if got, want := m.LatentVector(words), space.Vector(words); !slices.Equal(got, want) {
		t.Errorf("the vector of %v is %v, want %v", words, got, want)
	}
	got := must(m.HiddenDefinitions())
	if diff := cmp.Diff(hidden, got); diff != "" {
		t.Errorf("hidden definitions (-want +got):\n%s", diff)
	}
	plain := open(t, buildGut(t, nil, nil), nil)
	if v := plain.LatentVector(words); v != nil {
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
	if got := m.NameLikeness("nothing known"); got != 0 {
		t.Errorf("likeness %g of unknown words, want 0", got)
	}
}

func TestCorrectNIL(t *testing.T) {
	c := &LongFormCalibration{Slope: 2, Likeness: -1, Intercept: .5}
	// The log-odds of .8 are ln 4.
	want := 1 / (1 + math.Exp(-(2*math.Log(4) - 3 + .5)))
	if got := c.Correct(.8, 3); math.Abs(got-want) > 1e-12 {
		t.Errorf("corrected to %g, want %g", got, want)
	}
	if got := (*LongFormCalibration)(nil).Correct(.8, 3); got != .8 {
		t.Errorf("without a calibration %g, want .8", got)
	}
}
