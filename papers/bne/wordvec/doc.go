// Package wordvec trains word vectors by skip-gram with negative sampling.
//
// For basic usage, call [Train] on a sequence of documents, each a slice of words, and ask the [Vectors] for the vector
// of a word or the mean of several. [Vectors.Save] and [Open] write and read a folder. [Words] splits a text, and
// [Text] turns documents into training text, optionally with the name and concept tokens of the BNE paper.
//
// # The model
//
// Mikolov et al., "Distributed Representations of Words and Phrases and their Compositionality", NeurIPS 2013, eq. 4.
// Every word w has an input vector u_w, which is the result, and an output vector v_w. For each word w_t and each word
// w_c in a window around it, training maximizes
//
//	log s(v_c · u_t) + sum over k noise words n of log s(-v_n · u_t),   s(x) = 1/(1+e^-x)
//
// by stochastic gradient descent. The width of a window is uniform between 1 and Config.Window; a noise word has a
// probability in proportion to its count to the power .75, and is skipped if it is w_c; frequent words are dropped at
// random before windows are chosen. All of this is the same in the authors' program and in Gensim, which Phan et al.
// (ACL 2019) used for training.
//
// The steps are taken one after the other on one core, so the same documents, settings and kind of processor give the
// same bytes. Programs that let threads overwrite each other's updates give other vectors each time.
//
// NB: each step changes the input vector at once. The programs above first add up the changes of a word, its context
// word and its noise words.
package wordvec
