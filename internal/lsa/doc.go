// Package lsa computes word vectors by latent semantic analysis: words that stand in the same texts have similar
// vectors, and a text is near another that speaks of the same thing in other words.
//
// For basic usage, call [Train] on texts, each a set of words, and compare what
// [Space.Vector] returns for two texts. [Space.Write] and [Open] write and read a space.
//
// Source: Deerwester et al., "Indexing by latent semantic analysis", JASIS 41(6), 1990. Let A be the matrix of texts
// and words, in which a word that stands in a text has its inverse document frequency ln(texts/texts with the word),
// and each row is scaled to unit length. The vector of a word is its row of the right singular vectors of A that belong
// to the greatest singular values. The vector of a text is the sum of its words' vectors, each times its inverse
// document frequency. [Matrix.Right] computes singular vectors of any sparse matrix.
package lsa
