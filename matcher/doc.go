// Package matcher goes from strings to concepts: by equality, by what a text
// holds, and by likeness.
//
// To find the names of a dictionary in text, use [NewTagger] with
// [DefaultClean]; [Tagger.WriteTo] and [ReadTagger] keep it on disk. To look up
// one name, use [NewExact] for equality and [NewLexical] for the names most like
// it: by [Spelling], by parts of words, and by words that [LearnTranslations]
// finds to stand for each other. [NewTFIDF] is the plainer index that it is
// compared with. [Abbreviations] finds the definitions of short forms in a
// document, [NewExpander] puts long forms in their place, and [SplitComposite]
// takes a mention of several concepts apart. All of them but the last compare
// names in the normal form of [Normalize].
//
// A tagger goes through these stages:
//
//	Clean       a dictionary    -> the names worth looking for, and how they are to be written
//	trie        names           -> tokens to names
//	Tag         text            -> tokens -> the longest name at each
//	vellum      names           -> a transducer, the form on disk; made where a tagger is written
//
// vellum walked byte by byte tags 14 MB of text a second and core; the trie of
// tokens, behind a filter of those that begin names, several times that
// (BenchmarkTag). It takes 0.13 s and 6 MB to make for 84 k names.
package matcher
