package link

import (
	"context"
	"math"
	"strings"

	"ctxnorm"
)

// bagOfWords is an encoder whose similarities can be worked out by hand: a word
// of the vocabulary is a dimension, and the vector of a query is the sum of its
// sentence's words, those of the mention counted thrice, brought to unit length.
type bagOfWords struct {
	vocabulary []string
	name       string
}

func (b *bagOfWords) Dim() int            { return len(b.vocabulary) }
func (b *bagOfWords) Fingerprint() string { return b.name + strings.Join(b.vocabulary, " ") }

func (b *bagOfWords) Encode(_ context.Context, dst []float32, queries []ctxnorm.Query) error {
	clear(dst)
	for i := range queries {
		q := &queries[i]
		row := dst[i*b.Dim() : (i+1)*b.Dim()]
		b.add(row, q.Sentence.Of(q.Text), 1)
		b.add(row, q.Surface(), 2)
		norm := 0.0
		for _, x := range row {
			norm += float64(x * x)
		}
		for j := range row {
			row[j] /= float32(math.Max(math.Sqrt(norm), 1e-9))
		}
	}
	return nil
}

func (b *bagOfWords) add(row []float32, text string, weight float32) {
	for _, word := range strings.Fields(strings.ToLower(text)) {
		for j, known := range b.vocabulary {
			if word == known {
				row[j] += weight
			}
		}
	}
}
