//go:build torch

package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/encoder"
	"github.com/ctxnorm/ctxnorm/internal/train"
	"github.com/ctxnorm/ctxnorm/text"
)

// runTraining is the job of peer_train.py on the batches of makeBatches: tokenizing,
// encoding, mining, the loss, the backward pass and AdamW.
func runTraining(o *options) ([]line, error) {
	exemplars, _, err := readExemplars(o.Data, 0)
	if err != nil {
		return nil, err
	}
	config := trainingConfig(o.Warmup + o.Steps)
	config.Precision = contrastive.Precision(o.Precision)
	config.FreezeEmbeddings = o.Freeze
	work, err := os.MkdirTemp("", "ctxnorm-bench-train-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)

	task, err := contrastive.NewBioCoM(config, exemplars, nil)
	if err != nil {
		return nil, err
	}
	var watch clock
	var seconds, cpu, first float64
	summary, err := train.Train(context.Background(), train.Training{
		Base: o.Model, Out: filepath.Join(work, "encoder"), Task: task,
		Workers: runtime.GOMAXPROCS(0),
		Progress: func(at contrastive.LogEntry, total int) {
			switch at.Step {
			case 1:
				first = at.Loss
			case total:
				seconds, cpu = watch.seconds(), watch.cpuSeconds()
			}
			if at.Step == o.Warmup {
				watch = start()
			}
		},
	})
	if err != nil {
		return nil, err
	}
	sampler, err := contrastive.NewSampler(exemplars, config.ConceptsPerBatch, config.Seed)
	if err != nil {
		return nil, err
	}
	var queries []text.Query // of the measured batches
	for step := o.Warmup; step < config.Steps; step++ {
		for _, item := range sampler.Batch(step) {
			queries = append(queries, exemplars[item.Exemplar].Query)
		}
	}
	tokens, err := countTokens(o.Model, queries, encoder.SettingsOf(config))
	if err != nil {
		return nil, err
	}
	sentences := 2 * pairs * o.Steps
	return []line{{
		"versions": versions("github.com/sugarme/gotch", "github.com/daulet/tokenizers"), "dtype": summary.Precision, "batch": 2 * pairs,
		"max_tokens": config.MaxTokens, "steps": o.Steps, "sentences": sentences, "real_tokens": tokens,
		"first_loss": first, "last_loss": summary.Loss,
		"seconds": seconds, "cpu_seconds": cpu,
		"sentences_per_s":   float64(sentences) / seconds,
		"real_tokens_per_s": float64(tokens) / seconds,
	}}, nil
}
