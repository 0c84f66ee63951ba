package recognize

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ctxnorm/ctxnorm/text"
)

// example is a sentence in the training set.
type example struct {
	tokens  []token
	allowed []labelSet
}

// schedule is how long and how fast a network learns.
type schedule struct {
	epochs       int
	learningRate float64
}

var (
	fromNames       = schedule{epochs: 3, learningRate: 2e-3} // from texts with the dictionary's names
	fromAnnotations = schedule{epochs: 10, learningRate: 1e-3}
)

// Settings of training.
const (
	warmUp        = 50   // steps
	minSteps      = 200  // with few texts the batches are smaller
	batchTokens   = 2000 // maximum for a step
	dropout       = .3
	dropVector    = .1 // share of words that become unknown
	dropCounts    = .4 // share of sentences whose words lose the counts from the dictionary
	weightDecay   = 1e-6
	adamBeta1     = .9
	adamBeta2     = .999
	adamEpsilon   = 1e-8
	lengthOfBatch = 4 // sentences of similar length share a batch
)

// trainer holds the state of training a network.
type trainer struct {
	*network
	random *rand.Rand
	groups map[string][]int32 // cache of letterGroupsOf

	parameters []*parameter
	first      gradientLayer
	second     gradientLayer
	output     gradientLayer
	letters    *parameter
	transition *parameter

	in, wide, hidden1, wide2, hidden2, sum, out             matrix
	dOut, dSum, dHidden2, dWide2, dHidden1, dWide           matrix
	mask1, mask2, mask3                                     []float32
	transposedA, transposedB, weightsT, lettersT, dWeightsT matrix
	crf                                                     chain
}

// parameter is a vector of weights with its gradient and the moments of Adam (Kingma and Ba, ICLR 2015,
// algorithm 1).
type parameter struct {
	weights, gradient, mean, square []float32
}

type gradientLayer struct {
	*layer
	weightGradient, biasGradient *parameter
}

func (t *trainer) parameter(weights []float32) *parameter {
	p := &parameter{weights, make([]float32, len(weights)), make([]float32, len(weights)),
		make([]float32, len(weights))}
	t.parameters = append(t.parameters, p)
	return p
}

func newTrainer(n *network, seed uint64) *trainer {
	t := &trainer{network: n, random: rand.New(rand.NewPCG(seed, 0x747261)), groups: make(map[string][]int32)}
	t.first = gradientLayer{&n.first, t.parameter(n.first.weights), t.parameter(n.first.bias)}
	t.second = gradientLayer{&n.second, t.parameter(n.second.weights), t.parameter(n.second.bias)}
	t.output = gradientLayer{&n.output, t.parameter(n.output.weights), t.parameter(n.output.bias)}
	t.letters = t.parameter(n.letters)
	t.transition = t.parameter(n.transition)
	t.crf.transition = n.transition
	return t
}

// train minimizes the negative log-likelihood of the allowed labels per token: the log of the sum over all sequences
// minus the log of the sum over the allowed ones. It calls report after each step. The result is the same for any
// number of processors.
func (n *network) train(ctx context.Context, examples []example, s schedule, seed uint64,
	report func(done, total int)) error {
	t := newTrainer(n, seed)
	batches := t.batches(examples, s.epochs)
	total := s.epochs * len(batches)
	step := 0
	for range s.epochs {
		t.random.Shuffle(len(batches), func(i, j int) { batches[i], batches[j] = batches[j], batches[i] })
		for _, batch := range batches {
			if err := ctx.Err(); err != nil {
				return err
			}
			t.gradients(batch)
			step++
			t.adam(step, s.learningRate*(1-float64(step-1)/float64(total))*min(1, float64(step)/warmUp))
			report(step, total)
		}
	}
	return nil
}

// certainMentions is the number of annotated mentions from which the weights learned from them count as much as those
// from names.
const certainMentions = 200

// adapt continues the training of a network with annotated documents, and averages its weights before and after
// (WiSE-FT: Wortsman et al., "Robust fine-tuning of zero-shot models", CVPR 2022, equation 1). The more mentions, the
// more the weights after count. Without documents it does nothing.
func (n *network) adapt(ctx context.Context, annotated []*text.Document, seed uint64) error {
	var examples []example
	mentions := 0
	for _, doc := range annotated {
		mentions += len(doc.Mentions)
		for _, tokens := range sentencesOf(doc.Text, definitionsIn(doc.Text)) {
			examples = append(examples, example{tokens, annotatedLabels(tokens, doc.Mentions)})
		}
	}
	if len(examples) == 0 {
		return nil
	}
	var before [][]float32
	for _, t := range n.tensors(0) {
		before = append(before, slices.Clone(t.Data))
	}
	if err := n.train(ctx, examples, fromAnnotations, seed, func(int, int) {}); err != nil {
		return err
	}
	share := float32(mentions) / float32(mentions+certainMentions)
	for i, t := range n.tensors(0) {
		for k, w := range before[i] {
			t.Data[k] = share*t.Data[k] + (1-share)*w
		}
	}
	return nil
}

// batches returns the examples in batches of sentences of similar length.
func (t *trainer) batches(examples []example, epochs int) [][]example {
	order := t.random.Perm(len(examples))
	slices.SortStableFunc(order, func(a, b int) int {
		return len(examples[a].tokens)/lengthOfBatch - len(examples[b].tokens)/lengthOfBatch
	})
	all := 0
	for _, e := range examples {
		all += len(e.tokens)
	}
	most := min(batchTokens, epochs*all/minSteps)
	var batches [][]example
	var batch []example
	tokens := 0
	for _, i := range order {
		e := examples[i]
		if len(batch) > 0 && tokens+len(e.tokens) > most {
			batches, batch, tokens = append(batches, batch), nil, 0
		}
		batch = append(batch, e)
		tokens += len(e.tokens)
	}
	if len(batch) > 0 {
		batches = append(batches, batch)
	}
	return batches
}

// gradients computes the gradients of all parameters for a batch.
func (t *trainer) gradients(batch []example) {
	for _, p := range t.parameters {
		clear(p.gradient)
	}
	lengths := make([]int, len(batch))
	total := 0
	for i, e := range batch {
		lengths[i] = len(e.tokens)
		total += len(e.tokens)
	}
	groups := t.readInputs(batch, total)
	k := t.kernel

	// Forward.
	neighbors(&t.wide, &t.in, firstWidth, lengths)
	t.first.apply(k, &t.hidden1, &t.wide)
	relu(&t.hidden1)
	t.mask2 = t.drop(t.hidden1.values, t.mask2)
	neighbors(&t.wide2, &t.hidden1, secondWidth, lengths)
	t.second.apply(k, &t.hidden2, &t.wide2)
	relu(&t.hidden2)
	t.sum.set(&t.hidden1)
	add(t.sum.values, t.hidden2.values)
	t.mask3 = t.drop(t.sum.values, t.mask3)
	t.output.apply(k, &t.out, &t.sum)

	t.loss(batch, total)

	// Backward.
	t.output.accumulate(t, &t.dOut, &t.sum)
	t.backThrough(&t.output, &t.dSum, &t.dOut)
	multiplyEach(t.dSum.values, t.mask3)
	t.dHidden2.set(&t.dSum)
	backThroughReLU(&t.dHidden2, &t.hidden2)
	t.second.accumulate(t, &t.dHidden2, &t.wide2)
	t.backThrough(&t.second, &t.dWide2, &t.dHidden2)
	t.dHidden1.set(&t.dSum)
	addNeighbors(&t.dHidden1, &t.dWide2, secondWidth, lengths)
	backThroughReLU(&t.dHidden1, &t.hidden1)
	multiplyEach(t.dHidden1.values, t.mask2)
	t.first.accumulate(t, &t.dHidden1, &t.wide)
	t.backToLetters(groups, lengths)
}

// readInputs fills in the inputs of a batch, drops out those that training drops, and returns the letter groups of each
// token.
func (t *trainer) readInputs(batch []example, total int) [][]int32 {
	t.in.reset(total, inputDim)
	var all [][]int32
	row := 0
	for _, e := range batch {
		withoutCounts := t.random.Float64() < dropCounts
		for i := range e.tokens {
			word := e.tokens[i].word
			groups, known := t.groups[word]
			if !known {
				groups = letterGroupsOf(word)
				t.groups[word] = groups
			}
			in := t.in.row(row)
			t.input(in, &e.tokens[i])
			t.inputLetters(in, groups)
			if t.random.Float64() < dropVector {
				clear(in[:vectorDim])
			}
			if withoutCounts {
				clear(in[vectorDim : vectorDim+dictionaryInputs])
			}
			all = append(all, groups)
			row++
		}
	}
	t.mask1 = t.drop(t.in.values, t.mask1)
	return all
}

// drop sets values to 0 with probability dropout, scales up the others, and returns the factors.
func (t *trainer) drop(values, mask []float32) []float32 {
	mask = grown(mask, len(values))
	const keep = 1 / (1 - dropout)
	for i := 0; i < len(values); i += 2 {
		bits := t.random.Uint64()
		for j := i; j < min(i+2, len(values)); j++ {
			mask[j] = keep
			if float64(uint32(bits)) < dropout*(1<<32) {
				mask[j] = 0
			}
			values[j] *= mask[j]
			bits >>= 32
		}
	}
	return mask
}

func multiplyEach(values, factors []float32) {
	for i, f := range factors {
		values[i] *= f
	}
}

// backThroughReLU sets the gradient to 0 where the output is 0.
func backThroughReLU(gradient, outputs *matrix) {
	for i, x := range outputs.values {
		if x <= 0 {
			gradient.values[i] = 0
		}
	}
}

// loss sets dOut to the gradient of the loss with respect to the emissions, and adds the gradient for the transitions.
func (t *trainer) loss(batch []example, total int) {
	t.dOut.reset(total, int(labelCount))
	transition := make([]float64, labelCount*labelCount)
	row := 0
	scale := 1 / float64(total)
	for _, e := range batch {
		first, last := row*int(labelCount), (row+len(e.tokens))*int(labelCount)
		row += len(e.tokens)
		t.crf.emissions = t.out.values[first:last]
		if !t.crf.run(func(i int) labelSet { return e.allowed[i] }) {
			continue // contradictory, for example because two names overlap
		}
		gradient := t.dOut.values[first:last]
		t.crf.addExpected(gradient, transition, -scale)
		t.crf.run(allAllowed)
		t.crf.addExpected(gradient, transition, scale)
	}
	for i, x := range transition {
		t.transition.gradient[i] = float32(x)
	}
}

// accumulate sets the gradients of a layer from its inputs and the gradient of its outputs.
func (l *gradientLayer) accumulate(t *trainer, dOut, in *matrix) {
	dOut.transposed(&t.transposedA)
	in.transposed(&t.transposedB)
	gradient := matrix{l.in, l.weightGradient.gradient}
	multiply(t.kernel, &gradient, &t.transposedA, &t.transposedB)
	for i := range dOut.rows() {
		add(l.biasGradient.gradient, dOut.row(i))
	}
}

// backThrough sets dIn to the gradient with respect to a layer's inputs.
func (t *trainer) backThrough(l *gradientLayer, dIn, dOut *matrix) {
	weights := matrix{l.in, l.weights}
	weights.transposed(&t.weightsT)
	multiply(t.kernel, dIn, dOut, &t.weightsT)
}

// backToLetters adds to the gradient of the vectors of letter groups.
func (t *trainer) backToLetters(groups [][]int32, lengths []int) {
	// For each position, the rows of the transposed weights for letters.
	weights := matrix{t.first.in, t.first.weights}
	weights.transposed(&t.weightsT)
	t.lettersT.columns, t.lettersT.values = hidden, t.lettersT.values[:0]
	for k := range firstWidth {
		start := k*inputDim + letterOffset
		t.lettersT.values = append(t.lettersT.values, t.weightsT.values[start*hidden:(start+letterDim)*hidden]...)
	}
	multiply(t.kernel, &t.dWide, &t.dHidden1, &t.lettersT)
	t.dWeightsT.reset(len(groups), letterDim)
	addNeighbors(&t.dWeightsT, &t.dWide, firstWidth, lengths)
	for i, rows := range groups {
		d := t.dWeightsT.row(i)
		mask := t.mask1[i*inputDim+letterOffset : (i+1)*inputDim]
		share := 1 / float32(len(rows))
		for _, row := range rows {
			to := t.letters.gradient[int(row)*letterDim : (int(row)+1)*letterDim]
			for k, x := range d {
				to[k] += x * mask[k] * share
			}
		}
	}
}

// adam takes one step of Adam.
func (t *trainer) adam(step int, rate float64) {
	correction1 := 1 - math.Pow(adamBeta1, float64(step))
	correction2 := 1 - math.Pow(adamBeta2, float64(step))
	size := float32(rate / correction1)
	root := float32(1 / math.Sqrt(correction2))
	for _, p := range t.parameters {
		for i, g := range p.gradient {
			g += weightDecay * p.weights[i]
			m := adamBeta1*p.mean[i] + (1-adamBeta1)*g
			v := adamBeta2*p.square[i] + (1-adamBeta2)*g*g
			p.mean[i], p.square[i] = m, v
			p.weights[i] -= size * m / (float32(math.Sqrt(float64(v)))*root + adamEpsilon)
		}
	}
}
