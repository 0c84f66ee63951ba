//go:build torch

package torch

import (
	"fmt"

	"ctxnorm"
	"ctxnorm/contrastive"
	"ctxnorm/tokenizer"
)

// collection is the exemplars of one kind, contexts or names, from which
// batches are drawn. It is used by one goroutine.
type collection struct {
	exemplars []ctxnorm.Exemplar
	sampler   *contrastive.Sampler
	inputs    map[int]*tokenizer.Input // of the exemplars drawn so far: each is tokenized once
}

func newCollection(exemplars []ctxnorm.Exemplar, c contrastive.Config) (*collection, error) {
	sampler, err := contrastive.NewSampler(contrastive.Items(exemplars), c.Pairs, c.Seed)
	if err != nil {
		return nil, err
	}
	return &collection{exemplars: exemplars, sampler: sampler, inputs: map[int]*tokenizer.Input{}}, nil
}

// examples is a batch of training: distinct sentences and the mentions in them.
//
// INVARIANT: no two slots are the same mention drawn for the same concept.
type examples struct {
	names  bool
	inputs []tokenizer.Input
	slots  []slot // row is a position in inputs
	labels []contrastive.Label
}

// drawer makes the batch of any step; it is a function of the step alone.
type drawer struct {
	config          contrastive.Config
	settings        Settings
	tokenizer       *tokenizer.Tokenizer
	contexts, names *collection // nil where none is drawn
	wordings        wordings    // to reword mentions by
}

// draw makes the batch of a step, counted from 0. A sentence drawn twice, for
// two of its mentions, is encoded once. With MarkAll the other marked mentions of
// a sentence are rows too, if it is known what they name.
func (d *drawer) draw(step int) (*examples, error) {
	names, number := d.config.BatchAt(step)
	from := d.contexts
	if names {
		from = d.names
	}
	b := &batchBuilder{examples: examples{names: names}, sentences: newSentenceSet(), taken: map[slot]bool{}}
	type drawn struct {
		row      int
		input    tokenizer.Input
		exemplar *ctxnorm.Exemplar
	}
	var all []drawn
	for i, draw := range from.sampler.Batch(number) {
		exemplar := &from.exemplars[draw.Item]
		in, err := d.reworded(exemplar, draw.Concept, step, i)
		if err == nil && in == nil {
			in, err = d.input(from, draw.Item)
		}
		if err != nil {
			return nil, err
		}
		row := b.sentences.row(*in)
		b.add(slot{row, in.Query}, contrastive.Label{Concept: draw.Concept, Concepts: exemplar.Mention.Concepts})
		all = append(all, drawn{row, *in, exemplar})
	}
	b.inputs = b.sentences.inputs
	for _, s := range all {
		for i, span := range s.input.Others {
			concepts := s.exemplar.Mentions[s.input.OtherMentions[i]].Concepts
			at := slot{s.row, span}
			if len(concepts) > 0 && !b.taken[at] {
				b.add(at, contrastive.LabelOf(concepts))
			}
		}
	}
	return &b.examples, nil
}

// reworded is the input of a context whose mention is to have another wording in
// a row of a step's batch; nil where it stays as it is.
func (d *drawer) reworded(exemplar *ctxnorm.Exemplar, concept ctxnorm.ConceptID, step, row int) (*tokenizer.Input, error) {
	number, reword := d.config.RewordsMention(step, row)
	if exemplar.Bare || !reword {
		return nil, nil
	}
	name, ok := d.wordings.other(concept, exemplar.Mention.Name, number)
	if !ok {
		return nil, nil
	}
	query := exemplar.Reword(name)
	return d.encode(&query)
}

// input tokenizes an exemplar, or remembers it.
func (d *drawer) input(from *collection, item int) (*tokenizer.Input, error) {
	if in, ok := from.inputs[item]; ok {
		return in, nil
	}
	in, err := d.encode(&from.exemplars[item].Query)
	if err != nil {
		return nil, fmt.Errorf("exemplar %d: %w", item, err)
	}
	from.inputs[item] = in
	return in, nil
}

func (d *drawer) encode(q *ctxnorm.Query) (*tokenizer.Input, error) {
	in, err := d.tokenizer.Encode(q, tokenizer.Options{MaxTokens: d.settings.MaxTokens, MarkAll: d.settings.MarkAll})
	return &in, err
}

type batchBuilder struct {
	examples
	sentences sentenceSet
	taken     map[slot]bool
}

func (b *batchBuilder) add(s slot, label contrastive.Label) {
	b.taken[s] = true
	b.slots = append(b.slots, s)
	b.labels = append(b.labels, label)
}
