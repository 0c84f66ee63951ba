package main

import (
	"flag"
	"fmt"
	"strings"

	"ctxnorm"
	"ctxnorm/contrastive"
	"ctxnorm/corpus/dictionary"
	"ctxnorm/matcher"
	"ctxnorm/segment"
)

const (
	entStart = "[ENT] "
	entEnd   = " [/ENT]"
)

// marked is a sentence with one mention between its markers, and what it names.
type marked struct {
	Text  string            `json:"text"`
	Label ctxnorm.ConceptID `json:"label"`
}

// query is the sentence without the markers, and the mention in it.
func (m *marked) query() (ctxnorm.Query, error) {
	before, rest, opened := strings.Cut(m.Text, entStart)
	mention, after, closed := strings.Cut(rest, entEnd)
	if !opened || !closed {
		return ctxnorm.Query{}, fmt.Errorf("no mention is marked in %q", m.Text)
	}
	text := before + mention + after
	doc := &ctxnorm.Document{Text: text, Mentions: []ctxnorm.Mention{{
		Span:     ctxnorm.Span{Start: len(before), End: len(before) + len(mention)},
		Name:     matcher.Normal(mention),
		Concepts: []ctxnorm.ConceptID{m.Label},
	}}}
	return ctxnorm.Query{Document: doc, Mention: doc.Mentions[0], Sentence: ctxnorm.Span{End: len(text)}}, nil
}

// exemplars are the marked sentences of a file.
func exemplars(path string, limit int) ([]ctxnorm.Exemplar, error) {
	rows, err := readRows[marked](path, limit)
	if err != nil {
		return nil, err
	}
	made := make([]ctxnorm.Exemplar, len(rows))
	for i := range rows {
		if made[i].Query, err = rows[i].query(); err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", path, i+1, err)
		}
	}
	return made, nil
}

// makeSentences writes a marked sentence for each mention that a dictionary has in
// abstracts: text of the real length, to train and to encode.
func makeSentences(args []string) error {
	flags := flag.NewFlagSet("sentences", flag.ContinueOnError)
	dict := flags.String("dict", "", "dictionary `file`")
	path := flags.String("text", "", "`file` of citations")
	out := flags.String("out", "", "`file` to write, .jsonl")
	limit := flags.Int("rows", 20_000, "sentences, at most")
	if err := parse(flags, args, "dict", "text", "out"); err != nil {
		return err
	}
	d, _, err := dictionary.Read(*dict, dictionary.Options{Strict: true})
	if err != nil {
		return err
	}
	tagger, _, err := matcher.NewTagger(d, matcher.Clean{})
	if err != nil {
		return err
	}
	citations, err := readRows[citation](*path, 0)
	if err != nil {
		return err
	}
	var rows []marked
	for i := range citations {
		rows = appendMarked(rows, tagger, citations[i].Abstract)
		if len(rows) >= *limit {
			rows = rows[:*limit]
			break
		}
	}
	if err := writeRows(*out, rows); err != nil {
		return err
	}
	return line{"job": "sentences", "rows": len(rows)}.print()
}

// appendMarked appends a row for each mention of the text's sentences.
func appendMarked(rows []marked, tagger *matcher.Tagger, text string) []marked {
	for _, span := range segment.Sentences(text) {
		sentence := span.Of(text)
		for _, m := range tagger.Tag(nil, sentence) {
			row := sentence[:m.Start] + entStart + m.Of(sentence) + entEnd + sentence[m.End:]
			rows = append(rows, marked{row, m.Concepts[0]})
		}
	}
	return rows
}

// batch is a row of batches.jsonl: what one step trains on.
type batch struct {
	Texts  []string `json:"texts"`
	Labels []int    `json:"labels"` // equal where two sentences name one concept
}

// makeBatches writes the batches that training draws of the sentences, so that the
// peer can be given the same.
func makeBatches(args []string) error {
	flags := flag.NewFlagSet("batches", flag.ContinueOnError)
	data := flags.String("data", "", "`file` of marked sentences")
	out := flags.String("out", "", "`file` to write, .jsonl")
	pairs := flags.Int("pairs", 16, "concepts in a batch, two sentences of each")
	steps := flags.Int("steps", 10, "batches")
	if err := parse(flags, args, "data", "out"); err != nil {
		return err
	}
	rows, err := readRows[marked](*data, 0)
	if err != nil {
		return err
	}
	from, err := exemplars(*data, 0)
	if err != nil {
		return err
	}
	config := trainingConfig(*pairs, *steps)
	sampler, err := contrastive.NewSampler(contrastive.Items(from), config.Pairs, config.Seed)
	if err != nil {
		return err
	}
	if sampler.Pairs() < *pairs {
		return fmt.Errorf("%s: only %d concepts have two sentences, want %d", *data, sampler.Pairs(), *pairs)
	}
	batches := make([]batch, *steps)
	for i := range batches {
		for j, draw := range sampler.Batch(i) {
			batches[i].Texts = append(batches[i].Texts, rows[draw.Item].Text)
			batches[i].Labels = append(batches[i].Labels, j/2)
		}
	}
	if err := writeRows(*out, batches); err != nil {
		return err
	}
	return line{"job": "batches", "steps": *steps}.print()
}

// trainingConfig is the recipe of peer_train.py: contexts only, one mention marked,
// the vector at [ENT], every weight trained at one rate and no gradient clipped.
func trainingConfig(pairs, steps int) contrastive.Config {
	c := contrastive.DefaultConfig()
	c.Steps, c.Pairs = steps, pairs
	c.NameShare = 0
	c.Context = contrastive.MultiSimilarity{Alpha: 2, Beta: 50, Base: 0.5, Epsilon: 0.1}
	c.LearningRate, c.WarmupShare, c.ClipNorm = 2e-5, 0, 0
	c.Pooling, c.MarkAll = contrastive.PoolEnt, false
	c.FreezeEmbeddings = false
	c.ValidateEvery, c.CheckpointEvery = -1, -1
	return c
}
