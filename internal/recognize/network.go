package recognize

import (
	"math"
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

// network gives each token of a sentence a score for each label: two convolutions over what is known of its
// words, of which the second is added to the first.
//
//	input   [vector of the word | statistics of the word | shape | mean of the vectors of its letter groups]
//	first   relu(convolution over 5 tokens of the input)
//	second  first + relu(convolution over 3 tokens of first)
//	output  linear
//
// The labels are decoded by a chain of transitions.
type network struct {
	*wordStatistics
	letters       []float32 // letterBuckets rows of letterDim numbers
	first, second layer
	output        layer
	transition    [labelCount][labelCount]float32
	kernel        dot.Kernel
}

const (
	statisticInputs = 8
	shapeInputs     = 8
	letterDim       = 32
	letterBuckets   = 1 << 15
	maxLetterGroups = 20
	inputDim        = vectorDim + statisticInputs + shapeInputs + letterDim
	letterOffset    = inputDim - letterDim
	hidden          = 96
	firstWidth      = 5 // tokens
	secondWidth     = 3
	vectorScale     = 3
)

// layer is a linear layer: a row of in weights for each of out numbers.
type layer struct {
	in, out       int
	weights, bias []float32
}

func emptyLayer(in, out int) layer {
	return layer{in: in, out: out, weights: make([]float32, in*out), bias: make([]float32, out)}
}

func newLayer(in, out int, random *rand.Rand) layer {
	l := emptyLayer(in, out)
	limit := 1 / math.Sqrt(float64(in)) // uniform, as He et al. and PyTorch's linear layers
	for i := range l.weights {
		l.weights[i] = float32((2*random.Float64() - 1) * limit)
	}
	for i := range l.bias {
		l.bias[i] = float32((2*random.Float64() - 1) * limit)
	}
	return l
}

func newNetwork(s *wordStatistics, seed uint64) *network {
	random := rand.New(rand.NewPCG(seed, 0x7265636f))
	n := &network{wordStatistics: s, kernel: dot.Best(), letters: make([]float32, letterBuckets*letterDim)}
	for i := range n.letters {
		n.letters[i] = float32(random.NormFloat64() * .1)
	}
	n.first = newLayer(firstWidth*inputDim, hidden, random)
	n.second = newLayer(secondWidth*hidden, hidden, random)
	n.output = newLayer(hidden, int(labelCount), random)
	return n
}

// statisticsOf writes what is counted of a word, and its probabilities.
func (s *wordStatistics) statisticsOf(dst []float32, i int32) {
	c := &s.counts
	total := float32(s.vocabulary.counts[i])
	log := func(count int32, scale float64) float32 { return float32(math.Log1p(float64(count)) / scale) }
	copy(dst, []float32{
		log(c.heads[i], 3), log(c.modifiers[i], 3), float32(c.ends[i]) / total * 2, float32(c.inside[i]) / total * 2,
		log(int32(total), 10), s.head[i] * 2, s.modifier[i] * 2, 1,
	})
}

// dictionaryInputs is how many of a word's statistics are counts of the dictionary's own names.
const dictionaryInputs = 4

// letterGroupsOf returns the rows of the letter vectors of a word.
func letterGroupsOf(word string) []int32 {
	var rows []int32
	for _, g := range letterGroups(word) {
		rows = append(rows, int32(letterHash(g)>>7)%letterBuckets)
	}
	runes := []rune("<" + word + ">")
	for i := 0; i < max(1, len(runes)-3); i++ {
		rows = append(rows, int32(letterHash("c"+string(runes[i:min(len(runes), i+4)]))>>7)%letterBuckets)
	}
	return rows[:min(len(rows), maxLetterGroups)]
}

// shapeOf writes the shape of a token.
func shapeOf(dst []float32, raw string) {
	first, size := utf8.DecodeRuneInString(raw)
	upper := unicode.IsUpper(first)
	long := size < len(raw)
	allUpper := long && upper && strings.IndexFunc(raw, unicode.IsLower) < 0
	for i, is := range [shapeInputs]bool{
		upper, allUpper, strings.ContainsFunc(raw, unicode.IsDigit), !isWordRune(first), raw == "-" || raw == "/", !long,
		strings.Contains("()[]", raw), upper && long && strings.IndexFunc(raw[size:], unicode.IsUpper) < 0,
	} {
		dst[i] = 0
		if is {
			dst[i] = 1
		}
	}
}

// input writes what is known of a token but its letters. dst is zero.
func (s *wordStatistics) input(dst []float32, t *token) {
	if i, ok := s.number[t.word]; ok {
		s.vectors.write(dst, i, vectorScale)
		s.statisticsOf(dst[vectorDim:], i)
	}
	shapeOf(dst[vectorDim+statisticInputs:], t.raw)
}

// inputLetters writes the mean vector of the letter groups of a token.
func (n *network) inputLetters(dst []float32, groups []int32) {
	sum := dst[letterOffset:inputDim]
	clear(sum)
	for _, row := range groups {
		for k, x := range n.letters[int(row)*letterDim : (int(row)+1)*letterDim] {
			sum[k] += x
		}
	}
	for k := range sum {
		sum[k] /= float32(len(groups))
	}
}

// matrix is a row-major matrix.
type matrix struct {
	columns int
	values  []float32
}

func (m *matrix) rows() int           { return len(m.values) / m.columns }
func (m *matrix) row(i int) []float32 { return m.values[i*m.columns : (i+1)*m.columns] }
func (m *matrix) reset(rows, columns int) {
	m.columns, m.values = columns, grown(m.values, rows*columns)
	clear(m.values)
}

// transposed writes the transpose of m to t.
func (m *matrix) transposed(t *matrix) {
	rows := m.rows()
	t.columns, t.values = rows, grown(t.values, len(m.values))
	const block = 16
	for r := 0; r < rows; r += block {
		for c := 0; c < m.columns; c++ {
			for i := r; i < min(rows, r+block); i++ {
				t.values[c*rows+i] = m.values[i*m.columns+c]
			}
		}
	}
}

// multiply sets each row i of product to the products of row i of a with the rows of b.
func multiply(k dot.Kernel, product, a, b *matrix) {
	product.columns, product.values = b.rows(), grown(product.values, a.rows()*b.rows())
	parallel.Ranges(a.rows(), 0, func(start, end int) {
		for i := start; i < end; i++ {
			k.Scan(product.row(i), a.row(i), b.values)
		}
	})
}

// apply sets out to the layer's outputs for the rows of in.
func (l *layer) apply(k dot.Kernel, out, in *matrix) {
	multiply(k, out, in, &matrix{l.in, l.weights})
	for i := range out.rows() {
		row := out.row(i)
		for j := range row {
			row[j] += l.bias[j]
		}
	}
}

func relu(m *matrix) {
	for i, x := range m.values {
		m.values[i] = max(0, x)
	}
}

// neighbors sets wide to the rows of m side by side with those of their neighbors within a sentence, width
// rows in all. lengths are those of the sentences.
func neighbors(wide, m *matrix, width int, lengths []int) {
	wide.reset(m.rows(), width*m.columns)
	eachNeighbor(wide, m, width, lengths, func(part, row []float32) { copy(part, row) })
}

// addNeighbors adds the parts of wide, see neighbors, to the rows of m that they are copies of.
func addNeighbors(m, wide *matrix, width int, lengths []int) {
	eachNeighbor(wide, m, width, lengths, func(part, row []float32) {
		for c, x := range part {
			row[c] += x
		}
	})
}

// eachNeighbor calls visit with each part of wide, see neighbors, and the row of m that it is a copy of.
func eachNeighbor(wide, m *matrix, width int, lengths []int, visit func(part, row []float32)) {
	start := 0
	for _, n := range lengths {
		for i := range n {
			row := wide.row(start + i)
			for k := range width {
				if j := i + k - width/2; j >= 0 && j < n {
					visit(row[k*m.columns:(k+1)*m.columns], m.row(start+j))
				}
			}
		}
		start += n
	}
}

// emissions returns the scores of the labels of the tokens of sentences of such lengths, labelCount numbers a token. It
// writes the letters of each token, whose groups are given, into the inputs.
func (n *network) emissions(in *matrix, groups [][]int32, lengths []int) []float32 {
	for i := range groups {
		n.inputLetters(in.row(i), groups[i])
	}
	var wide, first, second, out matrix
	neighbors(&wide, in, firstWidth, lengths)
	n.first.apply(n.kernel, &first, &wide)
	relu(&first)
	neighbors(&wide, &first, secondWidth, lengths)
	n.second.apply(n.kernel, &second, &wide)
	relu(&second)
	for i, x := range first.values {
		second.values[i] += x
	}
	n.output.apply(n.kernel, &out, &second)
	return out.values
}

// ensemble is several networks, learned from different documents: the mean of their scores makes fewer mistakes than
// each of them.
type ensemble []*network

// emissions returns the mean scores of the labels of the tokens of sentences, labelCount numbers a token.
func (e ensemble) emissions(sentences [][]token) []float32 {
	var groups [][]int32
	var lengths []int
	for _, s := range sentences {
		for i := range s {
			groups = append(groups, letterGroupsOf(s[i].word))
		}
		lengths = append(lengths, len(s))
	}
	var in matrix
	in.reset(len(groups), inputDim)
	at := 0
	for _, s := range sentences {
		for i := range s {
			e[0].input(in.row(at), &s[i])
			at++
		}
	}
	var sum []float32
	for i, n := range e {
		scores := n.emissions(&in, groups, lengths)
		if i == 0 {
			sum = scores
			continue
		}
		for j, x := range scores {
			sum[j] += x
		}
	}
	for j := range sum {
		sum[j] /= float32(len(e))
	}
	return sum
}

// transition returns the mean transitions.
func (e ensemble) transition() *[labelCount][labelCount]float32 {
	mean := new([labelCount][labelCount]float32)
	for _, n := range e {
		for a := range labelCount {
			for b := range labelCount {
				mean[a][b] += n.transition[a][b] / float32(len(e))
			}
		}
	}
	return mean
}
