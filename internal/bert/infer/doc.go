// Package infer computes BERT encoders in Go: tokens -> hidden states -> unit vectors of spans, on
// any processor. Call [New] with the weights that [bert.ReadCheckpoint] reads, and
// [Network.Vectors] for each batch that [Network.Batches] cuts.
//
// A batch has no padding: its tokens stand one after another, and attention is computed sentence by
// sentence. The last layer computes the tokens that are pooled, alone. The steps of a layer are those of
// package kernels, in the instruction set of the processor.
//
// INVARIANT: on one processor the vector of a span has the same bits in every batch.
package infer
