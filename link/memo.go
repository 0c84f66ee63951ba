package link

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"ctxnorm"
)

// Memoized is an encoder that remembers every vector that it gave, for queries that
// are asked again and again: by each of several linkers, or of several rankings. It
// holds 4 bytes x dimensions for each distinct query, and is safe for concurrent use.
type Memoized struct {
	encoder ctxnorm.Encoder

	mu   sync.Mutex
	rows map[string][]float32
}

// Memoize makes an encoder that remembers.
func Memoize(encoder ctxnorm.Encoder) *Memoized {
	return &Memoized{encoder: encoder, rows: make(map[string][]float32)}
}

// Dim implements [ctxnorm.Encoder].
func (e *Memoized) Dim() int { return e.encoder.Dim() }

// Fingerprint implements [ctxnorm.Encoder].
func (e *Memoized) Fingerprint() string { return e.encoder.Fingerprint() }

// Encode implements [ctxnorm.Encoder]: it encodes what is new, each query once.
func (e *Memoized) Encode(ctx context.Context, dst []float32, queries []ctxnorm.Query) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	keys := make([]string, len(queries))
	var unknown []ctxnorm.Query
	at := make(map[string]int) // key -> place in unknown
	for i := range queries {
		keys[i] = encodedText(&queries[i])
		if _, known := e.rows[keys[i]]; known {
			continue
		}
		if _, asked := at[keys[i]]; !asked {
			at[keys[i]] = len(unknown)
			unknown = append(unknown, queries[i])
		}
	}
	dim := e.Dim()
	if len(unknown) > 0 {
		vectors := make([]float32, len(unknown)*dim)
		if err := e.encoder.Encode(ctx, vectors, unknown); err != nil {
			return err
		}
		for key, i := range at {
			e.rows[key] = slices.Clone(vectors[i*dim : (i+1)*dim])
		}
	}
	for i, key := range keys {
		copy(dst[i*dim:(i+1)*dim], e.rows[key])
	}
	return nil
}

// encodedText is all that an encoder sees of a query: its sentence and the places of
// the mentions in it, its own first.
func encodedText(q *ctxnorm.Query) string {
	var b strings.Builder
	place := func(s ctxnorm.Span) {
		b.WriteString(strconv.Itoa(s.Start - q.Sentence.Start))
		b.WriteByte(' ')
		b.WriteString(strconv.Itoa(s.End - q.Sentence.Start))
		b.WriteByte(' ')
	}
	place(q.Mention.Span)
	for _, m := range q.Mentions {
		if q.Sentence.Contains(m.Span) {
			place(m.Span)
		}
	}
	b.WriteString("\n") // no number holds one
	b.WriteString(q.Sentence.Of(q.Text))
	return b.String()
}

// memoized is the model with an encoder and indexes that remember, where it has any.
func (m *Model) memoized() *Model {
	if m.Encoder == nil {
		return m
	}
	same := *m
	same.closers = nil
	if _, remembers := m.Encoder.(*Memoized); !remembers {
		same.Encoder = Memoize(m.Encoder)
	}
	same.Names.Index = memoizeIndex(m.Names.Index)
	same.Contexts.Index = memoizeIndex(m.Contexts.Index)
	return &same
}
