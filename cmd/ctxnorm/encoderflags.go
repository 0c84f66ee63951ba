package main

import (
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/contrastive"
)

// registerEncoder makes the flags of how an encoder computes.
func registerEncoder(flags *pflag.FlagSet, o *ctxnorm.EncoderOptions) {
	flags.StringVar(&o.Device, "device", "cpu", "device of the encoder: cpu or cuda")
	flags.StringVar((*string)(&o.Precision), "precision", "auto", "precision of matrix products: auto, float32 or bfloat16")
	flags.IntVar(&o.Workers, "workers", 0, "number of cores to use (default: all)")
}

// encoderOptionFlags names the flags of [ctxnorm.EncoderOptions].
var encoderOptionFlags = map[string]string{"Device": "device", "Precision": "precision", "Workers": "workers"}

// registerConfig makes a flag of each setting of training.
func registerConfig(flags *pflag.FlagSet, c *contrastive.Config) {
	flags.IntVar(&c.Steps, "steps", c.Steps, "number of batches; 0 derives it from the number of exemplars")
	flags.IntVar(&c.ConceptsPerBatch, "concepts-per-batch", c.ConceptsPerBatch, "concepts in a batch, with two exemplars each")
	flags.Float64Var(&c.NameBatchRatio, "name-batch-ratio", c.NameBatchRatio, "ratio of batches of bare names, 0 to 1; the others are batches of contexts")
	registerLoss(flags, "context", &c.ContextLoss)
	registerLoss(flags, "names", &c.NameLoss)
	flags.Float64Var(&c.LearningRate, "learning-rate", c.LearningRate, "peak learning rate, after the warm-up")
	flags.Float64Var(&c.WeightDecay, "weight-decay", c.WeightDecay, "weight decay of AdamW, on weight matrices")
	flags.Float64Var(&c.WarmupRatio, "warmup-ratio", c.WarmupRatio, "ratio of steps in which the learning rate rises")
	flags.Float64Var(&c.ClipNorm, "clip-norm", c.ClipNorm, "largest norm of the gradient; 0 never clips")
	flags.IntVar(&c.MaxTokens, "max-tokens", c.MaxTokens, "longest input in tokens")
	flags.StringVar((*string)(&c.Pooling), "pooling", string(c.Pooling), "pooling of a mention: span (mean over the marked span) or ent (state at its marker)")
	flags.BoolVar(&c.MarkAll, "mark-all", c.MarkAll, "mark every mention of a sentence, not only the queried one")
	flags.Float64Var(&c.SynonymReplaceProb, "synonym-replace-prob", c.SynonymReplaceProb, "probability that the second context of a pair gets another name of the concept as its mention")
	flags.Float64Var(&c.WeightInterpolation, "weight-interpolation", c.WeightInterpolation, "weight of the base model in the average with the trained weights, 0 to below 1")
	flags.BoolVar(&c.FreezeEmbeddings, "freeze-embeddings", c.FreezeEmbeddings, "leave the embedding tables unchanged")
	flags.IntVar(&c.ValidateEvery, "validate-every", c.ValidateEvery, "steps between validations; 0 validates twenty times, -1 never")
	flags.IntVar(&c.CheckpointEvery, "checkpoint-every", c.CheckpointEvery, "steps between checkpoints; -1 writes none")
}

func registerLoss(flags *pflag.FlagSet, what string, s *contrastive.MultiSimilarity) {
	flags.Float64Var(&s.Alpha, what+"-alpha", s.Alpha, "Multi-Similarity loss on batches of "+what+": alpha, the weight of positives")
	flags.Float64Var(&s.Beta, what+"-beta", s.Beta, "Multi-Similarity loss on batches of "+what+": beta, the weight of negatives")
	flags.Float64Var(&s.Lambda, what+"-lambda", s.Lambda, "Multi-Similarity loss on batches of "+what+": lambda, the offset of similarities")
	flags.Float64Var(&s.Epsilon, what+"-epsilon", s.Epsilon, "Multi-Similarity loss on batches of "+what+": epsilon, the margin of pair mining")
}
