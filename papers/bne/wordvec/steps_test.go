package wordvec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// sampleOne returns the steps of a document of words of v, in the order of the text.
func sampleOne(v *Vocabulary, config Config, epoch, piece uint64, document string) []step {
	c := &chunk{epoch: epoch, firstPiece: piece}
	for word := range strings.FieldsSeq(document) {
		c.words = append(c.words, v.index[word])
	}
	c.ends = append(c.ends, len(c.words))
	return newSampler(v, &config).sample(c)
}

func describe(v *Vocabulary, steps []step) string {
	var b strings.Builder
	for _, s := range steps {
		sign := "-"
		if s.output&positive != 0 {
			sign = "+"
		}
		fmt.Fprintf(&b, "%s%s%s ", v.Word(int(s.input)), sign, v.Word(int(s.output&^positive)))
	}
	return strings.TrimSpace(b.String())
}

// TestWindow derives the pairs by hand: with a window of 1 every width is 1.
func TestWindow(t *testing.T) {
	v := countWords(t, 1, "a b c d")
	config := Config{Window: 1}
	for document, want := range map[string]string{
		"a b c d": "a+b b+a b+c c+b c+d d+c",
		"a":       "",
		"":        "",
		"a a":     "a+a a+a",
	} {
		if got := describe(v, sampleOne(v, config, 0, 0, document)); got != want {
			t.Errorf("steps of %q are %q, want %q", document, got, want)
		}
	}
}

// TestWindowWidth counts pairs by distance: the width is uniform from 1 to 4, so two words at
// distance d are a pair with a probability of 1 - (d-1)/4.
func TestWindowWidth(t *testing.T) {
	v := countWords(t, 1, "a b c d e f g")
	const documents = 20000
	var counts [7]float64 // of pairs with the word in the middle, by distance
	for i := range uint64(documents) {
		for _, s := range sampleOne(v, Config{Window: 4}, 0, i, "a b c d e f g") {
			if s.input == 3 {
				counts[max(3, s.output&^positive)-min(3, s.output&^positive)]++
			}
		}
	}
	for distance, want := range []float64{0, 1, .75, .5} {
		// Each distance has two sides; the deviation of a share of 20,000 is at most .0036.
		if got := counts[distance] / documents / 2; math.Abs(got-want) > .015 {
			t.Errorf("a word at distance %d is a context in %.3f of the windows, want %.2f", distance, got, want)
		}
	}
}

// TestNegatives counts noise words: those equal to the context word are skipped.
func TestNegatives(t *testing.T) {
	v := countWords(t, 1, strings.Repeat("a ", 16)+"b") // powers 8 and 1: a has 8/9 of the noise
	const documents, negatives = 20000, 5
	var count [2][2]float64 // by context word, then noise word
	for i := range uint64(documents) {
		context := uint32(0)
		for _, s := range sampleOne(v, Config{Window: 1, Negatives: negatives, NoiseExponent: .75}, 0, i, "a b") {
			if s.output&positive != 0 {
				context = s.output &^ positive
			} else {
				count[context][s.output]++
			}
		}
	}
	if count[0][0] != 0 || count[1][1] != 0 {
		t.Errorf("context words were sampled as noise: %v", count)
	}
	for context, want := range []float64{negatives * 1. / 9, negatives * 8. / 9} {
		if got := count[context][1-context] / documents; math.Abs(got-want) > .03 {
			t.Errorf("%s has %.3f noise words, want %.3f", v.Word(context), got, want)
		}
	}
}

// TestSubsample counts the words that are kept, and that windows are laid over what is kept.
func TestSubsample(t *testing.T) {
	v := countWords(t, 1, strings.Repeat("a ", 64)+strings.Repeat("b ", 32)+strings.Repeat("c ", 4))
	config := Config{Window: 1, Subsample: .04} // a is kept with .25 + .0625, b with .3536 + .125, c always
	const documents = 20000
	var pairs, kept float64
	for i := range uint64(documents) {
		got := describe(v, sampleOne(v, config, 0, i, "c a c"))
		switch got {
		case "c+c c+c":
			pairs++
		case "c+a a+c a+c c+a":
			kept++
		default:
			t.Fatalf("steps are %q", got)
		}
	}
	if share := kept / documents; math.Abs(share-.3125) > .015 || pairs+kept != documents {
		t.Errorf("the word is kept in %.3f of the documents, want .3125", share)
	}
}

// TestSortByCell compares with sorting.
func TestSortByCell(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		c := new(chunk)
		var sampled []step
		for range r.IntN(2000) {
			sampled = append(sampled, step{uint32(r.IntN(100)), uint32(r.IntN(100)) | uint32(r.IntN(2))<<31})
		}
		c.sortByCell(sampled)
		want := slices.Clone(sampled)
		key := func(s step) uint32 { return s.input%16*16 + s.output&^positive%16 }
		slices.SortStableFunc(want, func(a, b step) int { return int(key(a)) - int(key(b)) })
		if !slices.Equal(c.steps, want) {
			t.Fatalf("%d steps are not sorted by cell", len(want))
		}
		for i := range cells {
			for _, s := range c.cell(i) {
				if key(s) != uint32(i) {
					t.Fatalf("cell %d has the step %v", i, s)
				}
			}
		}
	}
}
