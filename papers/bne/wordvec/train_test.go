package wordvec

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// randomText returns documents of words a0 to a99 and b0 to b99, each of one letter.
func randomText(seed uint64, count, length int) []string {
	r := rand.New(rand.NewPCG(seed, 1))
	lines := make([]string, count)
	for i := range lines {
		var b strings.Builder
		for range r.IntN(length) {
			b.WriteByte("ab"[i%2])
			b.WriteString(string(rune('a'+int(r.ExpFloat64()*5)%26)) + " ")
		}
		lines[i] = b.String()
	}
	return lines
}

func smallConfig() Config {
	c := DefaultConfig()
	c.Dim, c.Epochs, c.Window = 20, 3, 3
	return c
}

func train(t *testing.T, config Config, lines ...string) *Vectors {
	t.Helper()
	return must.Get(Train(t.Context(), documents(lines...), config))
}

// TestGradient compares a step with the gradient of its term, computed in float64 by finite differences.
func TestGradient(t *testing.T) {
	const learningRate, h = 1e-2, 1e-5
	r := rand.New(rand.NewPCG(7, 8))
	config := smallConfig()
	v := countWords(t, 1, "a b c")
	term := func(sign float64, u, w []float64) float64 { // log s(v·u) or log s(-v·u)
		var x float64
		for i := range u {
			x += u[i] * w[i]
		}
		return -math.Log1p(math.Exp(-sign * x))
	}
	for _, label := range []float32{0, 1} {
		for trial := range 20 {
			tr := newTrainer(v, &config)
			for i := range tr.input {
				tr.input[i], tr.output[i] = float32(r.NormFloat64()), float32(r.NormFloat64())/2
			}
			u, w := tr.input[config.Dim:2*config.Dim], tr.output[2*config.Dim:3*config.Dim]
			before := [2][]float64{widen(u), widen(w)}
			others := slices.Concat(tr.input[:config.Dim], tr.input[2*config.Dim:], tr.output[:2*config.Dim])
			tr.step(1, 2, label, learningRate)
			if !slices.Equal(others, slices.Concat(tr.input[:config.Dim], tr.input[2*config.Dim:], tr.output[:2*config.Dim])) {
				t.Fatal("a step changed another vector")
			}
			sign := 2*float64(label) - 1
			for side, after := range [2][]float32{u, w} {
				for i := range after {
					x := before[side][i]
					before[side][i] = x + h
					above := term(sign, before[0], before[1])
					before[side][i] = x - h
					below := term(sign, before[0], before[1])
					before[side][i] = x
					want := (above - below) / (2 * h)
					if got := (float64(after[i]) - x) / learningRate; math.Abs(got-want) > 1e-4 {
						t.Fatalf("label %g, trial %d: gradient by number %d of vector %d is %g, want %g", label, trial, i, side, got, want)
					}
				}
			}
		}
	}
}

func widen(x []float32) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = float64(x[i])
	}
	return y
}

func TestSameSeed(t *testing.T) {
	config, lines := smallConfig(), randomText(1, 500, 30)
	want := train(t, config, lines...)
	must.Equal(t, train(t, config, lines...).data, want.data, "the same training gives other vectors")
	config.Seed++
	if got := train(t, config, lines...); slices.Equal(got.data, want.data) {
		t.Error("another seed gives the same vectors")
	}
}

// TestLearns trains on sentences of words that all begin with a, or all with b.
func TestLearns(t *testing.T) {
	config := smallConfig()
	config.Epochs = 10
	v := train(t, config, randomText(2, 1000, 30)...)
	for i := range v.Len() {
		order := make([]int, v.Len())
		for j := range order {
			order[j] = j
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(cosine(v.Row(i), v.Row(b)), cosine(v.Row(i), v.Row(a))) })
		for _, j := range order[:6] {
			must.Equal(t, v.Word(j)[0], v.Word(i)[0], v.Word(j), "is near to", v.Word(i), "cosine", cosine(v.Row(i), v.Row(j)))
		}
	}
}

func cosine(a, b []float32) float32 {
	kernel := dot.Best()
	return kernel.Dot(a, b) / float32(math.Sqrt(float64(kernel.Dot(a, a)*kernel.Dot(b, b))))
}

func TestTrainRefuses(t *testing.T) {
	lines := randomText(3, 500, 30)
	once := func(yield func([]string, error) bool) {
		for _, line := range lines {
			if !yield(strings.Fields(line), nil) {
				return
			}
		}
		lines = nil
	}
	config := smallConfig()
	_, err := Train(t.Context(), once, config)
	must.Fail(t, err, "have 0 words of the vocabulary in epoch 1", "a sequence that can be read once")

	failure := errors.New("disk gone")
	pass := 0
	failing := func(yield func([]string, error) bool) {
		pass++
		if pass == 1 {
			yield([]string{"a", "a", "a"}, nil)
		} else {
			yield(nil, failure)
		}
	}
	_, err = Train(t.Context(), failing, config)
	must.FailWith(t, err, failure)

	ctx, cancel := context.WithCancel(t.Context())
	config.OnProgress = func(int64, int64) { cancel() }
	_, err = Train(ctx, documents(randomText(4, 9000, 30)...), config)
	must.FailWith(t, err, context.Canceled)
}

func TestConfigRefuses(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"dim is 0, want 1 to 16384":                  func(c *Config) { c.Dim = 0 },
		"window is 0, want 1 to 1024":                func(c *Config) { c.Window = 0 },
		"negatives is -1, want 0 to 1000":            func(c *Config) { c.Negatives = -1 },
		"min_count is 0, want 1 to 2.147483647e+09":  func(c *Config) { c.MinCount = 0 },
		"subsample is NaN, want 0 to 1":              func(c *Config) { c.Subsample = math.NaN() },
		"epochs is 0, want 1 to 1e+06":               func(c *Config) { c.Epochs = 0 },
		"learning_rate is -1, want 0 to 10":          func(c *Config) { c.LearningRate = -1 },
		"min_learning_rate is 0.03, want 0 to 0.025": func(c *Config) { c.MinLearningRate = .03 },
		"noise_exponent is +Inf, want -10 to 10":     func(c *Config) { c.NoiseExponent = math.Inf(1) },
	} {
		config := DefaultConfig()
		change(&config)
		_, err := Train(t.Context(), documents("a a a"), config)
		must.Equal(t, fmt.Sprint(err), want)
	}
}

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
