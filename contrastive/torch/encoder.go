//go:build torch

package torch

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/sugarme/gotch"
	"golang.org/x/sync/semaphore"

	"ctxnorm"
	"ctxnorm/contrastive"
	"ctxnorm/tokenizer"
)

// Options say how an [Encoder] computes. The zero value is what most want.
type Options struct {
	// Device is "cpu" (default) or "cuda".
	Device string

	// Precision of matrix products: "auto" (default), "float32" or "bfloat16".
	Precision contrastive.Precision

	// Settings replaces the folder's own pooling, marking and window. Leave it
	// nil for an encoder that was trained; set it to try others on a base model.
	Settings *Settings

	// Workers is the number of CPU cores to use. Default all.
	Workers int
}

// Encoder is a BERT that turns a mention in its sentence into a vector. It
// implements [ctxnorm.Encoder] and is safe for concurrent use.
type Encoder struct {
	settings    Settings
	tokenizer   *tokenizer.Tokenizer
	model       *model
	weights     *scope // of bert's tensors
	bert        *bert
	packer      *packer    // of bert's weights; nil where they are not packed
	fused       *fusedBert // bert once more; nil where it is not fused
	workers     int
	cores       *semaphore.Weighted // workers in all calls together
	fingerprint string
}

var _ interface {
	ctxnorm.Encoder
	io.Closer
} = (*Encoder)(nil)

// Open reads the encoder of a folder in the Hugging Face layout: one that
// [Train] wrote, or any BERT. A word embedding without rows for the markers gets
// them.
func Open(dir string, o Options) (*Encoder, error) {
	e, err := open(dir, o)
	if err != nil {
		return nil, fmt.Errorf("encoder: %w", err)
	}
	return e, nil
}

func open(dir string, o Options) (_ *Encoder, err error) {
	device, err := parseDevice(o.Device)
	if err != nil {
		return nil, err
	}
	dtype, err := parsePrecision(o.Precision, device)
	if err != nil {
		return nil, err
	}
	pages.Do(keepPages)
	e := &Encoder{workers: workersOn(device, o.Workers), weights: newScope(device)}
	e.cores = semaphore.NewWeighted(int64(e.workers))
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close())
		}
	}()
	if o.Settings != nil {
		e.settings = *o.Settings
		err = e.settings.validate()
	} else {
		e.settings, err = ReadSettings(dir)
	}
	if err != nil {
		return nil, err
	}
	if e.tokenizer, err = tokenizer.Open(dir); err != nil {
		return nil, err
	}
	markers, err := markerIDs(e.tokenizer)
	if err != nil {
		return nil, err
	}
	if e.model, err = loadModel(dir, e.tokenizer.Size(), markers, false, newRowSeed); err != nil {
		return nil, err
	}
	e.settings.MaxTokens = min(e.settings.MaxTokens, int(e.model.config.Positions))
	if e.fingerprint, err = fingerprint(dir, e.tokenizer, e.settings); err != nil {
		return nil, err
	}
	return e, e.castWeights(dtype)
}

// newRowSeed draws the rows of new markers in an encoder that is not trained.
const newRowSeed = 1

// castWeights puts the weights on the device in the type of the products, once, and
// packs and fuses them where oneDNN multiplies in bfloat16.
func (e *Encoder) castWeights(dtype gotch.DType) error {
	return onThread(false, func() error {
		s := e.weights
		values := s.to(s.cast(e.model.trained.values, dtype))
		e.bert = e.model.bert(s, dtype, e.model.frozen.values, values)
		if s.err == nil && values != e.model.trained.values {
			s.fail(e.model.drop()) // the copy is all that is needed
		}
		if s.err == nil && dtype == gotch.BFloat16 && !s.device.IsCuda() && hasBFloat16(s.device) {
			var err error
			if e.packer, err = newPacker(e.model.config.Activation); err != nil {
				return err
			}
			e.packer.bert(s, e.bert)
			if canFuse(e.bert.config) {
				e.fused = fuse(s, e.bert)
			}
		}
		return s.err
	})
}

// markerIDs are the ids of [ENT] and [/ENT].
func markerIDs(t *tokenizer.Tokenizer) (ids [2]int32, err error) {
	name := ctxnorm.NameExemplar("a")
	in, err := t.Encode(&name.Query, tokenizer.Options{MaxTokens: contrastive.MinTokens})
	if err != nil {
		return ids, err
	}
	return [2]int32{in.IDs[in.Query.Start], in.IDs[in.Query.End-1]}, nil
}

// Dim is the length of a vector, the model's hidden size.
func (e *Encoder) Dim() int { return int(e.model.config.Hidden) }

// Fingerprint is the hash of weights, tokenizer, settings and the version of
// this code. Vectors of one fingerprint can be compared.
func (e *Encoder) Fingerprint() string { return e.fingerprint }

// Settings are the pooling, marking and window in use.
func (e *Encoder) Settings() Settings { return e.settings }

// Close frees the weights. No call of Encode may be under way.
func (e *Encoder) Close() error {
	e.weights.err = nil
	e.weights.drop()
	e.packer.drop()
	err := e.weights.err
	if e.model != nil {
		err = errors.Join(err, e.model.drop())
	}
	if e.tokenizer != nil {
		err = errors.Join(err, e.tokenizer.Close())
		e.tokenizer = nil
	}
	return err
}

// Encode writes the unit vector of each query to dst: see [ctxnorm.Encoder].
// Queries are sorted by length and packed, so give it many at once. It stops
// between batches when ctx is cancelled.
func (e *Encoder) Encode(ctx context.Context, dst []float32, queries []ctxnorm.Query) error {
	if len(dst) != len(queries)*e.Dim() {
		return fmt.Errorf("encoder: room for %d numbers, want %d for %d queries of %d",
			len(dst), len(queries)*e.Dim(), len(queries), e.Dim())
	}
	const round = 1 << 16 // queries whose tokens are held at once, about 20 MB
	for start := 0; start < len(queries); start += round {
		end := min(start+round, len(queries))
		if err := e.encodeRound(ctx, dst[start*e.Dim():end*e.Dim()], queries[start:end]); err != nil {
			return fmt.Errorf("encoder: %w", err)
		}
	}
	return nil
}
