package model

import (
	"context"

	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// recallingEncoder takes the vectors of what an earlier model encoded from the files of that model,
// and encodes the rest. It must not be used after the earlier model is closed.
type recallingEncoder struct {
	text.Encoder
	rows map[string][]float32 // vector by [encodedText]
}

// recall returns the encoder with the vectors of an earlier model's names, contexts and sentences. It
// returns the encoder itself if that of the earlier model is another.
func recall(earlier *Model, encoder text.Encoder) (text.Encoder, error) {
	v := earlier.Vectors
	if v == nil || v.Encoder.Fingerprint() != encoder.Fingerprint() {
		return encoder, nil
	}
	names, err := earlier.Names.Exemplars()
	if err != nil {
		return nil, err
	}
	contexts, err := earlier.Contexts.Exemplars()
	if err != nil {
		return nil, err
	}
	r := &recallingEncoder{encoder, make(map[string][]float32, len(names)+2*len(contexts))}
	r.add(names, v.Names.Vectors)
	r.add(contexts, v.Contexts.Vectors)
	r.add(sentencesOf(contexts), v.Sentences)
	return r, nil
}

func (r *recallingEncoder) add(rows []text.Exemplar, vectors *knnindex.Vectors) {
	for i := range rows {
		r.rows[encodedText(&rows[i].Query)] = vectors.Row(i)
	}
}

// known returns the number of rows that need not be encoded.
func (r *recallingEncoder) known(rows []text.Exemplar) (n int) {
	for i := range rows {
		if r.rows[encodedText(&rows[i].Query)] != nil {
			n++
		}
	}
	return n
}

// Encode implements [text.Encoder].
func (r *recallingEncoder) Encode(ctx context.Context, dst []float32, queries []text.Query) error {
	dim := r.Dim()
	var unknown []text.Query
	var places []int // of these in queries
	for i := range queries {
		if row := r.rows[encodedText(&queries[i])]; row != nil {
			copy(dst[i*dim:], row)
			continue
		}
		unknown, places = append(unknown, queries[i]), append(places, i)
	}
	if len(unknown) == 0 {
		return nil
	}
	vectors := make([]float32, len(unknown)*dim)
	if err := r.Encoder.Encode(ctx, vectors, unknown); err != nil {
		return err
	}
	for i, place := range places {
		copy(dst[place*dim:], vectors[i*dim:(i+1)*dim])
	}
	return nil
}
