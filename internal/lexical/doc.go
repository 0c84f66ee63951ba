// Package lexical finds the concepts of a dictionary whose names equal a string or are
// most similar to it. It needs no encoder.
//
// To look names up by equality, use [KeyIndex]. To search by similarity, use [Index]: it compares canonical tokens,
// character n-grams of words, and word synonyms that it learns from the dictionary, and says in the words of names what
// an adjective says. [WordIndex] has the words of each name, how much they weigh, and how often names that differ in one
// are names of one concept. [TFIDF] is the simpler index that Index is compared with in evaluations; the [GramIndex]
// below it scores single names, and not concepts.
//
// Package papers wraps these indexes as linkers.
package lexical
