package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/encoder"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// began is when the program began, which has no libraries to load.
var began = time.Now()

// encode is the job of peer_link.py: sentences to vectors, their nearest neighbors in
// an index, and the neighbors' vote.
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
	rows, err := knnindex.OpenNPY(filepath.Join(o.Dir, "vectors.npy"))
	if err != nil {
		return nil, err
	}
	written, err := knnindex.OpenNPY(filepath.Join(o.Dir, "labels.npy"))
	if err != nil {
		return nil, err
	}
	if rows.Dim != encoder.Dim() {
		return nil, fmt.Errorf("%s: vectors of %d dimensions, want %d", o.Dir, rows.Dim, encoder.Dim())
	}
	labels := make([]int32, len(written.Data))
	for i, label := range written.Data {
		labels[i] = int32(label)
	}
	index := knnindex.NewFlat(rows)

	ctx := context.Background()
	vectors := make([]float32, len(queries)*encoder.Dim())
	if err := encoder.Encode(ctx, vectors[:encoder.Dim()], queries[:1]); err != nil {
		return nil, err
	}
	hits, err := index.SearchBatch(ctx, vectors[:encoder.Dim()], neighbors, 0)
	if err != nil {
		return nil, err
	}
	majority(hits, labels)
	startup := time.Since(began).Seconds()

	l := line{"versions": versions(), "precision": o.Precision, "sentences": len(queries), "max_tokens": settings.MaxTokens,
		"vectors": index.Len(), "dim": encoder.Dim(), "k": neighbors, "startup_seconds": startup}
	var encoded float64
	total, err := l.measure("", func() error {
		if encoded, err = l.measure("encode_", func() error { return encoder.Encode(ctx, vectors, queries) }); err != nil {
			return err
		}
		if hits, err = index.SearchBatch(ctx, vectors, neighbors, 0); err == nil {
			l["distinct_answers"] = majority(hits, labels)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	l["encode_per_s"], l["together_per_s"] = float64(len(queries))/encoded, float64(len(queries))/total
	l["real_tokens"], err = countTokens(o.Model, queries, tokenizer.Options{MaxTokens: settings.MaxTokens, MarkAll: settings.MarkAll})
	return []line{l}, err
}

// majority lets the neighbors of every query vote and returns the number of distinct
// winners.
func majority(hits [][]knnindex.Hit, labels []int32) int {
	winners := map[int32]bool{}
	for i := range hits {
		votes := knnindex.MajorityVotes(hits[i], func(row int32) []int32 { return labels[row : row+1] })
		winners[votes[0].Concept] = true
	}
	return len(winners)
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
