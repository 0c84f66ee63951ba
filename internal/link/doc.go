// Package link links mentions to the concepts of a dictionary.
//
// For basic usage, use the root package, which combines these steps. To do it by hand, [model.Open] a model, turn a
// document into queries with [Queries], and link them with a [Ranker] behind a [NewMentionResolver]. The resolver
// expands abbreviations and splits composite mentions; without it "CD" in "coeliac disease (CD)" is linked as two
// letters.
//
// This package runs at query time. Package model builds and opens the model folder, and package link/calibrate learns
// its ranking weights and its default threshold.
//
// A query passes three stages:
//
//	MentionResolver     a mention -> plain names to link: long forms, sub-mentions
//	CandidateGenerator  a name in its sentence -> candidates with features: near names and
//	                    contexts, similar strings, relatives in the hierarchy
//	Ranker              features -> probabilities of the candidates and of NIL, by learned
//	                    weights; below MethodOptions.MinProbability the result is NIL
//
// Strings alone settle most mentions of running text, which are names. With [MentionResolver.AddCascade] these are
// ranked without the encoder, wherever calibration found that almost no answer changes.
//
// [Ranker] is a [Linker], and a MentionResolver accepts any Linker. Package papers implements those of other papers.
//
// To measure how much a component contributes, rank without it (Ablation of package link/calibrate). To measure how
// mentions of unknown concepts are linked, hold concepts out of a model ([model.Model.HoldOut]).
package link
