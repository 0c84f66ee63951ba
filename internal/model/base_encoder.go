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

// baseEncoder is the base model of the encoder before it was trained. It still understands topics outside the
// dictionary, which an encoder forgets when it is trained to tell the concepts of one dictionary apart. It reads
// sentences without markers.
type baseEncoder struct {
	text.Encoder
	meanName []float32 // the mean vector of a sample of the model's names
}

// meanNameSample is the number of names whose vectors baseEncoder.meanName averages.
const meanNameSample = 2000

// meanName returns the mean vector of a sample of the names. The sample is chosen by hash.
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

// lazyBaseEncoder returns a function that opens the base encoder on the first call. The model closes it.
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

// OriginOf returns the origin of the encoder in a folder, or nil if the folder does not belong to a model. It returns a
// [*files.DamagedError] if a file of the encoder or of the base encoder differs from the manifest.
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

// BaseVectors returns the vector of each query's sentence, computed by the base encoder, or nil if the model has no
// base encoder. It reads sentences without markers.
func (m *Model) BaseVectors(ctx context.Context, queries []text.Query) ([][]float32, error) {
	base, err := m.base()
	if base == nil || err != nil {
		return nil, err
	}
	return Encode(ctx, base, queries)
}

// Encode returns the encoder's vector of each query.
func Encode(ctx context.Context, encoder text.Encoder, queries []text.Query) ([][]float32, error) {
	all := make([]float32, len(queries)*encoder.Dim())
	err := encoder.Encode(ctx, all, queries)
	return slices.Collect(slices.Chunk(all, encoder.Dim())), err
}

// BaseMeanNameCosine returns the mean cosine of a vector of [Model.BaseVectors] and the names of the model: how close
// the topic of the sentence is to that of the dictionary.
func (m *Model) BaseMeanNameCosine(vector []float32) float64 {
	base, err := m.base()
	if base == nil || err != nil { // then there are no such vectors
		return 0
	}
	return dot.InOrder(base.meanName, vector)
}

// base returns the base encoder, or nil if the model has none.
func (m *Model) base() (*baseEncoder, error) {
	if m.Vectors == nil {
		return nil, nil
	}
	return m.Vectors.base()
}
