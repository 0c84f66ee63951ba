package encoder

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// Options configure how an [Encoder] computes. The zero value suits most uses.
type Options struct {
	// Device is "cpu" (default), or "cuda" in a build that has it.
	Device string

	// Precision of matrix products: "auto" (default), "float32", "bfloat16", which "auto" chooses if the processor
	// multiplies it, or "int8", which is faster and less exact. Open returns an error if the processor does not support
	// the precision, except for bfloat16 in a build with the tag torch.
	Precision contrastive.Precision

	// Settings replaces the folder's own pooling, marking and window. Leave it nil for
	// a trained encoder; set it to try other settings on a base model.
	Settings *Settings

	// Workers is the number of CPU cores to use. Default all.
	Workers int

	// WeightsSHA256 is the SHA-256 of the weights file in hexadecimal, if known. The fingerprint is then computed
	// without reading the file.
	WeightsSHA256 string
}

// Encoder is a BERT that turns a mention in its sentence into a vector. It implements [text.Encoder] and is safe for
// concurrent use.
type Encoder struct {
	settings    Settings
	dim         int
	tokenizer   *tokenizer.Tokenizer
	backend     backend
	cores       *parallel.Cores
	fingerprint string
}

var _ interface {
	text.Encoder
	io.Closer
	model.TokenCounter
} = (*Encoder)(nil)

// Open reads the encoder in a folder in the Hugging Face layout: a trained encoder or any BERT. If its word embedding
// has no rows for the markers, they are added in memory. The caller must call Close.
func Open(dir string, o Options) (_ *Encoder, err error) {
	e := new(Encoder)
	defer func() {
		if err != nil {
			err = fmt.Errorf("encoder: %w", errors.Join(err, e.Close()))
		}
	}()
	if o.Settings != nil {
		e.settings = *o.Settings
		err = e.settings.validate()
	} else {
		e.settings, _, err = ReadSettings(dir)
	}
	if err != nil {
		return nil, err
	}
	compute, err := parseBackend(o)
	if err != nil {
		return nil, err
	}
	e.cores = parallel.NewCores(compute.workers)
	if e.tokenizer, err = tokenizer.Open(dir); err != nil {
		return nil, err
	}
	config, err := bert.ReadConfig(dir)
	if err != nil {
		return nil, err
	}
	e.dim = int(config.Hidden)
	e.settings.MaxTokens = min(e.settings.MaxTokens, int(config.Positions))
	if err := compute.open(e, dir); err != nil {
		return nil, err
	}
	weights := o.WeightsSHA256
	if weights == "" {
		if weights, err = weightsHash(dir); err != nil {
			return nil, err
		}
	}
	e.fingerprint, err = fingerprint(config, weights, e.tokenizer, e.settings)
	return e, err
}

// untrainedSeed is the seed of the markers' rows in an untrained base model.
const untrainedSeed = 1

// Dim returns the length of a vector: the model's hidden size.
func (e *Encoder) Dim() int { return e.dim }

// Fingerprint returns the hash of the weights, the tokenizer, the settings and the version of the arithmetic. Vectors
// of encoders with equal fingerprints can be compared.
func (e *Encoder) Fingerprint() string { return e.fingerprint }

// CountTokens returns the number of tokens of a text and the number of those that the vocabulary lacks.
func (e *Encoder) CountTokens(s string) (tokens, unknown int) { return e.tokenizer.CountTokens(s) }

// Settings returns the pooling, marking and window in use.
func (e *Encoder) Settings() Settings { return e.settings }

// Close frees the weights. No call of Encode may be in progress.
func (e *Encoder) Close() error {
	var err error
	if e.backend != nil {
		err = e.backend.Close()
		e.backend = nil
	}
	if e.tokenizer != nil {
		err = errors.Join(err, e.tokenizer.Close())
		e.tokenizer = nil
	}
	return err
}

// Encode writes the unit vector of each query to dst, which must have room for len(queries) rows of [Encoder.Dim]: see
// [text.Encoder]. Queries are sorted by length and encoded in batches, so pass many at once. Encode stops between
// batches if ctx is canceled.
func (e *Encoder) Encode(ctx context.Context, dst []float32, queries []text.Query) error {
	if len(dst) != len(queries)*e.dim {
		return fmt.Errorf("encoder: dst has room for %d numbers, want %d for %d queries of %d",
			len(dst), len(queries)*e.dim, len(queries), e.dim)
	}
	const chunk = 1 << 16 // queries with tokens in memory at the same time, about 20 MB
	for start := 0; start < len(queries); start += chunk {
		end := min(start+chunk, len(queries))
		if err := e.encodeChunk(ctx, dst[start*e.dim:end*e.dim], queries[start:end]); err != nil {
			return fmt.Errorf("encoder: %w", err)
		}
	}
	return nil
}
