package recognize

import (
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

// network gives each token of a sentence a score for each label. It has two convolutions over the features of the
// tokens; the output of the second is added to that of the first.
//
//	input   [vector of the word | statistics of the word | shape | mean of the vectors of its letter groups]
//	first   relu(convolution over 5 tokens of the input)
//	second  first + relu(convolution over 3 tokens of first)
//	output  linear
//
// A conditional random field decodes the labels with the transitions.
type network struct {
	*wordStatistics
	letters       []float32 // letterBuckets rows of letterDim numbers
	first, second layer
	output        layer
	transition    []float32 // see chain
	kernel        dot.Kernel
	byPlace       matrix // see setByPlace; not set while the network is trained
}

const (
	statisticInputs = 9
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

// layer is a linear layer with out rows of in weights.
type layer struct {
	in, out       int
	weights, bias []float32
}

func emptyLayer(in, out int) layer {
	return layer{in: in, out: out, weights: make([]float32, in*out), bias: make([]float32, out)}
}

func emptyNetwork(s *wordStatistics) *network {
	return &network{
		wordStatistics: s, kernel: dot.Best(), letters: make([]float32, letterBuckets*letterDim),
		first: emptyLayer(firstWidth*inputDim, hidden), second: emptyLayer(secondWidth*hidden, hidden),
		output: emptyLayer(hidden, int(labelCount)), transition: make([]float32, labelCount*labelCount),
	}
}

// newNetwork returns a network with random weights.
func newNetwork(s *wordStatistics, seed uint64) *network {
	random := rand.New(rand.NewPCG(seed, 0x7265636f))
	n := emptyNetwork(s)
	for i := range n.letters {
		n.letters[i] = float32(random.NormFloat64() * .1)
	}
	for _, l := range []*layer{&n.first, &n.second, &n.output} {
		limit := 1 / math.Sqrt(float64(l.in)) // uniform, like He et al. and PyTorch's linear layers
		for _, numbers := range [][]float32{l.weights, l.bias} {
			for i := range numbers {
				numbers[i] = float32((2*random.Float64() - 1) * limit)
			}
		}
	}
	return n
}

// writeStatistics writes the counts of a word and its probabilities.
func (w *wordRow) writeStatistics(dst []float32) {
	total := float32(w.Count)
	log := func(count int32, scale float64) float32 { return float32(math.Log1p(float64(count)) / scale) }
	copy(dst, []float32{
		log(w.Heads, 3), log(w.Modifiers, 3), float32(w.Ends) / total * 2, float32(w.Inside) / total * 2,
		log(int32(total), 10), w.Head * 2, w.Modifier * 2, 1, log(w.BehindKinds, 3),
	})
}

// dictionaryInputs is the number of leading statistics of a word that count the dictionary's own names.
const dictionaryInputs = 4

// letterGroupsOf returns the rows of the letter vectors for a word.
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

// shapeOf writes the shape of a token to dst, which must be zero.
func shapeOf(dst []float32, raw string) {
	first, size := utf8.DecodeRuneInString(raw)
	upper := unicode.IsUpper(first)
	long := size < len(raw)
	allUpper := long && upper && strings.IndexFunc(raw, unicode.IsLower) < 0
	for i, is := range [shapeInputs]bool{
		upper, allUpper, strings.ContainsFunc(raw, unicode.IsDigit), !isWordRune(first),
		raw == "-" || raw == "/", !long, strings.Contains("()[]", raw),
		upper && long && strings.IndexFunc(raw[size:], unicode.IsUpper) < 0,
	} {
		if is {
			dst[i] = 1
		}
	}
}

// input writes the features of a token except its letters. dst must be zero.
func (s *wordStatistics) input(dst []float32, t *token) {
	if w := s.row(t.word); w != nil {
		w.writeVector(dst, vectorScale)
		w.writeStatistics(dst[vectorDim:])
	}
	shapeOf(dst[vectorDim+statisticInputs:], t.raw)
}

// inputLetters writes the mean vector of the letter groups of a token.
func (n *network) inputLetters(dst []float32, groups []int32) {
	sum := (*[letterDim]float32)(dst[letterOffset:inputDim]) // an array: its bounds need no checks
	clear(sum[:])
	for _, row := range groups {
		for k, x := range (*[letterDim]float32)(n.letters[int(row)*letterDim:]) {
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

func (m *matrix) set(to *matrix) {
	m.columns, m.values = to.columns, append(m.values[:0], to.values...)
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

// multiply sets product to a times the transpose of b.
func multiply(k dot.Kernel, product, a, b *matrix) {
	product.columns, product.values = b.rows(), grown(product.values, a.rows()*b.rows())
	parallel.Ranges(a.rows(), 0, func(start, end int) {
		rows := a.values[start*a.columns : end*a.columns]
		k.Multiply(product.values[start*product.columns:end*product.columns], rows, b.values, a.columns)
	})
}

// apply sets out to the layer's outputs for the rows of in.
func (l *layer) apply(k dot.Kernel, out, in *matrix) {
	multiply(k, out, in, &matrix{l.in, l.weights})
	for i := range out.rows() {
		add(out.row(i), l.bias)
	}
}

func relu(m *matrix) {
	for i, x := range m.values {
		bits := math.Float32bits(x)
		m.values[i] = math.Float32frombits(bits &^ uint32(int32(bits)>>31)) // 0 for a set sign, without a branch
	}
}

// neighbors sets each row of wide to the row of m and its neighbors in the sentence, width rows side by side. lengths
// are the lengths of the sentences.
func neighbors(wide, m *matrix, width int, lengths []int) {
	wide.reset(m.rows(), width*m.columns)
	eachNeighbor(width, lengths, func(at, place, neighbor int) {
		copy(wide.row(at)[place*m.columns:(place+1)*m.columns], m.row(neighbor))
	})
}

// addNeighbors adds the parts of wide to the rows of m that neighbors copied them from.
func addNeighbors(m, wide *matrix, width int, lengths []int) {
	eachNeighbor(width, lengths, func(at, place, neighbor int) {
		add(m.row(neighbor), wide.row(at)[place*m.columns:(place+1)*m.columns])
	})
}

// eachNeighbor calls visit with each token of the sentences and each neighbor in its window of width tokens.
func eachNeighbor(width int, lengths []int, visit func(at, place, neighbor int)) {
	start := 0
	for _, n := range lengths {
		for at := start; at < start+n; at++ {
			for place := range width {
				if neighbor := at + place - width/2; neighbor >= start && neighbor < start+n {
					visit(at, place, neighbor)
				}
			}
		}
		start += n
	}
}

// add adds numbers to a row.
func add(row, numbers []float32) {
	for i, x := range numbers {
		row[i] += x
	}
}

// workspace holds the memory for scoring sentences, which texts reuse.
type workspace struct {
	rows                              map[string]int // token as written -> row of in
	at                                []int          // the row of each token
	lengths                           []int          // of the sentences
	groups                            [][]int32      // letter groups of each row
	in, parts, first, wide, next, out matrix
	sum                               []float32
}

var workspaces = sync.Pool{New: func() any { return &workspace{rows: make(map[string]int)} }}

// read fills the workspace with the tokens of sentences. Tokens with the same spelling share a row.
func (w *workspace) read(s *wordStatistics, sentences [][]token) {
	clear(w.rows)
	w.at, w.lengths, w.groups = w.at[:0], w.lengths[:0], w.groups[:0]
	var tokens []*token
	for _, sentence := range sentences {
		for i := range sentence {
			t := &sentence[i]
			row, known := w.rows[t.raw]
			if !known {
				row = len(tokens)
				w.rows[t.raw] = row
				tokens, w.groups = append(tokens, t), append(w.groups, letterGroupsOf(t.word))
			}
			w.at = append(w.at, row)
		}
		w.lengths = append(w.lengths, len(sentence))
	}
	w.in.reset(len(tokens), inputDim)
	for row, t := range tokens {
		s.input(w.in.row(row), t)
	}
}

// setByPlace sets byPlace to the first layer's weights, with a row for each position in the window and each output.
func (n *network) setByPlace() {
	n.byPlace = matrix{columns: inputDim}
	for place := range firstWidth {
		for o := range hidden {
			weights := n.first.weights[o*n.first.in:]
			n.byPlace.values = append(n.byPlace.values, weights[place*inputDim:(place+1)*inputDim]...)
		}
	}
}

// emissions adds the scores of the labels of the tokens in w to w.sum, labelCount numbers for each token. The first
// layer is linear in each token, so the products of a token are computed once and added wherever it occurs.
func (n *network) emissions(w *workspace) {
	for row, groups := range w.groups {
		n.inputLetters(w.in.row(row), groups)
	}
	multiply(n.kernel, &w.parts, &w.in, &n.byPlace)
	w.first.reset(len(w.at), hidden)
	for i := range w.at {
		copy(w.first.row(i), n.first.bias)
	}
	eachNeighbor(firstWidth, w.lengths, func(at, place, neighbor int) {
		add(w.first.row(at), w.parts.row(w.at[neighbor])[place*hidden:][:hidden])
	})
	relu(&w.first)
	neighbors(&w.wide, &w.first, secondWidth, w.lengths)
	n.second.apply(n.kernel, &w.next, &w.wide)
	relu(&w.next)
	add(w.next.values, w.first.values)
	n.output.apply(n.kernel, &w.out, &w.next)
	add(w.sum, w.out.values)
}

// ensemble is a set of networks learned from different documents. The mean of their scores makes fewer mistakes than
// any one of them.
type ensemble []*network

// emissions returns the mean scores of the labels of the tokens of sentences, labelCount numbers for each token. The
// slice belongs to w.
func (e ensemble) emissions(w *workspace, sentences [][]token) []float32 {
	w.read(e[0].wordStatistics, sentences)
	w.sum = grown(w.sum, len(w.at)*int(labelCount))
	clear(w.sum)
	for _, n := range e {
		n.emissions(w)
	}
	for i := range w.sum {
		w.sum[i] /= float32(len(e))
	}
	return w.sum
}

// transition returns the mean transitions.
func (e ensemble) transition() []float32 {
	mean := make([]float32, labelCount*labelCount)
	for _, n := range e {
		for i, x := range n.transition {
			mean[i] += x / float32(len(e))
		}
	}
	return mean
}
