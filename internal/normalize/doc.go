// Package normalize computes the forms in which strings are compared. It defines what counts as a word, when two names
// are equal, which spellings are variants of each other, and what looks like an acronym.
//
// To compare names regardless of case, accents, punctuation and width, call [Normal]. To compare them with case, call
// [Cased]. To normalize text repeatedly, as a tagger does, use a [Normalizer], which reuses its memory and keeps the
// offsets of the words.
//
// To compare names word by word, call [CanonicalTokens], which gives each word one spelling and its singular. [Stem]
// returns the stem that a noun shares with its adjective, such as "epilepsy" and "epileptic". A [SpellingCorrector]
// corrects typing errors using the words of names. The tests for acronyms and short forms are in acronym.go.
//
// No other package defines string forms of its own.
package normalize
