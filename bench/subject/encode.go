package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/encoder"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// encode is the job of peer_encode.py: sentences to vectors.
func encode(o *options) ([]line, error) {
	exemplars, _, err := readExemplars(o.Data, o.Sentences)
	if err != nil {
		return nil, err
	}
	queries := make([]text.Query, len(exemplars))
	for i := range exemplars {
		queries[i] = exemplars[i].Query
	}
	settings := encoder.Settings{Pooling: contrastive.PoolEnt, MaxTokens: contrastive.DefaultConfig().MaxTokens}
	encoder, err := encoder.Open(o.Model, encoder.Options{Precision: contrastive.Precision(o.Precision), Settings: &settings, Workers: runtime.GOMAXPROCS(0)})
	if err != nil {
		return nil, err
	}
	defer encoder.Close()
	ctx := context.Background()
	vectors := make([]float32, len(queries)*encoder.Dim())
	if err := encoder.Encode(ctx, vectors[:encoder.Dim()], queries[:1]); err != nil { // which packs the weights
		return nil, err
	}
	l := line{"precision": o.Precision, "sentences": len(queries), "max_tokens": settings.MaxTokens, "dim": encoder.Dim()}
	seconds, err := l.measure("encode_", func() error { return encoder.Encode(ctx, vectors, queries) })
	if err != nil {
		return nil, err
	}
	l["encode_per_s"] = float64(len(queries)) / seconds
	l["real_tokens"], err = countTokens(o.Model, queries, tokenizer.Options{MaxTokens: settings.MaxTokens, MarkAll: settings.MarkAll})
	return []line{l}, err
}

// countTokens counts the queries' tokens without padding.
func countTokens(model string, queries []text.Query, o tokenizer.Options) (int, error) {
	tokens, err := tokenizer.Open(model)
	if err != nil {
		return 0, err
	}
	defer tokens.Close()
	n := 0
	for i := range queries {
		in, err := tokens.Encode(&queries[i], o)
		if err != nil {
			return 0, fmt.Errorf("sentence %d: %w", i+1, err)
		}
		n += len(in.IDs)
	}
	return n, nil
}
