package model

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// memoizedEncoder is the encoder that [Memoize] returns.
type memoizedEncoder struct {
	encoder text.Encoder
	fixed   bool // no further vectors are stored

	mu   sync.Mutex
	rows map[string][]float32 // vector by [encodedText]
}

// remembered returns the encoder with the vectors of a model's names, contexts and sentences, which must stay open, and
// how many of some exemplars are among them. The encoder is another's than the model's: then there are none.
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

// Memoize returns an encoder that stores every vector, for queries that several linkers or
// rankings encode again and again. It takes 4 bytes x dimensions for each distinct query,
// and is safe for concurrent use.
func Memoize(encoder text.Encoder) text.Encoder {
	return &memoizedEncoder{encoder: encoder, rows: make(map[string][]float32)}
}

// Dim implements [text.Encoder].
func (e *memoizedEncoder) Dim() int { return e.encoder.Dim() }

// Fingerprint implements [text.Encoder].
func (e *memoizedEncoder) Fingerprint() string { return e.encoder.Fingerprint() }

// Encode implements [text.Encoder]. It encodes only queries that it has not seen, and
// equal ones once.
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

// encodedText returns everything that an encoder sees of a query: the spans of the
// mentions in its sentence, its own first, and the sentence.
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
	b.WriteString("\n") // ends the spans, since no number holds a newline
	b.WriteString(q.Sentence.Of(q.Text))
	return b.String()
}

// Memoized returns a copy of the model with a memoizing encoder and memoizing indexes.
// It returns m itself if m has no encoder. The copy need not be closed.
func (m *Model) Memoized() *Model {
	if m.Vectors == nil {
		return m
	}
	same := m.view()
	v := *m.Vectors
	if _, memoizes := v.Encoder.(*memoizedEncoder); !memoizes {
		v.Encoder = Memoize(v.Encoder)
	}
	v.base = memoizeBase(v.base)
	v.Names.Index, v.Contexts.Index = memoizeIndex(v.Names.Index), memoizeIndex(v.Contexts.Index)
	same.Vectors = &v
	return same
}

// memoizeBase returns a function that opens the base encoder with open, memoizing.
func memoizeBase(open func() (*baseEncoder, error)) func() (*baseEncoder, error) {
	return sync.OnceValues(func() (*baseEncoder, error) {
		base, err := open()
		if base == nil || err != nil {
			return nil, err
		}
		if _, memoizes := base.Encoder.(*memoizedEncoder); memoizes {
			return base, nil
		}
		return &baseEncoder{Memoize(base.Encoder), base.meanName}, nil
	})
}

// memoizedIndex is an index that stores its hits, as [memoizedEncoder] stores vectors. It takes
// 8 bytes for each hit and 4 bytes x dimensions for each distinct query.
type memoizedIndex struct {
	knnindex.Index

	mu   sync.Mutex
	hits map[string][]knnindex.Hit // by [searchKey]
}

// memoizeIndex returns a memoizing index: index itself if it is one.
func memoizeIndex(index knnindex.Index) knnindex.Index {
	if _, memoizes := index.(*memoizedIndex); memoizes {
		return index
	}
	return &memoizedIndex{Index: index, hits: make(map[string][]knnindex.Hit)}
}

// SearchBatch implements [knnindex.Index]. It searches only queries that it has not
// seen, and equal ones once.
func (x *memoizedIndex) SearchBatch(ctx context.Context, queries []float32, k, workers int) ([][]knnindex.Hit, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	dim := x.Dim()
	var keys, unknown []string // of all queries, and of those to search
	var searched []float32
	for start := 0; start+dim <= len(queries); start += dim {
		vector := queries[start : start+dim]
		key := searchKey(vector, k)
		keys = append(keys, key)
		if _, known := x.hits[key]; !known {
			x.hits[key] = nil
			unknown = append(unknown, key)
			searched = append(searched, vector...)
		}
	}
	found, err := x.Index.SearchBatch(ctx, searched, k, workers)
	if err != nil {
		for _, key := range unknown {
			delete(x.hits, key)
		}
		return nil, err
	}
	for i, key := range unknown {
		x.hits[key] = found[i]
	}
	hits := make([][]knnindex.Hit, len(keys))
	for i, key := range keys {
		hits[i] = slices.Clone(x.hits[key]) // the caller may change its copy
	}
	return hits, nil
}

// searchKey returns everything that a search depends on: k and the bits of the vector.
func searchKey(vector []float32, k int) string {
	key := binary.AppendUvarint(make([]byte, 0, binary.MaxVarintLen64+4*len(vector)), uint64(k))
	for _, x := range vector {
		key = binary.LittleEndian.AppendUint32(key, math.Float32bits(x))
	}
	return string(key)
}
