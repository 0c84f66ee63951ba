//go:build torch

package train

import (
	"fmt"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/encoder"
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// trainBatch is a batch of training: distinct sentences, the mentions in them that are
// encoded, and the loss of their vectors.
type trainBatch struct {
	names  bool // of bare names, not of contexts
	inputs []tokenizer.Input
	spans  []bert.PooledSpan // their rows are positions in inputs; those of the method's rows come first
	labels []contrastive.Label
	loss   contrastive.Loss
}

// dataLoader tokenizes the batches of a method. It is used by one goroutine at a time.
type dataLoader struct {
	method    contrastive.Method
	settings  encoder.Settings
	tokenizer *tokenizer.Tokenizer
}

// batch makes the batch of a step, counted from 0. A sentence sampled twice, for
// two of its mentions, is encoded once. With MarkAll the other marked mentions of a
// sentence are spans too, if their concepts are known.
func (d *dataLoader) batch(step int) (*trainBatch, error) {
	made, err := d.method.Batch(step)
	if err != nil {
		return nil, err
	}
	b := &trainBatch{names: made.Names, loss: made.Loss}
	sentences := bert.NewSentenceSet()
	added := map[bert.PooledSpan]bool{}
	add := func(s bert.PooledSpan, label contrastive.Label) {
		added[s] = true
		b.spans = append(b.spans, s)
		b.labels = append(b.labels, label)
	}
	inputs := make([]tokenizer.Input, len(made.Rows))
	for i, row := range made.Rows {
		if inputs[i], err = d.settings.Input(d.tokenizer, row.Query); err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
		add(bert.PooledSpan{Row: sentences.Row(inputs[i]), Tokens: inputs[i].Query}, row.Label)
	}
	for i, row := range made.Rows {
		for j, tokens := range inputs[i].Others {
			concepts := row.Query.Mentions[inputs[i].OtherMentions[j]].Concepts
			span := bert.PooledSpan{Row: b.spans[i].Row, Tokens: tokens}
			if len(concepts) > 0 && !added[span] {
				add(span, contrastive.LabelOf(concepts))
			}
		}
	}
	b.inputs = sentences.Inputs
	return b, nil
}

// distinctInputs tokenizes queries. Those with the same input share one of the inputs that it
// returns.
func (d *dataLoader) distinctInputs(queries []*text.Query) (inputs []tokenizer.Input, spans []bert.PooledSpan, err error) {
	sentences := bert.NewSentenceSet()
	for i, q := range queries {
		in, err := d.settings.Input(d.tokenizer, q)
		if err != nil {
			return nil, nil, fmt.Errorf("query %d: %w", i, err)
		}
		spans = append(spans, bert.PooledSpan{Row: sentences.Row(in), Tokens: in.Query})
	}
	return sentences.Inputs, spans, nil
}
