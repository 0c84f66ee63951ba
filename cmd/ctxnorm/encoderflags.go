package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/model"
	"github.com/ctxnorm/ctxnorm/text"
)

// encoderFlags say how an encoder runs, not what it computes.
type encoderFlags struct {
	device    string
	precision string
	workers   int
}

func (e *encoderFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&e.device, "device", "cpu", "cpu or cuda")
	flags.StringVar(&e.precision, "precision", "auto", "of matrix products: auto, float32 or bfloat16")
	flags.IntVar(&e.workers, "workers", 0, "cores used (default: all)")
}

// check finds values that no build can run with, before anything is read.
func (e *encoderFlags) check() error {
	switch precision := contrastive.Precision(e.precision); {
	case e.device != "cpu" && e.device != "cuda":
		return fmt.Errorf("--device is %q, want cpu or cuda", e.device)
	case precision != contrastive.PrecisionAuto && precision != contrastive.PrecisionFloat32 && precision != contrastive.PrecisionBFloat16:
		return fmt.Errorf("--precision is %q, want auto, float32 or bfloat16", e.precision)
	case e.workers < 0:
		return fmt.Errorf("--workers is %d, want 0 (all cores) or more", e.workers)
	}
	return nil
}

// closingEncoder is an encoder that holds memory of its own.
type closingEncoder interface {
	model.Encoder
	io.Closer
}

// encoderTraining is a training run.
type encoderTraining struct {
	base       string // folder of the base model
	work       string // folder of checkpoints, the curve and the result
	config     contrastive.Config
	contexts   []text.Exemplar
	names      []text.Exemplar
	validation []text.Exemplar
	run        encoderFlags
	progress   func(p contrastive.LogEntry, steps int) // steps of the whole run
}

// trained is an encoder that was made for a model.
type trained struct {
	encoder closingEncoder
	dir     string          // where it lies, in the Hugging Face layout
	facts   json.RawMessage // of its training, for the model's manifest
	curve   []string        // files that draw the training
}

// registerConfig makes a flag of each setting of training.
func registerConfig(flags *pflag.FlagSet, c *contrastive.Config) {
	flags.IntVar(&c.Steps, "steps", c.Steps, "batches; 0 derives it from the number of exemplars")
	flags.IntVar(&c.ConceptsPerBatch, "pairs", c.ConceptsPerBatch, "concepts in a batch, two exemplars of each")
	flags.Float64Var(&c.NameBatchRatio, "name-share", c.NameBatchRatio, "share of batches made of bare names, the rest of contexts")
	registerLoss(flags, "context", &c.ContextLoss)
	registerLoss(flags, "names", &c.NameLoss)
	flags.Float64Var(&c.LearningRate, "learning-rate", c.LearningRate, "the highest, after warm-up")
	flags.Float64Var(&c.WeightDecay, "weight-decay", c.WeightDecay, "of weight matrices")
	flags.Float64Var(&c.WarmupRatio, "warmup-share", c.WarmupRatio, "share of steps in which the learning rate climbs")
	flags.Float64Var(&c.ClipNorm, "clip-norm", c.ClipNorm, "longest gradient; 0 never clips")
	flags.IntVar(&c.MaxTokens, "max-tokens", c.MaxTokens, "longest input in tokens")
	flags.StringVar((*string)(&c.Pooling), "pooling", string(c.Pooling), "vector of a mention: span (mean over the marked span) or ent (at its marker)")
	flags.BoolVar(&c.MarkAll, "mark-all", c.MarkAll, "mark every mention of a sentence, not only the one asked about")
	flags.Float64Var(&c.SynonymReplaceProb, "reword-mention", c.SynonymReplaceProb, "share of pairs of contexts of which one has another name of the concept for its mention")
	flags.Float64Var(&c.WeightInterpolation, "base-share", c.WeightInterpolation, "share of the base model's weights in the encoder, the trained ones have the rest")
	flags.BoolVar(&c.FreezeEmbeddings, "freeze-embeddings", c.FreezeEmbeddings, "leave the embedding tables as they are")
	flags.IntVar(&c.ValidateEvery, "validate-every", c.ValidateEvery, "steps between validations; 0 makes twenty, -1 none")
	flags.IntVar(&c.CheckpointEvery, "checkpoint-every", c.CheckpointEvery, "steps between checkpoints; -1 makes none")
}

func registerLoss(flags *pflag.FlagSet, what string, s *contrastive.MultiSimilarity) {
	flags.Float64Var(&s.Alpha, what+"-alpha", s.Alpha, "Multi-Similarity loss on "+what+": weight of positives")
	flags.Float64Var(&s.Beta, what+"-beta", s.Beta, "the same: weight of negatives")
	flags.Float64Var(&s.Lambda, what+"-base", s.Lambda, "the same: offset of similarities")
	flags.Float64Var(&s.Epsilon, what+"-epsilon", s.Epsilon, "the same: margin of its miner")
}
