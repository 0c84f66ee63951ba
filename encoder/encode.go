package encoder

import (
	"context"
	"fmt"

	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// encodeChunk tokenizes the queries on all cores, splits them into batches and computes the batches on all cores. A
// sentence with several queries is computed once if the same mentions are marked in it for all of them.
func (e *Encoder) encodeChunk(ctx context.Context, dst []float32, queries []text.Query) error {
	inputs := make([]tokenizer.Input, len(queries))
	err := parallel.ForErr(ctx, len(queries), e.cores.N, func(i int) (err error) {
		if inputs[i], err = e.settings.Input(e.tokenizer, &queries[i]); err != nil {
			err = fmt.Errorf("query %d: %w", i, err)
		}
		return err
	})
	if err != nil {
		return err
	}
	sentences := bert.NewSentenceSet()
	var queriesOf [][]int // of each sentence
	for i, in := range inputs {
		row := sentences.Row(in)
		if row == len(queriesOf) {
			queriesOf = append(queriesOf, nil)
		}
		queriesOf[row] = append(queriesOf[row], i)
	}
	batches := e.backend.Batches(sentences.Inputs, e.cores.N)
	return e.cores.Each(ctx, len(batches), func(i int) error {
		return e.encodeBatch(dst, inputs, sentences.Inputs, queriesOf, batches[i])
	})
}

// encodeBatch computes the vectors of all inputs with a sentence of the batch.
func (e *Encoder) encodeBatch(dst []float32, inputs, sentences []tokenizer.Input, queriesOf [][]int,
	batch []int) error {
	rows := make([]*tokenizer.Input, len(batch))
	var spans []bert.PooledSpan
	var queries []int // position in dst for each span
	for row, sentence := range batch {
		rows[row] = &sentences[sentence]
		for _, i := range queriesOf[sentence] {
			spans = append(spans, bert.PooledSpan{Row: row, Tokens: e.settings.PooledTokens(inputs[i].Query)})
			queries = append(queries, i)
		}
	}
	vectors, err := e.backend.Vectors(rows, spans)
	if err != nil {
		return err
	}
	for i, query := range queries {
		copy(dst[query*e.dim:], vectors[i*e.dim:(i+1)*e.dim])
	}
	return nil
}
