// Package ctxnorm holds the types that every part of the program shares: a
// [kb.Dictionary] of concepts, the [text.Document] in which they are mentioned, the
// [text.Query] that asks which concept a mention names, and the [link.Candidate] that
// answers it.
//
// The package imports the standard library only, and every other package
// imports it. To follow the data, read in this order:
//
//	corpus/dictionary   a user's file            -> Dictionary
//	matcher             Dictionary               -> Tagger (text -> Mentions)
//	corpus              PubMed + Tagger          -> Sentences with Mentions
//	contrastive         Exemplars                -> Encoder (Query -> vector)
//	knnindex            vectors                  -> nearest Exemplars
//	link                Encoder + index + names  -> Linker (Query -> Candidates)
//	eval                Linker + gold            -> figures
package ctxnorm
