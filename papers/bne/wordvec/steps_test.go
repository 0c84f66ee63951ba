package wordvec

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// step is one step of the sampler.
type step struct {
	word, other int
	label       float32
}

// sampleOne returns the steps of a document of words of v, in the order of the text.
func sampleOne(v *Vocabulary, config Config, document string) (steps []step) {
	var words []int
	for word := range strings.FieldsSeq(document) {
		words = append(words, v.index[word])
	}
	newSampler(v, &config).sample(words, func(word, other int, label float32) { steps = append(steps, step{word, other, label}) })
	return steps
}

func describe(v *Vocabulary, steps []step) string {
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&b, "%s%c%s ", v.Word(s.word), "-+"[int(s.label)], v.Word(s.other))
	}
	return strings.TrimSpace(b.String())
}

// TestWindow works out the pairs by hand: with a window of 1 every width is 1.
func TestWindow(t *testing.T) {
	v := countWords(t, 1, "a b c d")
	config := Config{Window: 1}
	for document, want := range map[string]string{
		"a b c d": "a+b b+a b+c c+b c+d d+c",
		"a":       "",
		"":        "",
		"a a":     "a+a a+a",
	} {
		must.Equal(t, describe(v, sampleOne(v, config, document)), want, "steps", document)
	}
}

// TestWindowWidth counts pairs by distance: the width is uniform from 1 to 4, so two words at distance d are a pair
// with a probability of 1 - (d-1)/4.
func TestWindowWidth(t *testing.T) {
	v := countWords(t, 1, "a b c d e f g")
	const documents = 20000
	var counts [7]float64 // of pairs with the word in the middle, by distance
	for i := range uint64(documents) {
		for _, s := range sampleOne(v, Config{Window: 4, Seed: i}, "a b c d e f g") {
			if s.word == 3 {
				counts[max(3, s.other)-min(3, s.other)]++
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
		context := 0
		for _, s := range sampleOne(v, Config{Window: 1, Negatives: negatives, NoiseExponent: .75, Seed: i}, "a b") {
			if s.label > 0 {
				context = s.other
			} else {
				count[context][s.other]++
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

// TestSubsample counts the words that are kept, and checks that windows are formed after dropping.
func TestSubsample(t *testing.T) {
	v := countWords(t, 1, strings.Repeat("a ", 64)+strings.Repeat("b ", 32)+strings.Repeat("c ", 4))
	config := Config{Window: 1, Subsample: .04} // a is kept with .25 + .0625, b with .3536 + .125, c always
	const documents = 20000
	var pairs, kept float64
	for i := range uint64(documents) {
		config.Seed = i
		got := describe(v, sampleOne(v, config, "c a c"))
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
