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

// EncoderOptions say how an encoder computes, not what it computes.
type EncoderOptions = encoder.Options

// OpenOptions say how a model is opened. The zero value opens it with the encoder of
// this build, on all cores.
type OpenOptions struct {
	Encoder EncoderOptions
	// OpenEncoder, if it is not nil, opens the encoder in a folder of the model: an encoder of your own, whose
	// fingerprint must be that of the encoder that the model was made with.
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
	linkers map[linkerKey]*link.MentionResolver // made when first asked for
	names   func() (*link.NameIndex, error)     // of stored, for all rankers
}

// Open opens the model folder dir. It maps the dictionary, what is made of its names, and the
// vectors; sentences that serve as evidence are read when they are first asked for. The error is a
// [*DamagedError] when a file is missing, differs from what was written or belongs to another
// model. All files that linking needs at once are compared with their checksums.
//
// What the memory beside the folder says is part of the model: see [Model.Memory].
//
// A build that cannot run the model's encoder opens the model without it: it links by the methods
// for which [Method.NeedsEncoder] is false, and other methods return [ErrNoEncoder]. See
// [Model.EncoderLeftOut].
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

// NewModel returns the model of an opened model folder, for callers that change what
// [model.Open] returned: held-out concepts ([model.Model.HoldOut]), an encoder that remembers
// ([model.Memoize]). Closing it closes stored.
func NewModel(stored *model.Model) *Model {
	return &Model{
		stored: stored, base: stored, owner: true, linkers: make(map[linkerKey]*link.MentionResolver),
		names: sync.OnceValues(func() (*link.NameIndex, error) { return link.NewNameIndex(stored) }),
	}
}

// NewDictionaryModel returns a model of a dictionary alone, in memory, which links by strings at
// once, without a corpus and without training: by [MethodLexical], its default, tfidf and exact. It need not be closed.
// name, the base name of a file, is recorded in its manifest.
func NewDictionaryModel(dict *Dictionary, name string) *Model {
	m := NewModel(model.OfDictionary(dict, name))
	m.dictionaryOnly, m.base = true, nil
	return m
}

// Stored returns the content of the model, with that of its memory. It is to be neither changed nor closed.
func (m *Model) Stored() *model.Model { return m.stored }

// MemoryEntries returns the entries of a memory that are part of the model: those that were in force when
// [Open] or [Memory.Model] returned it. The slice must not be changed.
func (m *Model) MemoryEntries() []memory.Entry { return m.entries }

// Filter returns a model that links to the concepts, by the names, that a filter keeps. Others are
// no candidates: a mention of one is NIL, and the probabilities are of what is left and of NIL. All
// names still tell how much a word weighs. The filter is that of [kb.Filter]; types and the
// hierarchy are those of the model's dictionary. The filtered model shares the encoder of m, which
// must stay open while it is used, copies the vectors that are left, and searches them exactly. It
// need not be closed.
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

// EncoderOpener returns the function by which [Open] opens the encoders of a model. It takes the folder of an encoder
// and the SHA-256 of its weights, in hexadecimal, if that is known: the fingerprint is then computed without reading
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

// Close releases the encoder and the mapped files. What the model and its dictionary returned stays, but they must not be
// asked for more.
func (m *Model) Close() error {
	if !m.owner || m.base == nil {
		return nil
	}
	return m.base.Close()
}

// EncoderLeftOut reports whether the model has an encoder that this build cannot run. Mentions are
// then linked by strings, and a short form that its document does not define is resolved by the
// words around it alone, without vectors.
func (m *Model) EncoderLeftOut() bool { return m.stored.CheckEncoder() != nil }

// Dictionary returns the dictionary that the model links to.
func (m *Model) Dictionary() *Dictionary { return m.stored.Dictionary }

// Name returns the name to show for a concept (see [kb.Concept.PreferredName]), "" for a
// concept that the model does not have.
func (m *Model) Name(id ConceptID) string {
	if c := m.stored.Dictionary.Lookup(id); c != nil {
		return c.PreferredName()
	}
	return ""
}

// Tagger returns the longest-match tagger of the model's names. It is read from the
// model when it is first asked for.
func (m *Model) Tagger() (*matcher.Tagger, error) { return m.stored.Tagger() }
