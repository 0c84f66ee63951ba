package ctxnorm

import (
	"context"
	"errors"
	"sync"

	"github.com/ctxnorm/ctxnorm/encoder"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/memory"
)

// EncoderOptions configure how an encoder computes, without changing its results.
type EncoderOptions = encoder.Options

// OpenOptions configure how a model is opened. The zero value opens it with the encoder of this build, on all cores.
type OpenOptions struct {
	Encoder EncoderOptions
	// OpenEncoder, if not nil, opens the encoder in a folder of the model: a custom encoder with the same fingerprint
	// as the one that the model was made with.
	OpenEncoder func(dir string) (Encoder, error)
}

// Model is an opened model folder. It is safe for concurrent use.
type Model struct {
	stored         *model.Model
	base           *model.Model // stored without the memory; nil if it has no folder of its own
	owner          bool         // Close closes base
	corrections    *link.Corrections
	entries        []memory.Entry // of its memory
	dictionaryOnly bool           // see NewDictionaryModel

	mu      sync.Mutex
	linkers map[linkerKey]*link.MentionResolver // made on first use
	names   func() (*link.NameIndex, error)     // of stored, for all rankers
}

// Open opens the model folder dir. It maps the dictionary, the indexes of its names, and the vectors into memory;
// sentences that serve as evidence are read on first use. It returns a [*DamagedError] if a file is missing, was
// changed or belongs to another model. It verifies the checksums of all files that linking needs immediately.
//
// The entries of the memory beside the folder are part of the model: see [Model.Memory].
//
// A build that cannot run the model's encoder opens the model without it. It then links by the methods for which
// [Method.NeedsEncoder] is false, and other methods return [ErrNoEncoder]. See [Model.EncoderLeftOut].
func Open(ctx context.Context, dir string, o OpenOptions) (*Model, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	open, err := o.EncoderOpener()
	if err != nil {
		return nil, err
	}
	stored, err := model.Open(dir, open)
	if err != nil {
		return nil, err
	}
	opened := NewModel(stored)
	remembering, err := opened.withMemory(ctx)
	if err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	return remembering, nil
}

// NewModel returns the model for an opened model folder, for callers that change the result of [model.Open]: held-out
// concepts ([model.Model.HoldOut]), or an encoder with a cache ([model.Memoize]). Closing it closes stored.
func NewModel(stored *model.Model) *Model {
	return &Model{
		stored: stored, base: stored, owner: true, linkers: make(map[linkerKey]*link.MentionResolver),
		names: sync.OnceValues(func() (*link.NameIndex, error) { return link.NewNameIndex(stored) }),
	}
}

// NewDictionaryModel returns an in-memory model made from a dictionary. It links by strings immediately, without a
// corpus and without training: by [MethodLexical], its default, tfidf and exact. It need not be closed. name, the base
// name of a file, is recorded in its manifest.
func NewDictionaryModel(dict *Dictionary, name string) *Model {
	m := NewModel(model.OfDictionary(dict, name))
	m.dictionaryOnly, m.base = true, nil
	return m
}

// Stored returns the content of the model, including that of its memory. Callers must not change or close it.
func (m *Model) Stored() *model.Model { return m.stored }

// MemoryEntries returns the entries of a memory that are part of the model: those that were in force when [Open] or
// [Memory.Model] returned it. Callers must not change the slice.
func (m *Model) MemoryEntries() []memory.Entry { return m.entries }

// Filter returns a model that links only to the concepts and names that a filter keeps. Others are not candidates: a
// mention of one is NIL, and probabilities are distributed over the rest and NIL. The weights of words still depend on
// all names. The filter is that of [kb.Filter]; types and the hierarchy are those of the model's dictionary. The
// filtered model shares the encoder of m, which must stay open while it is used, copies the remaining vectors, and
// searches them exactly. It need not be closed.
func (m *Model) Filter(f kb.Filter) (*Model, kb.FilterReport, error) {
	stored, report, err := m.stored.Filter(f)
	if err != nil {
		return nil, report, err
	}
	filtered := NewModel(stored)
	filtered.dictionaryOnly, filtered.base = m.dictionaryOnly, nil
	filtered.corrections, filtered.entries = m.corrections, m.entries
	return filtered, report, nil
}

// EncoderOpener returns the function with which [Open] opens the encoders of a model. It takes the folder of an encoder
// and, if known, the SHA-256 of its weights in hexadecimal, from which the fingerprint is computed without reading
// them.
func (o OpenOptions) EncoderOpener() (func(dir, weightsSHA256 string) (Encoder, error), error) {
	if err := o.Encoder.Validate(); err != nil {
		return nil, err
	}
	if o.OpenEncoder != nil {
		return func(dir, _ string) (Encoder, error) { return o.OpenEncoder(dir) }, nil
	}
	return func(dir, weightsSHA256 string) (Encoder, error) {
		run := o.Encoder
		run.WeightsSHA256 = weightsSHA256
		return OpenEncoder(dir, run)
	}, nil
}

// Close releases the encoder and the mapped files. Results that the model and its dictionary returned stay valid, but
// neither may be used any more.
func (m *Model) Close() error {
	if !m.owner || m.base == nil {
		return nil
	}
	return m.base.Close()
}

// EncoderLeftOut reports whether the model has an encoder that this build cannot run. Mentions are then linked by
// strings, and a short form that its document does not define is resolved only by the words around it, without vectors.
func (m *Model) EncoderLeftOut() bool { return m.stored.CheckEncoder() != nil }

// Dictionary returns the dictionary that the model links to.
func (m *Model) Dictionary() *Dictionary { return m.stored.Dictionary }

// Name returns the display name of a concept (see [kb.Concept.PreferredName]), or "" if the model does not have the
// concept.
func (m *Model) Name(id ConceptID) string {
	if c := m.stored.Dictionary.Lookup(id); c != nil {
		return c.PreferredName()
	}
	return ""
}

// Tagger returns the longest-match tagger for the model's names. It is read from the model on first use.
func (m *Model) Tagger() (*matcher.Tagger, error) { return m.stored.Tagger() }
