// Package matcher finds the names of a dictionary in text.
//
// For basic usage, use [NewTagger] with [DefaultNameFilter]. [Tagger.Write] and [Open] keep a tagger on disk. To look up
// one name, or the names most similar to it, use NewDictionaryModel of package ctxnorm instead.
//
// A tagger is made and used in these stages:
//
//	NameFilter  dictionary -> the names worth looking for, each with a case rule
//	builder     names      -> their variants, and an index: a transducer of vellum and arrays
//	Open        file       -> the same index, mapped: nothing is read or built at a start
//	Tag         text       -> words -> the longest name at each word, by the bytes of the transducer
//
// Of 84,000 names with their variants the index takes 49 bytes a name, of 4 million 66. Tag rejects most words by a Bloom
// filter and most others by the words that may follow them, and walks the transducer for the rest (BenchmarkTag).
package matcher
