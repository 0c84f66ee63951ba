package link

import (
	"context"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Evidence is an exemplar that voted for a candidate.
type Evidence struct {
	Exemplar   *text.Exemplar
	Similarity float32 // cosine of the query's vector and the exemplar's vector
}

// Candidate is a concept that a mention may name.
type Candidate struct {
	Concept     kb.ConceptID
	Score       float64    // ranks the candidates of one query; not comparable between queries
	Probability float64    // in [0, 1]; 0 if the linker is not calibrated
	Votes       int        // number of nearest exemplars with this concept
	Evidence    []Evidence // those exemplars, in descending order of similarity
}

// Linker finds the concepts that mentions name.
type Linker interface {
	// Name returns the name of the linker in reports.
	Name() string

	// Link returns one list of at most k candidates for each query. The concepts
	// of a list are distinct, in descending order of score; ties are in the order
	// of IDs. An empty list means NIL. The same queries have the same result in
	// every process.
	Link(ctx context.Context, queries []text.Query, k int) ([][]Candidate, error)
}
