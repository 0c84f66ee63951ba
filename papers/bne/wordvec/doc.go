// Package wordvec trains word vectors by skip-gram with negative sampling.
//
// For basic usage, call [Train] on a sequence of documents, each a slice of words, and ask
// the [Vectors] for the vector of a word or the mean of several.
// [Vectors.Save] and [Open] write and read a folder. [Words] splits a text, and
// [Annotated] makes the sequences with name and concept tokens of the BNE paper.
//
// # The model
//
// Mikolov et al., "Distributed Representations of Words and Phrases and their
// Compositionality", NeurIPS 2013, eq. 4. Every word w has an input vector u_w, which is the
// result, and an output vector v_w. For each word w_t and each word w_c in a window around it,
// training maximizes
//
//	log s(v_c · u_t) + sum over k noise words n of log s(-v_n · u_t),   s(x) = 1/(1+e^-x)
//
// by stochastic gradient descent. The width of a window is uniform between 1 and
// Config.Window; a noise word has a probability in proportion to its count to the power .75, and is
// skipped if it is w_c; frequent words are dropped at random before windows are laid. All of
// it is as in the authors' program and in Gensim, with which Phan et al. (ACL 2019) trained.
//
// # Parallel and deterministic
//
// Programs for word vectors usually let threads overwrite each other's updates, and so give
// other vectors each time. Here the same documents, settings and kind of processor give the
// same bytes for any number of workers:
//
// Each term of the sum above, a word, another word and a sign, is a step of its own, which
// reads and changes one input and one output vector. The steps of a batch of some 32,000
// words of text are sampled by random numbers that depend on the seed and the position of
// the document alone, then divided by their vectors: the input vectors are in 16 blocks, the
// output vectors too, so that the steps fall into 256 cells. In 16 rounds, workers take the
// 16 cells of a diagonal, no two of which share a vector:
//
//	          output blocks
//	          0 1 2 3            round 0: cells a, round 1: cells b, …
//	input  0  a b c d
//	blocks 1  d a b c            Gemulla et al., "Large-Scale Matrix Factorization with
//	       2  c d a b            Distributed Stochastic Gradient Descent", KDD 2011, the
//	       3  b c d a            strata of section 4
//
// So the result is that of taking the steps one after the other in a fixed order, and no
// step sees stale vectors. The cost is the division of the steps, 3 % of the time; that
// no more than 16 workers have something to do; and 16 bytes of memory a step, some 25 MB a
// batch with 5 noise words and a window of 6.
//
// Measured on one core with AVX2: 128,000 words a second with the default settings (450,677
// words, 11,615 of them distinct, 3.5 s of processor time with counting), where Gensim 4 took
// 5.1 s without counting.
//
// NB: a step changes the input vector at once. The programs above add up the changes of a
// word, its context word and its noise words first.
package wordvec
