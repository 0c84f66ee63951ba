package text

import "context"

// Encoder turns queries into vectors. Implementations are safe for concurrent use.
type Encoder interface {
	// Dim returns the number of components of a vector.
	Dim() int

	// Fingerprint identifies the weights, the tokenizer, the markers and the pooling. Vectors of two encoders with
	// different fingerprints must not be compared.
	Fingerprint() string

	// Encode writes the vector of queries[i] to dst[i*Dim() : (i+1)*Dim()]. Each vector has unit length and no NaN, and
	// does not depend on the other queries (to 1e-5 in float32).
	Encode(ctx context.Context, dst []float32, queries []Query) error
}
