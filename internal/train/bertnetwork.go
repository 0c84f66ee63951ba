//go:build torch

package train

import (
	"errors"
	"fmt"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/encoder"
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// bertNetwork is a BERT with its tokenizer.
type bertNetwork struct {
	model     *bert.Model
	tokenizer *tokenizer.Tokenizer
	settings  encoder.Settings
}

// openBERT opens the BERT in a folder.
func openBERT(base string, c contrastive.Config) (_ network, err error) {
	n := &bertNetwork{settings: encoder.SettingsOf(c)}
	if n.tokenizer, err = tokenizer.Open(base); err != nil {
		return nil, err
	}
	if n.model, err = bert.LoadModel(base, n.tokenizer, c.FreezeEmbeddings, c.Seed); err != nil {
		return nil, errors.Join(err, n.tokenizer.Close())
	}
	n.settings.MaxTokens = min(c.MaxTokens, int(n.model.Config.Positions))
	return n, nil
}

func (n *bertNetwork) dim() int                                { return int(n.model.Config.Hidden) }
func (n *bertNetwork) trained() *tensor.ParamBuffer            { return n.model.Trained }
func (n *bertNetwork) frozen() *tensor.Tensor                  { return n.model.Frozen.Tensor() }
func (*bertNetwork) precision(dtype tensor.DType) tensor.DType { return dtype }

func (n *bertNetwork) drop() error {
	n.model.Drop()
	return n.tokenizer.Close()
}

func (n *bertNetwork) fingerprint(base string) (string, error) {
	return encoder.Fingerprint(base, n.tokenizer, n.settings)
}

func (n *bertNetwork) write(out string) error {
	return encoder.WriteFolder(out, n.settings, n.tokenizer, n.model.Write)
}

// read tokenizes the queries. Queries in one sentence share a text if the same mentions are marked in it.
func (n *bertNetwork) read(_ int, queries []*text.Query) (texts, []reading, error) {
	sentences := bert.NewSentenceSet()
	readings := make([]reading, len(queries))
	for i, q := range queries {
		in, err := n.settings.Input(n.tokenizer, q)
		if err != nil {
			return nil, nil, fmt.Errorf("text %d: %w", i, err)
		}
		row := sentences.Row(in)
		readings[i].span = bert.PooledSpan{Row: row, Tokens: in.Query}
		for j, tokens := range in.Others {
			readings[i].others = append(readings[i].others,
				otherMention{in.OtherMentions[j], bert.PooledSpan{Row: row, Tokens: tokens}})
		}
	}
	return sentenceTexts(sentences.Inputs), readings, nil
}

func (n *bertNetwork) forward(s *tensor.Scope, dtype tensor.DType, frozen, trained *tensor.Tensor) forward {
	network := n.model.Network(s, dtype, frozen, trained)
	return func(s *tensor.Scope, of texts, batch []int, spans []bert.PooledSpan, raw bool) *tensor.Tensor {
		inputs := of.(sentenceTexts)
		rows := make([]*tokenizer.Input, len(batch))
		for row, position := range batch {
			rows[row] = &inputs[position]
		}
		pooled := make([]bert.PooledSpan, len(spans))
		for i, span := range spans {
			pooled[i] = bert.PooledSpan{Row: span.Row, Tokens: n.settings.PooledTokens(span.Tokens)}
		}
		if raw {
			return network.Means(s, rows, pooled)
		}
		return network.Vectors(s, rows, pooled)
	}
}

// sentenceTexts holds tokenized sentences.
type sentenceTexts []tokenizer.Input

func (t sentenceTexts) count() int                 { return len(t) }
func (t sentenceTexts) slice(start, end int) texts { return t[start:end] }
func (t sentenceTexts) cost(batch []int) int       { return bert.PaddedTokens(t, batch) }
func (t sentenceTexts) batches(n int, device tensor.Device) [][]int {
	return bert.PaddedBatches(t, n, device)
}
