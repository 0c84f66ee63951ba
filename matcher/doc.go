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
// The keys are a transducer of vellum over the numbers of their words. Of each word, a table remembers whether keys begin
// with it and which words may be next, so that most words of a text cost one look (BenchmarkTag).
package matcher
