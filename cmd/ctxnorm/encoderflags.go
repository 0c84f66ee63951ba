package main

import (
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/contrastive"
)

// registerEncoder adds the flags of how an encoder computes.
func registerEncoder(flags *pflag.FlagSet, o *ctxnorm.EncoderOptions) {
	o.Device, o.Precision = "cpu", contrastive.PrecisionAuto
	registerChoice(flags, &o.Device, "device", []string{"cpu", "cuda"},
		"device that the encoder runs on: cpu, or cuda in a build for GPUs")
	registerChoice(flags, (*string)(&o.Precision), "precision", []string{"auto", "float32", "bfloat16", "int8"},
		"precision of the encoder's matrix products: float32, bfloat16, auto for the faster of these on this "+
			"processor, or int8, faster and less exact, which train refuses")
	flags.IntVar(&o.Workers, "workers", 0, "number of cores to use (default: all cores)")
}

// registerConfig adds a flag for each setting of training.
func registerConfig(flags *pflag.FlagSet, c *contrastive.Config) {
	flags.IntVar(&c.Steps, "steps", c.Steps, "number of batches to train on; 0 derives it from the number of exemplars")
	flags.IntVar(&c.ConceptsPerBatch, "concepts-per-batch", c.ConceptsPerBatch,
		"number of concepts in a batch, with two exemplars each")
	flags.Float64Var(&c.NameBatchRatio, "name-batch-ratio", c.NameBatchRatio,
		"share of the batches that hold bare names, 0 to 1; the others hold contexts")
	registerLoss(flags, "context", "contexts", &c.ContextLoss)
	registerLoss(flags, "names", "names", &c.NameLoss)
	flags.Float64Var(&c.LearningRate, "learning-rate", c.LearningRate, "peak learning rate, after the warm-up")
	flags.Float64Var(&c.WeightDecay, "weight-decay", c.WeightDecay,
		"weight decay of AdamW on the weight matrices, 0 or more")
	flags.Float64Var(&c.WarmupRatio, "warmup-ratio", c.WarmupRatio,
		"share of the steps in which the learning rate rises, 0 to below 1")
	flags.Float64Var(&c.ClipNorm, "clip-norm", c.ClipNorm, "largest norm of the gradient; 0 turns clipping off")
	flags.IntVar(&c.MaxTokens, "max-tokens", c.MaxTokens, "largest number of tokens of an input, at least 8")
	flags.StringVar((*string)(&c.Pooling), "pooling", string(c.Pooling),
		"pooling of a mention: span (mean over the mention's tokens), ent (state at its [ENT] marker), or without its "+
			"sentence: cls (state at [CLS]) or mean")
	flags.BoolVar(&c.MarkAll, "mark-all", c.MarkAll,
		"mark every mention of a sentence, and not only the one that is encoded")
	flags.Float64Var(&c.SynonymReplaceProb, "synonym-replace-prob", c.SynonymReplaceProb,
		"probability that the second mention of a pair is replaced by another name of its concept, 0 to 1")
	flags.Float64Var(&c.WeightInterpolation, "weight-interpolation", c.WeightInterpolation,
		"weight of the base model in the average with the trained weights, 0 to below 1")
	flags.BoolVar(&c.FreezeEmbeddings, "freeze-embeddings", c.FreezeEmbeddings,
		"keep the embedding tables of the base model unchanged")
	flags.IntVar(&c.ValidateEvery, "validate-every", c.ValidateEvery,
		"number of steps between validations; 0 validates twenty times, -1 never")
	flags.IntVar(&c.CheckpointEvery, "checkpoint-every", c.CheckpointEvery,
		"number of steps between checkpoints; -1 writes none")
}

func registerLoss(flags *pflag.FlagSet, what, whats string, s *contrastive.MultiSimilarity) {
	flags.Float64Var(&s.Alpha, what+"-alpha", s.Alpha, "Multi-Similarity loss on batches of "+whats+
		": alpha, the scale of the positive term")
	flags.Float64Var(&s.Beta, what+"-beta", s.Beta, "Multi-Similarity loss on batches of "+whats+
		": beta, the scale of the negative term")
	flags.Float64Var(&s.Lambda, what+"-lambda", s.Lambda, "Multi-Similarity loss on batches of "+whats+
		": lambda, the cosine that similarities are compared with, -1 to 1")
	flags.Float64Var(&s.Epsilon, what+"-epsilon", s.Epsilon, "Multi-Similarity loss on batches of "+whats+
		": epsilon, the margin of pair mining")
	flags.Float64Var(&s.TripletMargin, what+"-triplet-margin", s.TripletMargin, "Multi-Similarity loss on batches of "+
		whats+": if above 0, the margin of mining by triplets, as SapBERT does, in place of epsilon")
}
