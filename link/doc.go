// Package link links mentions to the concepts of a dictionary.
//
// For basic usage, [model.Open] a model, turn a document into queries with [Queries], and link
// them with a [NewRanker] behind a [NewMentionResolver]. The resolver expands
// abbreviations and splits composite mentions; without it "CD" in "coeliac disease (CD)"
// is linked as the two letters that it is. To build a model, make exemplars of the
// corpus with [model.ContextExemplars] and call [calibrate.Build].
//
// The linkers are [Ranker], which combines all components of a model by learned weights;
// [Voter], in which the nearest exemplars vote as in BioCoM; and two that need no
// encoder, [ExactLinker] and [StringLinker].
//
// To measure what a component contributes, rank without it ([calibrate.Ablation]). To measure
// what becomes of mentions whose concept is unknown, hold concepts out of a model
// ([model.Model.HoldOut]).
package link
