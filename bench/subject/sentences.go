package main

import (
	"context"
	"runtime"

	"github.com/ctxnorm/ctxnorm/bench/harness"
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

// marked is a sentence with one mention between its markers, and the mention's concept.
type marked struct {
	Text  string       `json:"text"`
	Label kb.ConceptID `json:"label"`
}

// query returns the sentence without the markers, and its one mention.
func (m *marked) query() text.Query {
	doc := harness.Get(formats.ParseMarked(m.Text))
	harness.Require(len(doc.Mentions) == 1, "%d mentions are marked in %q, want one", len(doc.Mentions), m.Text)
	mention := &doc.Mentions[0]
	mention.Name, mention.Concepts = normalize.Normal(mention.Of(doc.Text)), []kb.ConceptID{m.Label}
	return text.Query{Document: doc, Mention: *mention, Sentence: text.Span{End: len(doc.Text)}}
}

// readExemplars reads at most limit marked sentences, all if limit is 0.
func readExemplars(path string, limit int) ([]text.Exemplar, []marked) {
	rows := harness.Get(artifact.ReadJSONLines[marked](path))
	if limit > 0 {
		rows = rows[:min(limit, len(rows))]
	}
	exemplars := make([]text.Exemplar, len(rows))
	for i := range rows {
		exemplars[i].Query = rows[i].query()
	}
	return exemplars, rows
}

// makeSentences writes a marked sentence for every mention of a dictionary's names in
// abstracts: text of real length to train on and to encode.
func makeSentences(o *options) {
	tagger, _ := newTagger(o.Dict)
	citations := harness.Get(artifact.ReadJSONLines[citation](o.Text))
	const most = 20_000
	var rows []marked
	for i := 0; i < len(citations) && len(rows) < most; i++ {
		rows = appendMarked(rows, tagger, citations[i].Abstract)
	}
	harness.Check(artifact.WriteJSONLines(o.Out, rows[:min(len(rows), most)]))
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

// batch is a row of batches.jsonl: the input of one training step.
type batch struct {
	Texts  []string `json:"texts"`
	Labels []int    `json:"labels"` // equal for two sentences with the same concept
}

// makeBatches writes the batches that our sampler makes from the sentences, so that the peer trains on the same ones.
func makeBatches(o *options) {
	exemplars, rows := readExemplars(o.Data, 0)
	config := trainingConfig(o.Warmup + o.Steps)
	sampler := harness.Get(contrastive.NewSampler(exemplars, config.ConceptsPerBatch, config.Seed))
	perBatch := sampler.ConceptsPerBatch()
	harness.Require(perBatch >= pairs, "%s: only %d concepts have two sentences, want %d", o.Data, perBatch, pairs)
	batches := make([]batch, config.Steps)
	for i := range batches {
		for j, item := range sampler.Batch(i) {
			batches[i].Texts = append(batches[i].Texts, rows[item.Exemplar].Text)
			batches[i].Labels = append(batches[i].Labels, j/2)
		}
	}
	harness.Check(artifact.WriteJSONLines(o.Out, batches))
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
func encode(o *options) {
	exemplars, _ := readExemplars(o.Data, o.Sentences)
	queries := make([]text.Query, len(exemplars))
	for i := range exemplars {
		queries[i] = exemplars[i].Query
	}
	settings := encoder.Settings{Pooling: contrastive.PoolEnt, MaxTokens: contrastive.DefaultConfig().MaxTokens}
	encoder := harness.Get(encoder.Open(o.Model,
		encoder.Options{Precision: contrastive.Precision(o.Precision), Settings: &settings, Workers: runtime.GOMAXPROCS(0)}))
	defer encoder.Close()
	ctx := context.Background()
	vectors := make([]float32, len(queries)*encoder.Dim())
	harness.Check(encoder.Encode(ctx, vectors[:encoder.Dim()], queries[:1])) // which packs the weights
	l := line{"precision": o.Precision, "sentences": len(queries), "max_tokens": settings.MaxTokens, "dim": encoder.Dim()}
	seconds := l.measure("encode_", func() { harness.Check(encoder.Encode(ctx, vectors, queries)) })
	l["encode_per_s"] = float64(len(queries)) / seconds
	l["real_tokens"] = countTokens(o.Model, queries, settings)
	l.print()
}

// countTokens counts the queries' tokens without padding.
func countTokens(model string, queries []text.Query, settings encoder.Settings) (n int) {
	tokens := harness.Get(tokenizer.Open(model))
	defer tokens.Close()
	for i := range queries {
		n += len(harness.Get(tokens.Encode(&queries[i], settings.MaxTokens, settings.MarkAll)).IDs)
	}
	return n
}
