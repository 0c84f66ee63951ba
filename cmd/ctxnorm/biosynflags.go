package main

import (
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm/contrastive"
)

// registerBioSyn adds the flags of the methods biosyn and bert-ranking. Their defaults are the values in s.
func registerBioSyn(flags *pflag.FlagSet, s *contrastive.BioSynSettings) {
	flags.StringVar((*string)(&s.Objective), "objective", string(s.Objective), "loss of a mention's candidates: marginal (summed probability of the right ones), hard-em (the most probable right one) or pairwise (methods biosyn and bert-ranking)")
	flags.IntVar(&s.Candidates.PerMention, "candidates", s.Candidates.PerMention, "number of names that are ranked for a mention, at least 2 (methods biosyn and bert-ranking)")
	flags.Float64Var(&s.Candidates.DenseRatio, "dense-ratio", s.Candidates.DenseRatio, "share of the candidates that are nearest by the encoder, 0 to 1; the others are nearest by strings (method biosyn)")
	flags.BoolVar(&s.Candidates.Fixed, "fixed-candidates", s.Candidates.Fixed, "retrieve candidates once, and not every epoch with the current encoder (methods biosyn and bert-ranking)")
	flags.IntVar(&s.MentionsPerBatch, "mentions-per-batch", s.MentionsPerBatch, "number of mentions in a batch, at least 1 (methods biosyn and bert-ranking)")
	flags.Float64Var(&s.DenseScale, "dense-scale", s.DenseScale, "dense score of a name with the vector of the mention, above 0 (methods biosyn and bert-ranking)")
	flags.Float64Var(&s.InitialSparseWeight, "initial-sparse-weight", s.InitialSparseWeight, "weight of the sparse scores before training (method biosyn)")
	flags.Float64Var(&s.SparseLearningRate, "sparse-learning-rate", s.SparseLearningRate, "highest learning rate of the weight of the sparse scores, 0 or more (method biosyn)")
}
