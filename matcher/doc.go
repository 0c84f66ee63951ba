// Package matcher finds the names of a dictionary in text.
//
// For basic usage, use [NewTagger] with [DefaultNameFilter]. [Tagger.Write] and [Open] keep a tagger on disk. To look up
// one name, or the names most similar to it, use NewDictionaryModel of package ctxnorm instead.
//
// A tagger is made and used in these stages:
//
//	NameFilter  dictionary -> the names worth looking for, each with a case rule
//	builder     names      -> an index of their keys, which names that are only spelled otherwise share
//	Open        file       -> the same index, mapped: nothing is read or built at a start
//	Tag         text       -> words -> the ways to read them -> the longest name at each word
//
// The keys are a transducer of vellum. A word remembers where its readings lead from the start, so that most words of a
// text, with which no key begins, cost a look into a table (BenchmarkTag).
package matcher
