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
// Tag rejects most words by a Bloom filter of those that keys begin with, and follows the others by one of the beginnings
// of keys (BenchmarkTag).
package matcher
