//go:build torch

package train

import (
	"fmt"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/encoder"
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/normalize"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// dataset holds the exemplars of one kind, contexts or names, from which batches are
// sampled. It is used by one goroutine at a time.
type dataset struct {
	exemplars []text.Exemplar
	sampler   *contrastive.Sampler
	inputs    map[int]*tokenizer.Input // of the exemplars sampled so far: each is tokenized once
}

func newDataset(exemplars []text.Exemplar, c contrastive.Config) (*dataset, error) {
	sampler, err := contrastive.NewSampler(contrastive.Examples(exemplars), c.ConceptsPerBatch, c.Seed)
	if err != nil {
		return nil, err
	}
	return &dataset{exemplars: exemplars, sampler: sampler, inputs: map[int]*tokenizer.Input{}}, nil
}

// trainBatch is a batch of training: distinct sentences and the mentions in them.
//
// INVARIANT: no two spans are the same mention sampled for the same concept.
type trainBatch struct {
	names  bool // of bare names, not of contexts
	inputs []tokenizer.Input
	spans  []bert.PooledSpan // their rows are positions in inputs
	labels []contrastive.Label
}

// dataLoader makes the batch of any step. The batch depends on nothing but the step.
type dataLoader struct {
	config          contrastive.Config
	settings        encoder.Settings
	tokenizer       *tokenizer.Tokenizer
	contexts, names *dataset // nil if no batch is made of them
	synonyms        synonymAugmenter
}

// batch makes the batch of a step, counted from 0. A sentence sampled twice, for
// two of its mentions, is encoded once. With MarkAll the other marked mentions of a
// sentence are spans too, if their concepts are known.
func (d *dataLoader) batch(step int) (*trainBatch, error) {
	names, number := d.config.BatchAt(step)
	from := d.contexts
	if names {
		from = d.names
	}
	b := &batchBuilder{trainBatch: trainBatch{names: names}, sentences: bert.NewSentenceSet(), added: map[bert.PooledSpan]bool{}}
	type sample struct {
		row      int
		input    tokenizer.Input
		exemplar *text.Exemplar
	}
	var samples []sample
	for i, item := range from.sampler.Batch(number) {
		exemplar := &from.exemplars[item.Example]
		in, err := d.augmented(exemplar, item.Concept, step, i)
		if err == nil && in == nil {
			in, err = d.input(from, item.Example)
		}
		if err != nil {
			return nil, err
		}
		row := b.sentences.Row(*in)
		b.add(bert.PooledSpan{Row: row, Tokens: in.Query}, contrastive.Label{Concept: item.Concept, Concepts: exemplar.Mention.Concepts})
		samples = append(samples, sample{row, *in, exemplar})
	}
	b.inputs = b.sentences.Inputs
	for _, s := range samples {
		for i, tokens := range s.input.Others {
			concepts := s.exemplar.Mentions[s.input.OtherMentions[i]].Concepts
			span := bert.PooledSpan{Row: s.row, Tokens: tokens}
			if len(concepts) > 0 && !b.added[span] {
				b.add(span, contrastive.LabelOf(concepts))
			}
		}
	}
	return &b.trainBatch, nil
}

// augmented returns the input of a context whose mention is replaced by a synonym in a
// row of a step's batch, or nil if the mention is not replaced.
func (d *dataLoader) augmented(exemplar *text.Exemplar, concept kb.ConceptID, step, row int) (*tokenizer.Input, error) {
	number, replace := d.config.ReplacesMention(step, row)
	if exemplar.Bare || !replace {
		return nil, nil
	}
	name, ok := d.synonyms.synonymOf(concept, exemplar.Mention.Name, number)
	if !ok {
		return nil, nil
	}
	query := exemplar.WithSurface(name)
	return d.encode(&query)
}

// input tokenizes an exemplar, the first time that it is sampled.
func (d *dataLoader) input(from *dataset, item int) (*tokenizer.Input, error) {
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

func (d *dataLoader) encode(q *text.Query) (*tokenizer.Input, error) {
	in, err := d.tokenizer.Encode(q, tokenizer.Options{MaxTokens: d.settings.MaxTokens, MarkAll: d.settings.MarkAll})
	return &in, err
}

type batchBuilder struct {
	trainBatch
	sentences *bert.SentenceSet
	added     map[bert.PooledSpan]bool
}

func (b *batchBuilder) add(s bert.PooledSpan, label contrastive.Label) {
	b.added[s] = true
	b.spans = append(b.spans, s)
	b.labels = append(b.labels, label)
}

// synonymAugmenter chooses synonyms to replace mentions by. It holds the names of each
// concept, in the order in which they were given.
type synonymAugmenter map[kb.ConceptID][]synonym

type synonym struct{ name, normal string } // normal is the normal form of the name

func newSynonymAugmenter(names []text.Exemplar) synonymAugmenter {
	a := make(synonymAugmenter)
	for i := range names {
		name := names[i].Surface()
		for _, concept := range names[i].Mention.Concepts {
			a[concept] = append(a[concept], synonym{name, normalize.Normal(name)})
		}
	}
	return a
}

// synonymOf returns a name of the concept whose normal form is not the given one,
// chosen by a random number; false if there is none.
func (a synonymAugmenter) synonymOf(concept kb.ConceptID, normal string, number uint64) (string, bool) {
	var others []string
	for _, s := range a[concept] {
		if s.normal != normal {
			others = append(others, s.name)
		}
	}
	if len(others) == 0 {
		return "", false
	}
	return others[number%uint64(len(others))], true
}
