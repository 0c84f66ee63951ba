// Package link finds the concept that a mention names.
//
// A [Model] is what training leaves behind: a folder with the dictionary, the
// encoder, and the vectors of the dictionary's bare names and of sampled
// contexts in which those names stand. For basic usage, [Open] a model, turn
// documents into queries with [Queries], and ask the linker of [NewRanker].
// To make a model, gather contexts with [Contexts], thin them with [Sample] and
// call [Build].
//
// A [Reading] stands before a linker: it writes abbreviations out and takes
// composite mentions apart. The linkers are [Ranker] (all that is known of a mention,
// joined by weights that were learnt without labels), [Voter] (k nearest exemplars
// vote, as in BioCoM, or weigh in by similarity with the names beside them), and two
// that need no encoder: [Exact] and [Likeness].
//
// To measure what a part of the ranking is worth, rank without it ([PartRankers]); to
// measure what becomes of mentions that no concept fits, take concepts out of a model
// ([Model.Without]).
package link
