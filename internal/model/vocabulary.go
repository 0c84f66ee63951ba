package model

import (
	"context"
	"sync/atomic"

	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// TokenCounter is a [text.Encoder] that can count the tokens of a text that its vocabulary lacks.
type TokenCounter interface {
	// CountTokens returns the number of tokens of a text, and the number of those that the encoder does not know and
	// reads as [UNK].
	CountTokens(s string) (tokens, unknown int)
}

// TokenInfo counts the tokens of texts.
type TokenInfo struct {
	Tokens  int64 `json:"tokens"`
	Unknown int64 `json:"unknown"` // not in the vocabulary
}

// UnknownShare returns the share of the tokens that the vocabulary lacks.
func (i TokenInfo) UnknownShare() float64 {
	if i.Tokens == 0 {
		return 0
	}
	return float64(i.Unknown) / float64(i.Tokens)
}

// CountTokens counts the tokens of the sentences of exemplars; the sentence of a bare name is the name itself. unread
// lists the rows that have only unknown tokens.
func CountTokens(ctx context.Context, counter TokenCounter, rows []text.Exemplar,
	workers int) (info TokenInfo, unread []int, err error) {
	var tokens, unknown atomic.Int64
	nothing := make([]bool, len(rows))
	err = parallel.For(ctx, len(rows), workers, func(i int) {
		all, lacking := counter.CountTokens(rows[i].Sentence.Of(rows[i].Text))
		tokens.Add(int64(all))
		unknown.Add(int64(lacking))
		nothing[i] = lacking == all
	})
	for i := range nothing {
		if nothing[i] {
			unread = append(unread, i)
		}
	}
	return TokenInfo{tokens.Load(), unknown.Load()}, unread, err
}

// Encode returns the vectors of queries, a row-major matrix of len(queries) x the encoder's dimension. unread lists the
// bare mentions that have only unknown tokens. They would all share one vector, so theirs are set to zero.
func (v *Vectors) Encode(ctx context.Context, queries []text.Query) (vectors []float32, unread []int, err error) {
	dim := v.Encoder.Dim()
	rows := &knnindex.Vectors{Dim: dim, Data: make([]float32, len(queries)*dim)}
	if err := v.Encoder.Encode(ctx, rows.Data, queries); err != nil {
		return nil, nil, err
	}
	counter := tokenCounter(v.Encoder)
	if counter == nil {
		return rows.Data, nil, nil
	}
	for i := range queries {
		q := &queries[i]
		if q.Mention.Span != q.Sentence { // it also has a context
			continue
		}
		if tokens, unknown := counter.CountTokens(q.Surface()); tokens == unknown {
			unread = append(unread, i)
		}
	}
	clearRows(rows, unread)
	return rows.Data, unread, nil
}

// tokenCounter returns the encoder that counts tokens, unwrapping those of this package, or nil if there is none.
func tokenCounter(e text.Encoder) TokenCounter {
	switch e := e.(type) {
	case *memoizedEncoder:
		return tokenCounter(e.encoder)
	case TokenCounter:
		return e
	}
	return nil
}

// countTokens adds the token counts of names and contexts to the manifest. It returns the rows of names that have only
// unknown tokens, which the encoder cannot tell apart. It returns nil if the encoder does not count tokens.
func (b *building) countTokens(ctx context.Context) (unread []int, err error) {
	counter, ok := b.Encoder.(TokenCounter)
	if !ok {
		return nil, nil
	}
	var names, contexts TokenInfo
	if names, unread, err = CountTokens(ctx, counter, b.names, b.Workers); err != nil {
		return nil, err
	}
	contexts, _, err = CountTokens(ctx, counter, b.contexts, b.Workers)
	index := &b.manifest.Index
	index.NameTokens, index.ContextTokens, index.Unread = &names, &contexts, len(unread)
	return unread, err
}

// clearRows sets rows of vectors to zero, so they are similar to nothing. Otherwise all names with only unknown tokens
// would share a vector and match each other.
func clearRows(v *knnindex.Vectors, rows []int) {
	for _, row := range rows {
		clear(v.Row(row))
	}
}
