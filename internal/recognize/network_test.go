package recognize

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text"
)

// smallStatistics returns statistics of a few words with random vectors and counts.
func smallStatistics(words ...string) *wordStatistics {
	r := rand.New(rand.NewPCG(3, 4))
	s := new(wordStatistics)
	for _, word := range words {
		w := wordRow{Word: word, Count: 10 + r.Int64N(100), Heads: r.Int32N(9), Ends: r.Int32N(5), SameTop: 1, Scale: 1. / 700,
			Head: r.Float32(), Modifier: r.Float32(), Single: r.Float32(), SingleByVector: r.Float32()}
		for range vectorDim {
			w.Vector = append(w.Vector, byte(r.IntN(256)))
		}
		s.words = append(s.words, w)
	}
	s.index()
	s.decide()
	return s
}

// TestGradients compares the gradients of all kinds of parameters with differences of the loss.
func TestGradients(t *testing.T) {
	must.SkipShort(t)
	s := smallStatistics("renal", "failure", "and", "acute", "nephritis")
	n := newNetwork(s, 1)
	trainer := newTrainer(n, 1)
	body := "Acute renal failure and nephritis. Unknown nephropathy"
	var batch []example
	for _, tokens := range sentencesOf(body, nil) {
		e := example{tokens: tokens}
		for range tokens {
			e.allowed = append(e.allowed, anyLabel)
		}
		batch = append(batch, e)
	}
	batch[0].allowed[0], batch[0].allowed[1], batch[0].allowed[2] = setOf(begin), setOf(inside), setOf(end)
	batch[0].allowed[4] = setOf(single, outside)
	batch[1].allowed[1] = setOf(end, single)
	gradients := func() {
		trainer.random = rand.New(rand.NewPCG(9, 9)) // the same dropout each time
		trainer.gradients(batch)
	}
	loss := func() float64 {
		gradients()
		sum, row, total := 0., 0, 0
		for _, e := range batch {
			first, last := row*int(labelCount), (row+len(e.tokens))*int(labelCount)
			row += len(e.tokens)
			total += len(e.tokens)
			c := chain{transition: n.transition, emissions: trainer.out.values[first:last]}
			c.run(allAllowed)
			sum += logTotal(&c)
			if !c.run(func(i int) labelSet { return e.allowed[i] }) {
				t.Fatal("no sequence is allowed")
			}
			sum -= logTotal(&c)
		}
		return sum / float64(total)
	}
	gradients()
	r := rand.New(rand.NewPCG(5, 6))
	for k, p := range trainer.parameters {
		checked := 0
		gradient := append([]float32(nil), p.gradient...)
		for range 4000 {
			i := r.IntN(len(p.weights))
			if p == trainer.letters && gradient[i] == 0 {
				continue // for a letter group that is not in the batch
			}
			const step = 2e-3 // smaller than most distances to a kink of relu
			at := &p.weights[i]
			was := *at
			*at = was + step
			above := loss()
			*at = was - step
			below := loss()
			*at = was
			if middle := loss(); math.Abs(above+below-2*middle)/step > 2e-4 {
				continue // at a kink of relu
			}
			if want := (above - below) / (2 * step); math.Abs(want-float64(gradient[i])) > 5e-4+.05*math.Abs(want) {
				t.Errorf("parameter %d, number %d: gradient %g, want %g", k, i, gradient[i], want)
			}
			if checked++; checked == 12 {
				break
			}
		}
		if checked == 0 {
			t.Errorf("parameter %d: nothing was compared", k)
		}
	}
}

func TestNeighbors(t *testing.T) {
	m := &matrix{1, []float32{1, 2, 3, 4, 5}}
	var wide matrix
	neighbors(&wide, m, 3, []int{2, 3})
	want := []float32{0, 1, 2, 1, 2, 0, 0, 3, 4, 3, 4, 5, 4, 5, 0}
	for i, x := range want {
		if wide.values[i] != x {
			t.Fatalf("neighbors are %v, want %v", wide.values, want)
		}
	}
	sum := &matrix{1, make([]float32, 5)}
	addNeighbors(sum, &wide, 3, []int{2, 3})
	for i, times := range []float32{2, 2, 2, 3, 2} { // how often each token is in a window of its sentence
		if sum.values[i] != times*m.values[i] {
			t.Fatalf("sums are %v", sum.values)
		}
	}
}

// TestEmissions compares the mean scores with a token-by-token computation.
func TestEmissions(t *testing.T) {
	s := smallStatistics("renal", "failure", "and", "acute", "nephritis")
	networks := []*network{newNetwork(s, 1), newNetwork(s, 2)}
	e := newEnsemble(networks...)
	r := rand.New(rand.NewPCG(5, 6))
	words := []string{"renal", "Renal", "failure", "and", "acute", "nephritis", "unknown", "(", "-", "12"}
	w := workspaces.Get().(*workspace)
	for range 20 {
		var sentences [][]token
		for range 1 + r.IntN(4) {
			var tokens []token
			for range 1 + r.IntN(9) {
				raw := words[r.IntN(len(words))]
				tokens = append(tokens, token{raw: raw, word: foldWord(raw)})
			}
			sentences = append(sentences, tokens)
		}
		var want []float64
		for _, tokens := range sentences {
			scores := make([]float64, len(tokens)*int(labelCount))
			for _, n := range networks {
				for i, x := range dullEmissions(n, tokens) {
					scores[i] += x / float64(len(networks))
				}
			}
			want = append(want, scores...)
		}
		got := e.emissions(w, sentences)
		if len(got) != len(want) {
			t.Fatalf("%d scores, want %d", len(got), len(want))
		}
		for i := range want {
			if math.Abs(float64(got[i])-want[i]) > 1e-5 {
				t.Fatalf("score %d is %g, want %g", i, got[i], want[i])
			}
		}
	}
}

// newEnsemble returns networks that are ready for use.
func newEnsemble(networks ...*network) ensemble {
	for _, n := range networks {
		n.setByPlace()
	}
	return networks
}

// dullEmissions computes the scores of the labels of a sentence's tokens directly from the doc comment of network.
func dullEmissions(n *network, tokens []token) []float64 {
	convolution := func(rows [][]float64, width, place int, l *layer) []float64 {
		sums := make([]float64, l.out)
		for o := range sums {
			sums[o] = float64(l.bias[o])
			for k := range width {
				if j := place + k - width/2; j >= 0 && j < len(rows) {
					for c, x := range rows[j] {
						sums[o] += x * float64(l.weights[o*l.in+k*len(rows[j])+c])
					}
				}
			}
		}
		return sums
	}
	var inputs, first, second [][]float64
	for i := range tokens {
		row := make([]float32, inputDim)
		n.input(row, &tokens[i])
		n.inputLetters(row, letterGroupsOf(tokens[i].word))
		wide := make([]float64, inputDim)
		for c, x := range row {
			wide[c] = float64(x)
		}
		inputs = append(inputs, wide)
	}
	for i := range tokens {
		row := convolution(inputs, firstWidth, i, &n.first)
		for o := range row {
			row[o] = max(0, row[o])
		}
		first = append(first, row)
	}
	for i := range tokens {
		row := convolution(first, secondWidth, i, &n.second)
		for o := range row {
			row[o] = first[i][o] + max(0, row[o])
		}
		second = append(second, row)
	}
	var scores []float64
	for i := range tokens {
		scores = append(scores, convolution(second[i:i+1], 1, 0, &n.output)...)
	}
	return scores
}

// TestBias checks that the bias falls as the dictionary names more, and that few texts have none above 0.
func TestBias(t *testing.T) {
	if half, whole := biasOf(.58, 40000), biasOf(.83, 40000); half <= whole || half > 0 || biasOf(.2, 40000) <= 1 {
		t.Errorf("the bias of half is %g, of the whole %g, of few names %g", half, whole, biasOf(.2, 40000))
	}
	must.Equal(t, biasOf(.2, 300), 0, "the bias of 300 words")
}

// TestCompleteness checks the mean share of occurrences that end a name, over the words that are like one-word names.
func TestCompleteness(t *testing.T) {
	s := &wordStatistics{thresholds: thresholds{single: .5}, words: []wordRow{
		{Word: "gout", Count: 4, Ends: 3, Single: .9}, {Word: "asthma", Count: 10, Ends: 1, Single: .5},
		{Word: "ague", Count: 5, Single: .7},
		{Word: "patient", Count: 100, Ends: 50, Single: .4}, // less like a name
		{Word: "il-2", Count: 2, Ends: 2, Single: .9},       // not a word of letters
	}}
	if got, want := s.completeness(), (3./4+1./10+0./5)/3; math.Abs(got-want) > 1e-12 {
		t.Errorf("completeness is %g, want %g", got, want)
	}
	s.thresholds.single = 1
	must.Equal(t, s.completeness(), 0, "completeness where no word is like a name")
}

// TestBatches checks that few texts are divided into enough batches for minSteps.
func TestBatches(t *testing.T) {
	trainer := newTrainer(newNetwork(smallStatistics("renal", "failure"), 1), 1)
	for _, sentences := range []int{minSteps, 100 * minSteps} {
		examples := make([]example, sentences)
		for i := range examples {
			examples[i] = example{tokens: make([]token, 10), allowed: make([]labelSet, 10)}
		}
		batches, largest := trainer.batches(examples, fromNames.epochs), 0
		for _, batch := range batches {
			largest = max(largest, 10*len(batch))
		}
		if steps := fromNames.epochs * len(batches); steps < minSteps || largest > batchTokens {
			t.Errorf("%d sentences of 10 tokens are %d steps, with up to %d tokens a batch", sentences, steps, largest)
		}
	}
}

// TestAdapt checks that a network learns the marked mentions of annotated documents and nothing without them, and that
// more of them count more.
func TestAdapt(t *testing.T) {
	body := "Acute renal failure and nephritis."
	doc := &text.Document{Text: body, Mentions: []text.Mention{{Span: text.Span{Start: 24, End: 33}}}}
	tokens := sentencesOf(body, nil)
	adapted := func(copies int) *network {
		n := newNetwork(smallStatistics("renal", "failure", "and", "acute", "nephritis"), 1)
		must.Succeed(t, n.adapt(t.Context(), slices.Repeat([]*text.Document{doc}, copies), 1))
		n.setByPlace()
		return n
	}
	probability := func(copies int) float64 {
		n := adapted(copies)
		c := chain{transition: n.transition, emissions: ensemble{n}.emissions(&workspace{rows: make(map[string]int)}, tokens)}
		c.run(allAllowed)
		return c.probability(4, 4)
	}
	must.Equal(t, fmt.Sprint(adapted(0).tensors(0)), fmt.Sprint(newNetwork(adapted(0).wordStatistics, 1).tensors(0)), "without documents")
	none, few, many := probability(0), probability(20), probability(2*certainMentions)
	if none > few || few > many || many < .9 {
		t.Errorf("the marked mention has the probability %.2f, %.2f and %.2f after 0, 20 and 400 documents", none, few, many)
	}
}
