package lsa

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

func textsOf(texts [][]string) Texts {
	return func(yield func([]string, error) bool) {
		for _, words := range texts {
			if !yield(words, nil) {
				return
			}
		}
	}
}

// randomTexts returns texts, each with words sampled from one of a few topics.
func randomTexts(texts, words, topics int, seed uint64) [][]string {
	random := rand.New(rand.NewPCG(seed, 0))
	all := make([][]string, texts)
	for i := range all {
		topic := random.IntN(topics)
		for range 5 + random.IntN(10) {
			word := random.IntN(words/topics)*topics + topic
			if random.IntN(4) == 0 {
				word = random.IntN(words)
			}
			all[i] = append(all[i], fmt.Sprintf("w%03d", word))
		}
		slices.Sort(all[i])
		all[i] = slices.Compact(all[i])
	}
	return all
}

func cosine(a, b []float32) float64 {
	sum := 0.
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// TestCount compares the matrix of texts and words with its definition.
func TestCount(t *testing.T) {
	texts := randomTexts(120, 30, 3, 1)
	m, vocabulary, _, err := count(textsOf(texts), 3)
	must.Succeed(t, err)
	counts := make(map[string]float64)
	for _, words := range texts {
		for _, word := range words {
			counts[word]++
		}
	}
	idf := func(word string) float64 { return math.Log(float64(len(texts)) / counts[word]) }
	identity := mat.NewDense(len(vocabulary), len(vocabulary), nil)
	for j := range vocabulary {
		identity.Set(j, j, 1)
	}
	got := m.times(identity)
	for i, words := range texts {
		squares := 0.
		for _, word := range words {
			if counts[word] >= 3 {
				squares += idf(word) * idf(word)
			}
		}
		for j, word := range vocabulary {
			want := 0.
			if slices.Contains(words, word) {
				want = idf(word) / math.Sqrt(squares)
			}
			if math.Abs(got.At(i, j)-want) > 1e-12 {
				t.Fatalf("text %d, %s: %g, want %g", i, word, got.At(i, j), want)
			}
		}
	}
	var back mat.Dense
	if back.Mul(got.T(), got); !mat.EqualApprox(&back, m.transposedTimes(got), 1e-9) {
		t.Error("the transposed matrix is another one")
	}
}

// TestVectorsFindTheTopic checks the purpose of the vectors: two texts on the same topic are near, even if they have no
// word in common.
func TestVectorsFindTheTopic(t *testing.T) {
	space := must.Get(Train(context.Background(), textsOf(randomTexts(2000, 80, 4, 2)), 4, 5, 1))
	topic := func(topic, from int) (words []string) {
		for i := range 5 {
			words = append(words, fmt.Sprintf("w%03d", (from+i)*4+topic))
		}
		return words
	}
	for a := range 4 {
		for b := range 4 {
			c := cosine(space.Vector(topic(a, 0)), space.Vector(topic(b, 10)))
			if a == b && c < .9 || a != b && c > .5 {
				t.Errorf("cosine of texts of topics %d and %d = %.3f", a, b, c)
			}
		}
	}
}

func TestTrainOfTooFewTexts(t *testing.T) {
	space, err := Train(context.Background(), textsOf(randomTexts(100, 40, 4, 1)), 100, 1, 1)
	if space != nil || err != nil {
		t.Errorf("got %v, %v, want no space and no error", space, err)
	}
}

func TestTrainReturnsTheErrorOfItsTexts(t *testing.T) {
	broken := errors.New("broken")
	texts := Texts(func(yield func([]string, error) bool) {
		if yield([]string{"a"}, nil) {
			yield(nil, broken)
		}
	})
	_, err := Train(context.Background(), texts, Dim, MinTexts, 1)
	must.FailWith(t, err, broken)
}

func TestVector(t *testing.T) {
	s := newSpace([]string{"a", "b"}, []float32{3, 0, 0, 4}, 2)
	must.Equal(t, s.Vector([]string{"a", "b", "c"}), []float32{.6, .8}, "Vector(a b c)")
	for _, words := range [][]string{nil, {"c"}} {
		if got := s.Vector(words); got != nil {
			t.Errorf("Vector(%v) = %v, want nil", words, got)
		}
	}
}

func TestWriteAndOpen(t *testing.T) {
	dir := t.TempDir()
	words, vectors := filepath.Join(dir, "words.txt"), filepath.Join(dir, "words.npy")
	space := must.Get(Train(context.Background(), textsOf(randomTexts(300, 40, 4, 3)), 5, 3, 1))
	must.Succeed(t, space.Write(words, vectors))
	opened := must.Get(Open(words, vectors))
	if !slices.Equal(opened.words, space.words) || !slices.Equal(opened.vectors, space.vectors) || opened.dim != space.dim {
		t.Error("the opened space differs from what was written")
	}
	must.Succeed(t, errors.Join(opened.Close(), space.Close()))
	whole := must.Get(os.ReadFile(words))
	lines := strings.SplitAfter(string(whole), "\n")
	for name, content := range map[string]string{
		"a word is missing":       strings.Join(lines[1:], ""),
		"words change places":     lines[1] + lines[0] + strings.Join(lines[2:], ""),
		"a word is twice":         lines[0] + lines[0] + strings.Join(lines[2:], ""),
		"the line end is missing": strings.TrimSuffix(string(whole), "\n"),
	} {
		must.Succeed(t, os.WriteFile(words, []byte(content), 0o600))
		var damaged *files.DamagedError
		if _, err := Open(words, vectors); !errors.As(err, &damaged) {
			t.Errorf("%s: got %v, want a DamagedError", name, err)
		}
	}
}

// FuzzOpen reads files of any content. An opened space has a vector for each word and writes files that read the same.
func FuzzOpen(f *testing.F) {
	dir := f.TempDir()
	words, vectors := filepath.Join(dir, "words.txt"), filepath.Join(dir, "words.npy")
	must.Succeed(f, newSpace([]string{"gut", "ulcer"}, []float32{1, 0, .5, -1}, 2).Write(words, vectors))
	text := must.Get(os.ReadFile(words))
	numbers := must.Get(os.ReadFile(vectors))
	f.Add(text, numbers)
	f.Add([]byte{}, numbers)
	f.Add([]byte("gut\nulcer"), numbers)
	f.Add(text, numbers[:len(numbers)-1])
	f.Fuzz(func(t *testing.T, text, numbers []byte) {
		for file, content := range map[string][]byte{words: text, vectors: numbers} {
			must.Succeed(t, os.WriteFile(file, content, 0o666))
		}
		s, err := Open(words, vectors)
		if err != nil {
			return
		}
		defer s.Close()
		for _, word := range s.words {
			if v := s.Vector([]string{word}); v != nil && len(v) != s.Dim() {
				t.Errorf("the vector of %q has %d numbers, want %d", word, len(v), s.Dim())
			}
		}
	})
}

// matrixOf returns a dense matrix as a sparse one.
func matrixOf(dense *mat.Dense) *Matrix {
	rows, columns := dense.Dims()
	every := make([]int32, rows)
	for i := range every {
		every[i] = int32(i)
	}
	return &Matrix{rows, slices.Repeat([][]int32{every}, columns), func(column, i int) float64 { return dense.At(i, column) }}
}

// TestRight compares with the exact decomposition of a matrix whose values fall off quickly. The signs of singular
// vectors are arbitrary.
func TestRight(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const rows, columns, dim = 80, 60, 5
	m := mat.NewDense(rows, columns, nil)
	for k := range 20 {
		for i := range rows {
			u := r.NormFloat64() * math.Pow(.5, float64(k))
			for j := range columns {
				m.Set(i, j, m.At(i, j)+u*math.Sin(float64((k+1)*(j+1))))
			}
		}
	}
	sparse := matrixOf(m)
	if !sparse.Enough(dim) || sparse.Enough(columns) {
		t.Fatal("Enough is wrong")
	}
	vectors, values, err := sparse.Right(context.Background(), dim, 7)
	must.Succeed(t, err)
	var exact mat.SVD
	if !exact.Factorize(m, mat.SVDThin) {
		t.Fatal("no decomposition")
	}
	var v mat.Dense
	exact.VTo(&v)
	for k := range dim {
		if want := exact.Values(nil)[k]; math.Abs(values[k]-want) > 1e-6*want {
			t.Errorf("value %d is %g, want %g", k, values[k], want)
		}
		cosine := mat.Dot(vectors.ColView(k), v.ColView(k))
		if math.Abs(cosine) < 1-1e-6 {
			t.Errorf("vector %d has the cosine %g with the exact one", k, cosine)
		}
	}
}
