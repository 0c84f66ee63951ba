package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/encoder"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// marked is a sentence with one mention between its markers, and the mention's
// concept.
type marked struct {
	Text  string       `json:"text"`
	Label kb.ConceptID `json:"label"`
}

// query returns the sentence without the markers, and its mention.
func (m *marked) query() (text.Query, error) {
	doc, err := formats.ParseMarked(m.Text)
	if err != nil {
		return text.Query{}, err
	}
	if len(doc.Mentions) != 1 {
		return text.Query{}, fmt.Errorf("%d mentions are marked in %q, want one", len(doc.Mentions), m.Text)
	}
	mention := &doc.Mentions[0]
	mention.Name, mention.Concepts = normalize.Normal(mention.Of(doc.Text)), []kb.ConceptID{m.Label}
	return text.Query{Document: doc, Mention: *mention, Sentence: text.Span{End: len(doc.Text)}}, nil
}

// readExemplars reads at most limit marked sentences, all if limit is 0.
func readExemplars(path string, limit int) ([]text.Exemplar, []marked, error) {
	rows, err := artifact.ReadJSONLines[marked](path)
	if err != nil {
		return nil, nil, err
	}
	if limit > 0 {
		rows = rows[:min(limit, len(rows))]
	}
	exemplars := make([]text.Exemplar, len(rows))
	for i := range rows {
		if exemplars[i].Query, err = rows[i].query(); err != nil {
			return nil, nil, fmt.Errorf("%s: row %d: %w", path, i+1, err)
		}
	}
	return exemplars, rows, nil
}

// makeSentences writes a marked sentence for every mention of a dictionary's names in
// abstracts: text of real length to train on and to encode.
func makeSentences(o *options) ([]line, error) {
	tagger, _, err := newTagger(o.Dict)
	if err != nil {
		return nil, err
	}
	citations, err := artifact.ReadJSONLines[citation](o.Text)
	if err != nil {
		return nil, err
	}
	const most = 20_000
	var rows []marked
	for i := 0; i < len(citations) && len(rows) < most; i++ {
		rows = appendMarked(rows, tagger, citations[i].Abstract)
	}
	rows = rows[:min(len(rows), most)]
	return []line{{"rows": len(rows)}}, artifact.WriteJSONLines(o.Out, rows)
}

// appendMarked appends a row for every mention in a text's sentences.
func appendMarked(rows []marked, tagger *matcher.Tagger, s string) []marked {
	for _, span := range sentence.Split(s) {
		sentence := span.Of(s)
		for _, m := range tagger.Tag(nil, sentence) {
			row := sentence[:m.Start] + "[ENT] " + m.Of(sentence) + " [/ENT]" + sentence[m.End:]
			rows = append(rows, marked{row, m.Concepts[0]})
		}
	}
	return rows
}

// batch is a row of batches.jsonl: what one step trains on.
type batch struct {
	Texts  []string `json:"texts"`
	Labels []int    `json:"labels"` // equal for two sentences with the same concept
}

// makeBatches writes the batches that our sampler makes of the sentences, so that
// the peer trains on the same.
func makeBatches(o *options) ([]line, error) {
	exemplars, rows, err := readExemplars(o.Data, 0)
	if err != nil {
		return nil, err
	}
	config := trainingConfig(o.Warmup + o.Steps)
	sampler, err := contrastive.NewSampler(exemplars, config.ConceptsPerBatch, config.Seed)
	if err != nil {
		return nil, err
	}
	if sampler.ConceptsPerBatch() < pairs {
		return nil, fmt.Errorf("%s: only %d concepts have two sentences, want %d", o.Data, sampler.ConceptsPerBatch(), pairs)
	}
	batches := make([]batch, config.Steps)
	for i := range batches {
		for j, item := range sampler.Batch(i) {
			batches[i].Texts = append(batches[i].Texts, rows[item.Exemplar].Text)
			batches[i].Labels = append(batches[i].Labels, j/2)
		}
	}
	return []line{{"steps": config.Steps}}, artifact.WriteJSONLines(o.Out, batches)
}

const pairs = 16 // concepts in a batch, with two sentences each

// trainingConfig is the recipe of peer_train.py: contexts only, one mention marked,
// the vector at [ENT], all weights trained at one rate, no gradient clipping.
func trainingConfig(steps int) contrastive.Config {
	c := contrastive.DefaultConfig()
	c.Steps, c.ConceptsPerBatch = steps, pairs
	c.NameBatchRatio = 0
	c.ContextLoss = contrastive.MultiSimilarity{Alpha: 2, Beta: 50, Lambda: 0.5, Epsilon: 0.1}
	c.LearningRate, c.WarmupRatio, c.ClipNorm = 2e-5, 0, 0
	c.Pooling, c.MarkAll = contrastive.PoolEnt, false
	c.FreezeEmbeddings = false
	c.ValidateEvery, c.CheckpointEvery = -1, -1
	return c
}

// encode is the job of peer_encode.py: sentences to vectors.
func encode(o *options) ([]line, error) {
	exemplars, _, err := readExemplars(o.Data, o.Sentences)
	if err != nil {
		return nil, err
	}
	queries := make([]text.Query, len(exemplars))
	for i := range exemplars {
		queries[i] = exemplars[i].Query
	}
	settings := encoder.Settings{Pooling: contrastive.PoolEnt, MaxTokens: contrastive.DefaultConfig().MaxTokens}
	encoder, err := encoder.Open(o.Model, encoder.Options{Precision: contrastive.Precision(o.Precision), Settings: &settings, Workers: runtime.GOMAXPROCS(0)})
	if err != nil {
		return nil, err
	}
	defer encoder.Close()
	ctx := context.Background()
	vectors := make([]float32, len(queries)*encoder.Dim())
	if err := encoder.Encode(ctx, vectors[:encoder.Dim()], queries[:1]); err != nil { // which packs the weights
		return nil, err
	}
	l := line{"precision": o.Precision, "sentences": len(queries), "max_tokens": settings.MaxTokens, "dim": encoder.Dim()}
	seconds, err := l.measure("encode_", func() error { return encoder.Encode(ctx, vectors, queries) })
	if err != nil {
		return nil, err
	}
	l["encode_per_s"] = float64(len(queries)) / seconds
	l["real_tokens"], err = countTokens(o.Model, queries, settings)
	return []line{l}, err
}

// countTokens counts the queries' tokens without padding.
func countTokens(model string, queries []text.Query, settings encoder.Settings) (int, error) {
	tokens, err := tokenizer.Open(model)
	if err != nil {
		return 0, err
	}
	defer tokens.Close()
	n := 0
	for i := range queries {
		in, err := tokens.Encode(&queries[i], settings.MaxTokens, settings.MarkAll)
		if err != nil {
			return 0, fmt.Errorf("sentence %d: %w", i+1, err)
		}
		n += len(in.IDs)
	}
	return n, nil
}
