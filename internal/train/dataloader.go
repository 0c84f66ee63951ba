//go:build torch

package train

import (
	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/text"
)

// trainBatch is a training batch: distinct texts, the mentions in them to encode, and the loss of their vectors.
type trainBatch struct {
	names  bool // whether it has bare names, not contexts
	texts  texts
	spans  []bert.PooledSpan // with positions in texts as rows; those of the task's rows come first
	labels []contrastive.Label
	loss   contrastive.Loss
}

// dataLoader reads the batches of a task. It is used by one goroutine at a time.
type dataLoader struct {
	task    contrastive.Task
	network network
}

// batch returns the batch of a step, counted from 0. A sentence sampled twice, for two of its mentions, is encoded
// once. With MarkAll the other marked mentions of a sentence also become spans if their concepts are known.
func (d *dataLoader) batch(step int) (*trainBatch, error) {
	made, err := d.task.Batch(step)
	if err != nil {
		return nil, err
	}
	queries := make([]*text.Query, len(made.Rows))
	for i, row := range made.Rows {
		queries[i] = row.Query
	}
	distinct, readings, err := d.network.read(step, queries)
	if err != nil {
		return nil, err
	}
	b := &trainBatch{names: made.Names, loss: made.Loss, texts: distinct}
	added := map[bert.PooledSpan]bool{}
	add := func(s bert.PooledSpan, label contrastive.Label) {
		added[s] = true
		b.spans = append(b.spans, s)
		b.labels = append(b.labels, label)
	}
	for i, row := range made.Rows {
		add(readings[i].span, row.Label)
	}
	for i, row := range made.Rows {
		for _, other := range readings[i].others {
			concepts := row.Query.Mentions[other.mention].Concepts
			if len(concepts) > 0 && !added[other.span] {
				add(other.span, contrastive.LabelOf(concepts))
			}
		}
	}
	return b, nil
}

// distinctTexts reads queries that are not trained on. Equal texts are shared.
func (d *dataLoader) distinctTexts(queries []*text.Query) (texts, []bert.PooledSpan, error) {
	distinct, readings, err := d.network.read(notTrained, queries)
	if err != nil {
		return nil, nil, err
	}
	spans := make([]bert.PooledSpan, len(readings))
	for i := range readings {
		spans[i] = readings[i].span
	}
	return distinct, spans, nil
}
