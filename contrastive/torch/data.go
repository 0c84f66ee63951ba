//go:build torch

package torch

import (
	"fmt"
	"unsafe"

	"ctxnorm"
	"ctxnorm/contrastive"
	"ctxnorm/tokenizer"
)

// collection is the exemplars of one kind, contexts or names, from which
// batches are drawn. It is used by one goroutine.
type collection struct {
	exemplars []ctxnorm.Exemplar
	sampler   *contrastive.Sampler
	inputs    map[int]tokenizer.Input // of the exemplars drawn so far: each is tokenized once
}

func newCollection(exemplars []ctxnorm.Exemplar, c contrastive.Config) (*collection, error) {
	sampler, err := contrastive.NewSampler(contrastive.Items(exemplars), c.Pairs, c.Seed)
	if err != nil {
		return nil, err
	}
	return &collection{exemplars: exemplars, sampler: sampler, inputs: map[int]tokenizer.Input{}}, nil
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
	b := &batchBuilder{examples: examples{names: names}, rows: map[string]int{}, taken: map[slot]bool{}}
	type sentence struct {
		row      int
		input    tokenizer.Input
		exemplar *ctxnorm.Exemplar
	}
	var sentences []sentence
	for i, draw := range from.sampler.Batch(number) {
		in, err := d.input(from, draw.Item)
		if err != nil {
			return nil, err
		}
		if !names && d.config.MasksMention(step, i) {
			in = maskMention(in, d.tokenizer.MaskID())
		}
		exemplar := &from.exemplars[draw.Item]
		row := b.row(in)
		b.add(slot{row, in.Query}, contrastive.Label{Concept: draw.Concept, Concepts: exemplar.Mention.Concepts})
		sentences = append(sentences, sentence{row, in, exemplar})
	}
	for _, s := range sentences {
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

// input tokenizes an exemplar, or remembers it.
func (d *drawer) input(from *collection, item int) (tokenizer.Input, error) {
	if in, ok := from.inputs[item]; ok {
		return in, nil
	}
	in, err := d.tokenizer.Encode(&from.exemplars[item].Query,
		tokenizer.Options{MaxTokens: d.settings.MaxTokens, MarkAll: d.settings.MarkAll})
	if err != nil {
		return in, fmt.Errorf("exemplar %d: %w", item, err)
	}
	from.inputs[item] = in
	return in, nil
}

type batchBuilder struct {
	examples
	rows  map[string]int // by the bytes of the ids
	taken map[slot]bool
}

// row is the position of the input among those of the batch.
func (b *batchBuilder) row(in tokenizer.Input) int {
	key := string(unsafe.Slice((*byte)(unsafe.Pointer(&in.IDs[0])), 4*len(in.IDs)))
	row, ok := b.rows[key]
	if !ok {
		row = len(b.inputs)
		b.rows[key] = row
		b.inputs = append(b.inputs, in)
	}
	return row
}

func (b *batchBuilder) add(s slot, label contrastive.Label) {
	b.taken[s] = true
	b.slots = append(b.slots, s)
	b.labels = append(b.labels, label)
}

// maskMention puts one [MASK] in the place of the queried mention's tokens,
// between its markers.
func maskMention(in tokenizer.Input, mask int32) tokenizer.Input {
	first, last := in.Query.Start+1, in.Query.End-1 // of the mention, markers excluded
	shift := last - first - 1                       // tokens that go
	out := tokenizer.Input{
		IDs:           append(append(append([]int32(nil), in.IDs[:first]...), mask), in.IDs[last:]...),
		Query:         tokenizer.TokenSpan{Start: in.Query.Start, End: in.Query.End - shift},
		OtherMentions: in.OtherMentions,
	}
	for _, span := range in.Others {
		if span.Start >= in.Query.End {
			span.Start, span.End = span.Start-shift, span.End-shift
		}
		out.Others = append(out.Others, span)
	}
	return out
}
