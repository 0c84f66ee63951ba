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
