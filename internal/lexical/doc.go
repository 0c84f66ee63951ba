// Package lexical finds the concepts of a dictionary whose names equal a string or are most similar to it. It needs no
// encoder.
//
// To look names up by equality, use [KeyIndex]. To search by similarity, use [Index]: it compares canonical tokens,
// character n-grams of words, and word synonyms that it learns from the dictionary, and paraphrases adjectives in the
// words of names. [WordIndex] stores the words of each name, their weights, and how often names that differ in one word
// belong to the same concept. [TFIDF] is a simpler index that serves as a baseline for Index in evaluations; the
// [GramIndex] below it scores single names instead of concepts.
//
// Package papers wraps these indexes as linkers.
package lexical
