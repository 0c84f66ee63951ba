package encoder

import (
	"context"
	"fmt"

	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// encodeChunk tokenizes the queries on all cores, cuts them into batches and computes
// those on all cores. A sentence of several queries is computed once, if the same
// mentions are marked in it for all of them.
func (e *Encoder) encodeChunk(ctx context.Context, dst []float32, queries []text.Query) error {
	inputs, err := tokenize(ctx, e.tokenizer, e.cores.N, queries, e.settings)
	if err != nil {
		return err
	}
	sentences, queriesOf := groupBySentence(inputs)
	batches := e.backend.Batches(sentences, e.cores.N)
	return e.cores.Each(ctx, len(batches), func(i int) error {
		return e.encodeBatch(dst, inputs, sentences, queriesOf, batches[i])
	})
}

// groupBySentence returns the distinct sentences of inputs, and for each the positions
// of all inputs that have it.
func groupBySentence(inputs []tokenizer.Input) (sentences []tokenizer.Input, queriesOf [][]int) {
	set := bert.NewSentenceSet()
	for i, in := range inputs {
		row := set.Row(in)
		if row == len(queriesOf) {
			queriesOf = append(queriesOf, nil)
		}
		queriesOf[row] = append(queriesOf[row], i)
	}
	return set.Inputs, queriesOf
}

// encodeBatch computes the vectors of all inputs that have one of the batch's
// sentences.
func (e *Encoder) encodeBatch(dst []float32, inputs, sentences []tokenizer.Input, queriesOf [][]int,
	batch []int) error {
	rows := make([]*tokenizer.Input, len(batch))
	var spans []bert.PooledSpan
	var queries []int // of each span: its position in dst
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

// tokenize returns the inputs of the queries, computed by the given number of
// goroutines.
func tokenize(ctx context.Context, t *tokenizer.Tokenizer, workers int, queries []text.Query,
	settings Settings) ([]tokenizer.Input, error) {
	inputs := make([]tokenizer.Input, len(queries))
	const stride = 256 // queries between two checks of ctx
	err := parallel.ForErr(ctx, (len(queries)+stride-1)/stride, workers, func(n int) error {
		for i := n * stride; i < min((n+1)*stride, len(queries)); i++ {
			in, err := settings.Input(t, &queries[i])
			if err != nil {
				return fmt.Errorf("query %d: %w", i, err)
			}
			inputs[i] = in
		}
		return nil
	})
	return inputs, err
}
