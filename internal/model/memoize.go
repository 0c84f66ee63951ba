package model

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// memoizedEncoder is the encoder returned by [Memoize].
type memoizedEncoder struct {
	encoder text.Encoder
	fixed   bool // no further vectors are stored

	mu   sync.Mutex
	rows map[string][]float32 // vector by [encodedText]
}

// remembered returns the encoder with the vectors of the model's names, contexts and sentences, and the number of given
// exemplars that it has vectors for. The model must stay open. If the model has another encoder, nothing is reused.
func (m *Model) remembered(encoder text.Encoder, of ...[]text.Exemplar) (_ text.Encoder, known int, err error) {
	v := m.Vectors
	if v == nil || v.Encoder.Fingerprint() != encoder.Fingerprint() {
		return encoder, 0, nil
	}
	names, err := m.Names.Exemplars()
	if err != nil {
		return nil, 0, err
	}
	contexts, err := m.Contexts.Exemplars()
	if err != nil {
		return nil, 0, err
	}
	e := &memoizedEncoder{encoder: encoder, fixed: true, rows: make(map[string][]float32, len(names)+2*len(contexts))}
	add := func(exemplars []text.Exemplar, vectors *knnindex.Vectors) {
		for i := range exemplars {
			e.rows[encodedText(&exemplars[i].Query)] = vectors.Row(i)
		}
	}
	add(names, v.Names.Vectors)
	add(contexts, v.Contexts.Vectors)
	add(sentencesOf(contexts), v.Sentences)
	for _, exemplars := range of {
		for i := range exemplars {
			if e.rows[encodedText(&exemplars[i].Query)] != nil {
				known++
			}
		}
	}
	return e, known, nil
}

// Memoize returns an encoder that caches every vector, for queries that several linkers or rankings encode again and
// again. If encoder already does, Memoize returns it. The cache takes 4 bytes x dimensions for each distinct query and
// is safe for concurrent use.
func Memoize(encoder text.Encoder) text.Encoder {
	if _, memoizes := encoder.(*memoizedEncoder); memoizes {
		return encoder
	}
	return &memoizedEncoder{encoder: encoder, rows: make(map[string][]float32)}
}

// Dim implements [text.Encoder].
func (e *memoizedEncoder) Dim() int { return e.encoder.Dim() }

// Fingerprint implements [text.Encoder].
func (e *memoizedEncoder) Fingerprint() string { return e.encoder.Fingerprint() }

// Encode implements [text.Encoder]. It encodes only new queries, and equal ones once.
func (e *memoizedEncoder) Encode(ctx context.Context, dst []float32, queries []text.Query) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	keys := make([]string, len(queries))
	var unknown []text.Query
	at := make(map[string]int) // key -> position in unknown
	for i := range queries {
		keys[i] = encodedText(&queries[i])
		if _, known := e.rows[keys[i]]; known {
			continue
		}
		if _, added := at[keys[i]]; !added {
			at[keys[i]] = len(unknown)
			unknown = append(unknown, queries[i])
		}
	}
	dim := e.Dim()
	vectors := make([]float32, len(unknown)*dim)
	if len(unknown) > 0 {
		if err := e.encoder.Encode(ctx, vectors, unknown); err != nil {
			return err
		}
	}
	for i, key := range keys {
		row := e.rows[key]
		if j, isNew := at[key]; isNew {
			row = vectors[j*dim : (j+1)*dim]
		}
		copy(dst[i*dim:], row)
	}
	for key, i := range at {
		if !e.fixed {
			e.rows[key] = slices.Clone(vectors[i*dim : (i+1)*dim])
		}
	}
	return nil
}

// encodedText returns everything that an encoder sees of a query: the spans of the mentions in its sentence, the
// query's own first, and the sentence.
func encodedText(q *text.Query) string {
	var b strings.Builder
	writeSpan := func(s text.Span) {
		b.WriteString(strconv.Itoa(s.Start - q.Sentence.Start))
		b.WriteByte(' ')
		b.WriteString(strconv.Itoa(s.End - q.Sentence.Start))
		b.WriteByte(' ')
	}
	writeSpan(q.Mention.Span)
	for _, m := range q.Mentions {
		if q.Sentence.Contains(m.Span) {
			writeSpan(m.Span)
		}
	}
	b.WriteString("\n") // ends the spans, since numbers contain no newlines
	b.WriteString(q.Sentence.Of(q.Text))
	return b.String()
}

// Memoized returns a copy of the model whose encoders cache vectors, or m itself if m has no encoder. The copy need not
// be closed.
func (m *Model) Memoized() *Model {
	if m.Vectors == nil {
		return m
	}
	same, v := m.view(), *m.Vectors
	open := v.base
	v.Encoder, v.base = Memoize(v.Encoder), sync.OnceValues(func() (*baseEncoder, error) {
		base, err := open()
		if base == nil || err != nil {
			return nil, err
		}
		return &baseEncoder{Memoize(base.Encoder), base.meanName}, nil
	})
	same.Vectors = &v
	return same
}
