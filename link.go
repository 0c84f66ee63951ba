package ctxnorm

import "context"

// Evidence is an exemplar that spoke for a candidate.
type Evidence struct {
	Exemplar   *Exemplar
	Similarity float32 // cosine of the query's vector and the exemplar's
}

// Candidate is a concept that a mention may name.
type Candidate struct {
	Concept     ConceptID
	Score       float64    // what candidates are ranked by; comparable within one query
	Probability float64    // in [0, 1]; 0 from a linker that is not calibrated
	Votes       int        // exemplars among the nearest that are of this concept
	Evidence    []Evidence // those exemplars, the most similar first
}

// Encoder turns queries into vectors.
type Encoder interface {
	// Dim is the length of a vector.
	Dim() int
	// Fingerprint changes when the weights, the tokenizer, the markers or the
	// pooling change, so that vectors of two encoders are never compared.
	Fingerprint() string
	// Encode writes the vector of queries[i] to dst[i*Dim() : (i+1)*Dim()].
	// Each is of unit length and free of NaN, and does not depend on the other
	// queries (to 1e-5 in float32). It is safe for concurrent use.
	Encode(ctx context.Context, dst []float32, queries []Query) error
}

// Linker finds the concepts that mentions name.
type Linker interface {
	Name() string
	// Link gives one list of at most k candidates for each query: distinct
	// concepts, the best score first, ties in the order of IDs, none for NIL.
	// The same queries give the same lists in every process.
	Link(ctx context.Context, queries []Query, k int) ([][]Candidate, error)
}
