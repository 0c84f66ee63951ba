package model

import (
	"context"

	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// Vectors holds the encoder of a model and its vectors. A model has all of them or none.
type Vectors struct {
	Encoder  text.Encoder
	Names    VectorIndex // row i is the vector of row i of [Model.Names]
	Contexts VectorIndex // row i is the vector of row i of [Model.Contexts]
	// Sentences holds the vector of the sentence of each row of Contexts, without its mention.
	Sentences *knnindex.Vectors

	base func() (*baseEncoder, error) // opens the base encoder on the first call; returns nil if the model has none
}

// VectorIndex holds vectors and the index over them.
type VectorIndex struct {
	Vectors *knnindex.Vectors
	Index   knnindex.Index
}

// flatIndex returns vectors with an index that compares all of them.
func flatIndex(vectors *knnindex.Vectors) VectorIndex {
	return VectorIndex{vectors, knnindex.NewFlat(vectors)}
}

// Nearest encodes the queries and searches rows for each. It returns the vectors, a row-major matrix of len(queries) x
// the encoder's dimension, and the hits of each query: the k nearest rows, most similar first. A query listed by
// [Vectors.Encode] as unread has no hits.
func (v *Vectors) Nearest(
	ctx context.Context, queries []text.Query, rows *VectorIndex, k int,
) (vectors []float32, hits [][]knnindex.Hit, err error) {
	vectors, unread, err := v.Encode(ctx, queries)
	if err != nil {
		return nil, nil, err
	}
	if hits, err = rows.Index.SearchBatch(ctx, vectors, k, 0); err != nil {
		return nil, nil, err
	}
	for _, i := range unread {
		hits[i] = nil
	}
	return vectors, hits, nil
}
