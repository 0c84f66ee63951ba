// Package matcher finds the names of a dictionary in text.
//
// For basic usage, use [NewTagger] with [DefaultNameFilter]. [Tagger.WriteTo] and
// [ReadTagger] keep a tagger on disk. To look up one name, or the names most similar
// to it, use NewDictionaryModel of package ctxnorm instead.
//
// A tagger is made and used in these stages:
//
//	NameFilter  dictionary -> the names worth looking for, each with a case rule
//	trie        names      -> a tree of word numbers
//	Tag         text       -> words -> the longest name at each word
//	vellum      names      -> a transducer: the form on disk, made when a tagger is written
//
// A vellum transducer walked byte by byte tags 14 MB of text per second and core, the trie of words several times as
// much (BenchmarkTag).
package matcher
