//go:build torch

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"ctxnorm"
	"ctxnorm/contrastive"
	"ctxnorm/contrastive/torch"
	"ctxnorm/tokenizer"
)

// train is the job of peer_train.py on the batches of makeBatches: tokenizing,
// encoding, mining, the loss, the backward pass and AdamW.
func train(args []string) error {
	flags := flag.NewFlagSet("train", flag.ContinueOnError)
	model := flags.String("model", "", "`folder` of the base model")
	data := flags.String("data", "", "`file` of marked sentences")
	pairs := flags.Int("pairs", 16, "concepts in a batch, two sentences of each")
	steps := flags.Int("steps", 10, "measured steps")
	warmup := flags.Int("warmup", 2, "steps before them")
	bfloat16 := flags.Bool("bf16", false, "multiply in bfloat16 instead of float32")
	freeze := flags.Bool("freeze-embeddings", false, "leave the embedding tables as they are, the program's default")
	if err := parse(flags, args, "model", "data"); err != nil {
		return err
	}
	from, err := exemplars(*data, 0)
	if err != nil {
		return err
	}
	config := trainingConfig(*pairs, *warmup+*steps)
	config.Precision = precision(*bfloat16)
	config.FreezeEmbeddings = *freeze
	work, err := os.MkdirTemp("", "ctxnorm-bench-train-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)

	var watch clock
	var seconds, cpu, first float64
	summary, err := torch.Train(context.Background(), torch.Training{
		Base: *model, Out: filepath.Join(work, "encoder"), Config: config, Contexts: from,
		Workers: runtime.GOMAXPROCS(0),
		Progress: func(at contrastive.Point, total int) {
			switch at.Step {
			case 1:
				first = at.Loss
			case total:
				seconds, cpu = watch.seconds(), watch.cpuSeconds()
			}
			if at.Step == *warmup {
				watch = start()
			}
		},
	})
	if err != nil {
		return err
	}
	sentences := 2 * *pairs * *steps
	tokens, err := tokensOf(*model, from, config, *warmup)
	if err != nil {
		return err
	}
	return line{
		"job": "train", "versions": torchVersions(), "dtype": summary.Precision, "batch": 2 * *pairs,
		"max_tokens": config.MaxTokens, "steps": *steps, "sentences": sentences, "real_tokens": tokens,
		"first_loss": rounded(first, 4), "last_loss": rounded(summary.Loss, 4),
		"seconds": rounded(seconds, 3), "cpu_seconds": rounded(cpu, 3),
		"sentences_per_s":   rounded(float64(sentences)/seconds, 2),
		"real_tokens_per_s": rounded(float64(tokens)/seconds, 1),
	}.print()
}

// tokensOf counts the tokens of the batches behind the first warmup, padding left
// out.
func tokensOf(model string, from []ctxnorm.Exemplar, c contrastive.Config, warmup int) (int, error) {
	sampler, err := contrastive.NewSampler(contrastive.Items(from), c.Pairs, c.Seed)
	if err != nil {
		return 0, err
	}
	var drawn []ctxnorm.Query
	for step := warmup; step < c.Steps; step++ {
		for _, draw := range sampler.Batch(step) {
			drawn = append(drawn, from[draw.Item].Query)
		}
	}
	return countTokens(model, drawn, tokenizer.Options{MaxTokens: c.MaxTokens, MarkAll: c.MarkAll})
}

// countTokens counts the tokens of the queries, padding left out.
func countTokens(model string, queries []ctxnorm.Query, o tokenizer.Options) (int, error) {
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

func precision(bfloat16 bool) contrastive.Precision {
	if bfloat16 {
		return contrastive.PrecisionBFloat16
	}
	return contrastive.PrecisionFloat32
}

func torchVersions() map[string]string {
	return versions("github.com/sugarme/gotch", "github.com/daulet/tokenizers")
}
