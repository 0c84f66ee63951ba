package model

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// baseEncoder is the base model of the encoder, as it was before training. It knows what a
// sentence is about beyond the dictionary, which an encoder that is trained to tell the
// concepts of one dictionary apart forgets. It reads sentences without markers.
type baseEncoder struct {
	text.Encoder
	meanName []float32 // the mean vector of a sample of the model's names
}

// meanNameSample is the number of names whose vectors the base encoder's mean is of.
const meanNameSample = 2000

// meanName returns the mean of an encoder's vectors of a sample, by hash, of names.
func meanName(ctx context.Context, encoder text.Encoder, names []text.Exemplar,
	seed uint64) (*knnindex.Vectors, error) {
	hash := func(ex *text.Exemplar) uint64 { return sampling.Hash(seed, "mean name", ex.Text) }
	sample := slices.Clone(names)
	slices.SortFunc(sample, func(a, b text.Exemplar) int {
		return cmp.Or(cmp.Compare(hash(&a), hash(&b)), strings.Compare(a.Text, b.Text))
	})
	sample = sample[:min(meanNameSample, len(sample))]
	vectors, err := encodeExemplars(ctx, encoder, sample, func(int) {})
	if err != nil {
		return nil, err
	}
	return &knnindex.Vectors{Dim: vectors.Dim, Data: meanVector(vectors)}, nil
}

// writeBaseEncoder copies the base encoder, if there is one, and writes the mean vector of the names.
func (b *building) writeBaseEncoder(ctx context.Context) error {
	if b.BaseEncoder == nil {
		return nil
	}
	if err := artifact.CopyFolder(b.in(BaseEncoderFolder), b.BaseEncoderDir); err != nil {
		return err
	}
	b.manifest.BaseEncoder = &EncoderInfo{Base: b.BaseModel, Fingerprint: b.BaseEncoder.Fingerprint(), Dim: b.BaseEncoder.Dim()}
	mean, err := meanName(ctx, b.BaseEncoder, b.names, b.DictionaryInfo.Seed)
	if err != nil {
		return err
	}
	b.base = &baseEncoder{b.BaseEncoder, mean.Data}
	return mean.WriteNPY(b.in(baseMeanName))
}

// lazyBaseEncoder returns the function that opens the base encoder when it is first needed. It is
// closed with the model.
func (m *Model) lazyBaseEncoder(openEncoder OpenEncoder) func() (*baseEncoder, error) {
	info := m.Manifest.BaseEncoder
	if info == nil {
		return func() (*baseEncoder, error) { return nil, nil }
	}
	var closer io.Closer // nil until the encoder is open
	m.closers = append(m.closers, func() error {
		if closer == nil {
			return nil
		}
		return closer.Close()
	})
	return whenNeeded(m, func() (*baseEncoder, error) {
		encoder, err := m.openEncoderIn(BaseEncoderFolder, info, openEncoder)
		closer, _ = encoder.(io.Closer)
		if err != nil {
			return nil, err
		}
		mean, err := openFile(m, baseMeanName, knnindex.OpenNPY)
		if err != nil {
			return nil, err
		}
		defer mean.Close()
		if mean.Len() != 1 || mean.Dim != info.Dim {
			return nil, artifact.Damaged(m.path(baseMeanName), "has shape %d x %d, want 1 x %d", mean.Len(), mean.Dim, info.Dim)
		}
		return &baseEncoder{encoder, slices.Clone(mean.Row(0))}, nil
	})
}

// EncoderOrigin says where the encoder of a model comes from.
type EncoderOrigin struct {
	Model      string          // the folder of the model
	Base       string          // the base model that it was trained from
	Training   json.RawMessage // settings and results of its training; nil if it was not trained
	BaseFolder string          // the folder of the model's base encoder; empty if it has none
}

// OriginOf returns the origin of the encoder in a folder of a model, and nil if the folder is no model's. It compares
// the files of the encoder, and of the base encoder, with the manifest: a [*files.DamagedError] says which differs.
func OriginOf(encoder string) (*EncoderOrigin, error) {
	encoder, err := filepath.Abs(encoder)
	if err != nil || filepath.Base(encoder) != encoderFolder {
		return nil, err
	}
	of := filepath.Dir(encoder)
	manifest, err := ReadManifest(of)
	if err != nil || manifest.Encoder == nil {
		return nil, nil //nolint:nilerr // the folder of an encoder may be anywhere
	}
	origin := &EncoderOrigin{Model: of, Base: manifest.Encoder.Base, Training: manifest.Training}
	if manifest.BaseEncoder != nil {
		origin.BaseFolder = pathIn(of, BaseEncoderFolder)
	}
	for _, folder := range []string{encoderFolder, BaseEncoderFolder} {
		if err := manifest.checkFolder(of, folder); err != nil {
			return nil, err
		}
	}
	return origin, nil
}

// BaseVectors returns the vector of the sentence of each query by the base encoder, and nil for a
// model without one. It reads sentences without markers.
func (m *Model) BaseVectors(ctx context.Context, queries []text.Query) ([][]float32, error) {
	base, err := m.base()
	if base == nil || err != nil {
		return nil, err
	}
	return Encode(ctx, base, queries)
}

// Encode returns the vector of each query by an encoder.
func Encode(ctx context.Context, encoder text.Encoder, queries []text.Query) ([][]float32, error) {
	all := make([]float32, len(queries)*encoder.Dim())
	err := encoder.Encode(ctx, all, queries)
	return slices.Collect(slices.Chunk(all, encoder.Dim())), err
}

// BaseMeanNameCosine returns the mean cosine of a vector of [Model.BaseVectors] and the names of
// the model: how much the sentence speaks of what the dictionary names.
func (m *Model) BaseMeanNameCosine(vector []float32) float64 {
	base, err := m.base()
	if base == nil || err != nil { // then there are no such vectors
		return 0
	}
	return dot.InOrder(base.meanName, vector)
}

// base returns the base encoder, nil for a model without one.
func (m *Model) base() (*baseEncoder, error) {
	if m.Vectors == nil {
		return nil, nil
	}
	return m.Vectors.base()
}
