package recognize

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/lsa"
)

// Word vectors are computed from the words around each word: positive pointwise mutual information with smoothed
// contexts, reduced by singular value decomposition. Source: Levy, Goldberg and Dagan, "Improving distributional
// similarity with lessons learned from word embeddings", TACL 3, 2015, sections 2 and 3, with context distribution
// smoothing .75 and eigenvalue weighting .5.
const (
	vectorDim       = 100
	contextWords    = 12000 // the most frequent words, used as contexts
	window          = 3     // words on each side; the nearest on the left and on the right count as separate contexts
	minCount        = 5     // rarer words get no vector
	maxVocabulary   = 60000
	smoothing       = .75
	contextsOfAWord = 3 // before, after and farther away
)

// corpusWords holds the words of documents one after the other, as numbers in the vocabulary: -1 for words that are not
// in it and, as wide as the window, for the gap after each document.
type corpusWords struct {
	all    []int32
	places [][]int32 // the positions of each word, in order
}

// wordCollector collects the words of documents.
type wordCollector struct {
	number map[string]int32
	words  []string // by number
	counts []int
	all    []int32
}

func (c *wordCollector) add(body string) {
	for _, t := range tokenize(body, wholeText(body)) {
		number, known := c.number[t.word]
		if !known {
			number = int32(len(c.words))
			word := strings.Clone(t.word) // to keep only the word in memory, not the whole text
			c.number[word] = number
			c.words, c.counts = append(c.words, word), append(c.counts, 0)
		}
		c.counts[number]++
		c.all = append(c.all, number)
	}
	for range window {
		c.all = append(c.all, -1)
	}
}

// vocabulary returns the words that are frequent enough, and the documents as numbers of words.
func (c *wordCollector) vocabulary() (*wordStatistics, *corpusWords) {
	var kept []int32
	for number, n := range c.counts {
		if n >= minCount {
			kept = append(kept, int32(number))
		}
	}
	slices.SortFunc(kept, func(a, b int32) int {
		return cmp.Or(c.counts[b]-c.counts[a], strings.Compare(c.words[a], c.words[b]))
	})
	kept = kept[:min(len(kept), maxVocabulary)]
	s := &wordStatistics{counted: make(map[kind]bool)}
	renumbered := make([]int32, len(c.words))
	for i := range renumbered {
		renumbered[i] = -1
	}
	for i, number := range kept {
		renumbered[number] = int32(i)
		s.words = append(s.words, wordRow{Word: c.words[number], Count: int64(c.counts[number]), SameTop: 1})
	}
	s.index()
	places := make([][]int32, len(s.words))
	for i := range places {
		places[i] = make([]int32, 0, s.words[i].Count)
	}
	for at, number := range c.all {
		if number >= 0 {
			number = renumbered[number]
			c.all[at] = number
		}
		if number >= 0 {
			places[number] = append(places[number], int32(at))
		}
	}
	return s, &corpusWords{c.all, places}
}

// writeVector writes the word's vector, multiplied by scale, to dst.
func (w *wordRow) writeVector(dst []float32, scale float32) {
	scale *= w.Scale
	for i, x := range w.Vector {
		dst[i] = scale * float32(int8(x))
	}
}

// setVectors computes the vectors of the words of documents. It reports false if there is too little text.
func (s *wordStatistics) setVectors(ctx context.Context, documents *corpusWords, seed uint64) (bool, error) {
	m := newContextMatrix(ctx, len(s.words), documents)
	if !m.Enough(vectorDim) || ctx.Err() != nil {
		return false, ctx.Err()
	}
	singular, values, err := m.Right(ctx, vectorDim, seed)
	if err != nil {
		return false, err
	}
	for i := range s.words {
		w, row := &s.words[i], singular.RawRowView(i)
		squares, most := 1e-18, 0.
		for i := range row {
			row[i] *= math.Sqrt(values[i])
			squares += row[i] * row[i]
			most = max(most, math.Abs(row[i]))
		}
		step := max(most, 1e-9) / math.MaxInt8
		w.Vector, w.Scale = make([]byte, vectorDim), float32(step/math.Sqrt(squares))
		for i, x := range row {
			w.Vector[i] = byte(int8(math.Round(x / step)))
		}
	}
	return true, nil
}

// contextMatrix holds the positive pointwise mutual information of contexts (rows) and words (columns).
type contextMatrix struct {
	lsa.Matrix
	values [][]float32 // values of each column
}

// newContextMatrix counts the contexts of the first words of the vocabulary in documents. It returns early if ctx ends.
func newContextMatrix(ctx context.Context, words int, documents *corpusWords) *contextMatrix {
	all := documents.all
	base := min(contextWords, words)
	m := &contextMatrix{lsa.Matrix{Rows: contextsOfAWord * base}, make([][]float32, words)}
	m.Value = func(word, i int) float64 { return float64(m.values[word][i]) }
	counts := make([]int32, m.Rows)
	var seen []int32
	for word := 0; word < words && ctx.Err() == nil; word++ {
		seen = seen[:0]
		for _, at := range documents.places[word] {
			for offset := -window; offset <= window; offset++ {
				i := int(at) + offset
				if offset == 0 || i < 0 || i >= len(all) || all[i] < 0 || int(all[i]) >= base {
					continue
				}
				kind := 2
				if offset == -1 || offset == 1 {
					kind = (1 + offset) / 2
				}
				context := all[i] + int32(kind*base)
				if counts[context] == 0 {
					seen = append(seen, context)
				}
				counts[context]++
			}
		}
		slices.Sort(seen)
		m.Columns, m.values[word] = append(m.Columns, slices.Clone(seen)), make([]float32, len(seen))
		for i, context := range seen {
			m.values[word][i] = float32(counts[context])
			counts[context] = 0
		}
	}
	m.weigh()
	return m
}

// weigh replaces counts by positive pointwise mutual information and drops entries without any.
func (m *contextMatrix) weigh() {
	contexts := make([]float64, m.Rows)
	for word, rows := range m.Columns {
		for i, context := range rows {
			contexts[context] += m.Value(word, i)
		}
	}
	smoothed := 0.
	for i := range contexts {
		contexts[i] = math.Pow(contexts[i], smoothing)
		smoothed += contexts[i]
	}
	for word, rows := range m.Columns {
		values, count, kept := m.values[word], 0., 0
		for _, n := range values {
			count += float64(n)
		}
		for i, context := range rows {
			information := math.Log(float64(values[i]) / count / (contexts[context] / smoothed))
			if information > 0 {
				rows[kept], values[kept] = context, float32(information)
				kept++
			}
		}
		m.Columns[word], m.values[word] = rows[:kept], values[:kept]
	}
}
