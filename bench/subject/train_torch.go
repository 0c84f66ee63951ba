//go:build torch

package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/encoder"
	"github.com/ctxnorm/ctxnorm/internal/train"
	"github.com/ctxnorm/ctxnorm/text"
)

func init() { jobs["train"] = runTraining }

// runTraining is the job of peer_train.py on the batches of makeBatches: tokenizing,
// encoding, mining, the loss, the backward pass and AdamW.
func runTraining(o *options) {
	exemplars, _ := readExemplars(o.Data, 0)
	config := trainingConfig(o.Warmup + o.Steps)
	config.Precision = contrastive.Precision(o.Precision)
	config.FreezeEmbeddings = o.Freeze
	work := harness.Get(os.MkdirTemp("", "ctxnorm-bench-train-"))
	defer os.RemoveAll(work)
	var watch clock
	var seconds, cpu, first float64
	harness.Get(train.Train(context.Background(), train.Training{
		Base: o.Model, Out: filepath.Join(work, "encoder"), Task: harness.Get(contrastive.NewBioCoM(config, exemplars, nil)),
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
	}))
	sampler := harness.Get(contrastive.NewSampler(exemplars, config.ConceptsPerBatch, config.Seed))
	var queries []text.Query // of the measured batches
	for step := o.Warmup; step < config.Steps; step++ {
		for _, item := range sampler.Batch(step) {
			queries = append(queries, exemplars[item.Exemplar].Query)
		}
	}
	sentences := 2 * pairs * o.Steps
	line{
		"batch": 2 * pairs, "max_tokens": config.MaxTokens, "steps": o.Steps, "sentences": sentences,
		"real_tokens": countTokens(o.Model, queries, encoder.SettingsOf(config)),
		"first_loss":  first, "cpu_seconds": cpu, "sentences_per_s": float64(sentences) / seconds,
	}.print()
}
