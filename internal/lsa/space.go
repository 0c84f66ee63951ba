package lsa

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/knnindex"
)

// Space holds the vectors of words. It is safe for concurrent use. A nil *Space has no words.
type Space struct {
	dim     int
	words   []string                // in alphabetical order
	numbers func() map[string]int32 // word -> its number; computed on first use
	vectors []float32               // words x dim; each word's vector multiplied by its inverse document frequency
	mapped  *knnindex.Vectors       // the mapped file that contains vectors; nil if they are not mapped
}

func newSpace(words []string, vectors []float32, dim int) *Space {
	numbers := sync.OnceValue(func() map[string]int32 {
		numbers := make(map[string]int32, len(words))
		for i, word := range words {
			numbers[word] = int32(i)
		}
		return numbers
	})
	return &Space{dim: dim, words: words, numbers: numbers, vectors: vectors}
}

// Dim returns the length of a vector.
func (s *Space) Dim() int { return s.dim }

// Len returns the number of words with a vector.
func (s *Space) Len() int {
	if s == nil {
		return 0
	}
	return len(s.words)
}

// Number returns the number, from 0 up to [Space.Len], of a word with a vector.
func (s *Space) Number(word string) (number int32, known bool) {
	if s != nil {
		number, known = s.numbers()[word]
	}
	return number, known
}

// Vector returns the unit vector of a text, given its distinct words, or nil if none of them has a vector.
func (s *Space) Vector(words []string) []float32 {
	numbers := make([]int32, 0, len(words))
	for _, word := range words {
		if number, known := s.Number(word); known {
			numbers = append(numbers, number)
		}
	}
	return s.VectorOf(numbers)
}

// VectorOf is [Space.Vector] for the numbers of words. Words without a vector have numbers from [Space.Len] up.
func (s *Space) VectorOf(words []int32) []float32 {
	if s.Len() == 0 {
		return nil
	}
	vector := make([]float32, s.dim)
	for _, number := range words {
		if int(number) < len(s.words) {
			for i, x := range s.vectors[int(number)*s.dim : (int(number)+1)*s.dim] {
				vector[i] += x
			}
		}
	}
	if !dot.Normalize(vector) {
		return nil
	}
	return vector
}

// Close unmaps the vectors that [Open] mapped. Do not use the space afterwards.
func (s *Space) Close() error {
	if s.mapped == nil {
		return nil
	}
	return s.mapped.Close()
}

// Write writes the words to a file, one per line, and their vectors in the same order to another: a NumPy array of
// float32, words x [Space.Dim].
func (s *Space) Write(wordFile, vectorFile string) error {
	err := artifact.Write(wordFile, func(w io.Writer) error {
		buffered := bufio.NewWriter(w)
		for _, word := range s.words {
			buffered.WriteString(word)
			buffered.WriteByte('\n')
		}
		return buffered.Flush()
	})
	if err != nil {
		return err
	}
	vectors := knnindex.Vectors{Dim: s.dim, Data: s.vectors}
	return vectors.WriteNPY(vectorFile)
}

// Open reads the words and maps the vectors written by [Space.Write]. It returns a [*files.DamagedError] if they do not
// fit together. The caller must call Close.
func Open(wordFile, vectorFile string) (*Space, error) {
	data, err := artifact.ReadFile(wordFile)
	if err != nil {
		return nil, err
	}
	if len(data) > 0 && !bytes.HasSuffix(data, []byte("\n")) {
		return nil, artifact.Damaged(wordFile, "does not end with a line end")
	}
	words := strings.Split(string(data), "\n")
	words = words[:len(words)-1]
	for i := 1; i < len(words); i++ {
		if words[i] <= words[i-1] {
			return nil, artifact.Damaged(wordFile, "line %d: %q is not after %q", i+1, words[i], words[i-1])
		}
	}
	vectors, err := knnindex.OpenNPY(vectorFile)
	if err != nil {
		return nil, err
	}
	if vectors.Len() != len(words) || vectors.Len() > 0 && vectors.Dim < 1 {
		_ = vectors.Close() // it was only read
		return nil, artifact.Damaged(vectorFile, "has %d rows, want one for each of the %d words of %s", vectors.Len(),
			len(words), wordFile)
	}
	s := newSpace(words, vectors.Data, vectors.Dim)
	s.mapped = vectors
	return s, nil
}
