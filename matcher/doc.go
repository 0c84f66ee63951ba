// Package matcher finds the names of a dictionary in text.
//
// To find names, use [NewTagger] with [DefaultNameFilter]. [Tagger.Write] and [Open] store a tagger on disk. To look up
// a single name, or the names most similar to it, use NewDictionaryModel of package ctxnorm instead.
//
// A tagger is built and used in these stages:
//
//	NameFilter  dictionary -> the names worth looking for, each with a case rule
//	builder     names      -> an index of their keys, shared by names that differ only in spelling
//	Open        file       -> the same index, memory-mapped: nothing is read or built at start
//	Tag         text       -> words -> the ways to read them -> the longest name at each word
//
// The keys are stored in a transducer of vellum, as sequences of word numbers. For each word, a table caches whether
// keys begin with it and which words may follow, so that most words of a text cost one lookup (BenchmarkTag).
package matcher
