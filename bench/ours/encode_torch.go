//go:build torch

package main

import (
	"context"
	"flag"
	"fmt"
	"runtime"

	"ctxnorm"
	"ctxnorm/contrastive"
	"ctxnorm/contrastive/torch"
	"ctxnorm/knnindex"
	"ctxnorm/tokenizer"
)

// encode is the job of peer_link.py: sentences to vectors, the nearest of an
// index, and their vote.
func encode(args []string) error {
	flags := flag.NewFlagSet("encode", flag.ContinueOnError)
	model := flags.String("model", "", "`folder` of the model")
	data := flags.String("data", "", "`file` of marked sentences")
	limit := flags.Int("sentences", 1000, "sentences to link, 0 for all")
	index := flags.String("index", "", "`file` of vectors to search, raw .f32")
	labels := flags.String("labels", "", "`file` of their labels, raw .i32")
	k := flags.Int("k", 15, "neighbours")
	bfloat16 := flags.Bool("bf16", false, "multiply in bfloat16 instead of float32")
	if err := parse(flags, args, "model", "data", "index", "labels"); err != nil {
		return err
	}
	from, err := exemplars(*data, *limit)
	if err != nil {
		return err
	}
	queries := make([]ctxnorm.Query, len(from))
	for i := range from {
		queries[i] = from[i].Query
	}
	settings := torch.Settings{Pooling: contrastive.PoolEnt, MaxTokens: contrastive.DefaultConfig().MaxTokens}
	encoder, err := torch.Open(*model, torch.Options{
		Precision: precision(*bfloat16), Settings: &settings, Workers: runtime.GOMAXPROCS(0),
	})
	if err != nil {
		return err
	}
	defer encoder.Close()
	l, err := newVoter(*index, *labels, encoder.Dim())
	if err != nil {
		return err
	}

	ctx := context.Background()
	vectors := make([]float32, len(queries)*encoder.Dim())
	if err := encoder.Encode(ctx, vectors[:encoder.Dim()], queries[:1]); err != nil {
		return err
	}
	hits, err := l.index.SearchBatch(ctx, vectors[:encoder.Dim()], *k, 0)
	if err != nil {
		return err
	}
	l.vote(hits)
	startup, err := sinceStart()
	if err != nil {
		return err
	}

	all := start()
	if err := encoder.Encode(ctx, vectors, queries); err != nil {
		return err
	}
	encoded := all.seconds()
	if hits, err = l.index.SearchBatch(ctx, vectors, *k, 0); err != nil {
		return err
	}
	searched := all.seconds()
	answers := l.vote(hits)
	total, cpu := all.seconds(), all.cpuSeconds()

	tokens, err := countTokens(*model, queries, tokenizer.Options{MaxTokens: settings.MaxTokens, MarkAll: settings.MarkAll})
	if err != nil {
		return err
	}
	distinct := map[int32]bool{}
	for _, answer := range answers {
		distinct[answer] = true
	}
	n := float64(len(queries))
	return line{
		"job": "encode", "versions": torchVersions(), "precision": precision(*bfloat16), "sentences": len(queries),
		"max_tokens": settings.MaxTokens, "real_tokens": tokens, "vectors": l.index.Len(), "dim": encoder.Dim(), "k": *k,
		"distinct_answers": len(distinct), "startup_seconds": rounded(startup, 3),
		"encode_seconds": rounded(encoded, 3), "search_seconds": rounded(searched-encoded, 3),
		"vote_seconds": rounded(total-searched, 3), "seconds": rounded(total, 3), "cpu_seconds": rounded(cpu, 3),
		"encode_per_s": rounded(n/encoded, 2), "search_per_s": rounded(n/(searched-encoded), 2),
		"together_per_s": rounded(n/total, 2),
	}.print()
}

// voter is an exact index whose rows vote.
type voter struct {
	index  *knnindex.Flat
	labels []int32
}

func newVoter(index, labels string, dim int) (*voter, error) {
	vectors, err := readVectors(index, dim)
	if err != nil {
		return nil, err
	}
	v := &voter{index: knnindex.NewFlat(vectors)}
	if v.labels, err = readNumbers[int32](labels); err != nil {
		return nil, err
	}
	if len(v.labels) != vectors.Len() {
		return nil, fmt.Errorf("%s: %d labels for %d vectors", labels, len(v.labels), vectors.Len())
	}
	for i, label := range v.labels {
		if label < 0 {
			return nil, fmt.Errorf("%s: label %d is %d, want 0 or more", labels, i, label)
		}
	}
	return v, nil
}

// vote gives the label that wins each vote.
func (v *voter) vote(hits [][]knnindex.Hit) []int32 {
	answers := make([]int32, len(hits))
	for i := range hits {
		votes := knnindex.MajorityVotes(hits[i], func(row int32) []int32 { return v.labels[row : row+1] })
		answers[i] = votes[0].Concept
	}
	return answers
}
