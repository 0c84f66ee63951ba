// Package lsa computes word vectors by latent semantic analysis: words that occur in the same texts have similar
// vectors, and a text is near another one on the same topic even if that uses other words.
//
// For basic usage, call [Train] on texts, each a set of words, and compare the results of [Space.Vector] for two texts.
// [Space.Write] and [Open] write and read a space.
//
// Source: Deerwester et al., "Indexing by latent semantic analysis", JASIS 41(6), 1990. Let A be the matrix of texts
// and words, in which the entry of a word that occurs in a text is its inverse document frequency ln(texts/texts with
// the word), and each row is scaled to unit length. The vector of a word is its row of the right singular vectors of A
// with the greatest singular values. The vector of a text is the sum of its words' vectors, each multiplied by the
// word's inverse document frequency. [Matrix.Right] computes singular vectors of any sparse matrix.
package lsa
