package lexical

import (
	"fmt"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
)

// synonym is a word that replaces another, with its probability.
type synonym struct {
	word string
	p    float64
}

// learnFrom learns word synonyms from a dictionary.
func learnFrom(d *kb.Dictionary) map[string][]synonym {
	c, words := newReplacementCounts(), newTokenNumbers()
	for _, concept := range d.All() {
		c.add(numbered(words, concept.Names()))
	}
	texts := slices.Sorted(slices.Values(words.distinct))
	numbers := make([]int32, len(texts))
	for i, word := range texts {
		numbers[words.numbers[word]] = int32(i)
	}
	learned := make(map[string][]synonym)
	for word, others := range c.synonyms(numbers) {
		for _, other := range others {
			learned[texts[word]] = append(learned[texts[word]], synonym{texts[other.word], other.probability})
		}
	}
	return learned
}

// numbered returns the numbers of the words of each name.
func numbered(words *tokenNumbers, names []string) (all [][]int32) {
	for _, name := range names {
		all = append(all, words.of(normalize.CanonicalTokens(name)))
	}
	return all
}

// kidneys returns a dictionary in which n concepts use "renal" and "kidney" as synonyms. Other concepts, others in
// number, replace a word by a different one each.
func kidneys(n, others int) *kb.Dictionary {
	var concepts []kb.Concept
	for i := range n {
		thing := fmt.Sprint("k", i)
		concepts = append(concepts, kb.Concept{ID: kb.ConceptID(thing), Synonyms: []string{"renal " + thing, "kidney " + thing}})
	}
	for i := range others {
		thing := fmt.Sprint("o", i)
		concepts = append(concepts, kb.Concept{ID: kb.ConceptID(thing), Synonyms: []string{"disease " + thing, thing + " w" + thing}})
	}
	return kb.NewDictionary(concepts)
}

func TestLearnWordSynonyms(t *testing.T) {
	// In 4 of 10 concepts "renal" and "kidney" replace each other, and neither replaces anything else, so the probability
	// is 4/4. "disease" is replaced in 6 concepts, each time by another word.
	got := learnFrom(kidneys(4, 6))
	want := map[string][]synonym{"renal": {{"kidney", 1}}, "kidney": {{"renal", 1}}}
	must.EqualBy(t, gocmp.Options{cmpopts.EquateEmpty(), gocmp.AllowUnexported(synonym{})}, got, want)
	// One concept is not enough, however unlikely it is by chance.
	if got := learnFrom(kidneys(1, 1000)); len(got) > 0 {
		t.Errorf("got %v from 1 concept", got)
	}
}

func TestReplacementCounts(t *testing.T) {
	tests := []struct {
		names []string
		pairs map[[2]string]float64
		words map[string]float64
	}{
		{[]string{"renal failure", "kidney failure", "failure, kidneys"},
			map[[2]string]float64{{"renal", "kidney"}: 1, {"kidney", "renal"}: 1},
			map[string]float64{"renal": 1, "kidney": 1}},
		{[]string{"renal failure", "acute kidney failure"}, // one word against two: 1/2 each
			map[[2]string]float64{{"renal", "acute"}: .5, {"renal", "kidney"}: .5, {"acute", "renal"}: .5, {"kidney", "renal"}: .5},
			map[string]float64{"renal": .5, "acute": .5, "kidney": .5}},
		{[]string{"renal failure", "kidney disease"}, nil, nil},       // no shared word
		{[]string{"renal failure", "failure"}, nil, nil},              // nothing replaced
		{[]string{"a1 b1 c1 failure", "d1 failure"}, nil, nil},        // three words
		{[]string{"renal failure", "renal failures", "— "}, nil, nil}, // one name
		{[]string{"gout"}, nil, nil},
	}
	for _, test := range tests {
		c, numbers := newReplacementCounts(), newTokenNumbers()
		c.add(numbered(numbers, test.names))
		pairs, words := map[[2]string]float64{}, map[string]float64{}
		for pair, n := range c.pairs {
			pairs[[2]string{numbers.distinct[pair.from], numbers.distinct[pair.to]}] = n
		}
		for word, n := range c.replaced {
			if n > 0 {
				words[numbers.distinct[word]] = n
			}
		}
		must.EqualBy(t, cmpopts.EquateEmpty(), pairs, test.pairs, test.names, "pairs")
		must.EqualBy(t, cmpopts.EquateEmpty(), words, test.words, test.names, "words")
	}
}

func TestLearnWordSynonymsReal(t *testing.T) {
	must.SkipShort(t)
	got := learnFrom(fixtures.HalfOfMEDIC(t))
	for word, want := range map[string]string{"cancer": "neoplasm", "renal": "kidney", "hepatic": "liver", "lung": "pulmonary", "heart": "cardiac"} {
		if len(got[word]) == 0 || got[word][0].word != want {
			t.Errorf("%s: got %v, want %s first", word, got[word], want)
		}
	}
}

func BenchmarkLearnWordSynonyms(b *testing.B) {
	for name, d := range fixtures.BenchDictionaries(b) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				learnFrom(d)
			}
		})
	}
}
