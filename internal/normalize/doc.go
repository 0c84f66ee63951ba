// Package normalize computes the forms in which strings are compared: what counts as a
// word, when two names are equal, which spellings are variants of each other, and what
// looks like an acronym.
//
// To compare names, call [Normal]: case, accents, punctuation and width do not count. To
// compare them with case, call [Cased]. For text that is normalized often, as by a tagger,
// use a [Normalizer], which reuses its memory and keeps the offsets of the words.
//
// To compare names word by word, call [CanonicalTokens], which gives each word one
// spelling and its singular. [Stem] returns what a noun shares with its adjective, as
// "epilepsy" and "epileptic". A [SpellingCorrector] corrects typing errors by the words of
// names. The tests for acronyms and short forms are in acronym.go.
//
// No other package has string forms of its own.
package normalize
