// Package ctxnorm links mentions in text to the concepts of a dictionary, even when the
// dictionary lacks the wording. It learns from the dictionary and raw text alone.
//
// To link, [Open] a model folder and call [Model.LinkText] on a text whose mentions
// are marked, [Model.Annotate] on a text whose mentions are to be found, or
// [Model.Link] on documents with mentions. Without a model, read a dictionary with
// [ReadDictionary] and link to it by strings: [NewDictionaryModel]. To make a model,
// label sentences of texts, such as the abstracts of PubMed, with the names of a
// dictionary by [BuildCorpus], and call [Train].
//
// The method is BioCoM (Ujiie, Iso and Aramaki, 2021): sentences that hold a name of
// the dictionary are found by longest match; a BERT encoder is trained on them with
// Multi-Similarity loss, so that mentions of one concept lie near each other; and the
// nearest exemplars of a mention vote for its concept. Around it stand string
// similarity, abbreviations, composite mentions, the dictionary's hierarchy, and
// ranking weights that are learned without labels.
//
// # Two builds
//
// Without build tags everything but training works, in pure Go: a model with a BERT encoder
// is made from a base model as it is ([UntrainedEncoder]), opened, and links, on any
// platform. The tag torch, which needs libtorch and a Rust library, adds training
// ([ErrNoTraining] without it), GPUs, and the encoders that only libtorch and Hugging
// Face's tokenizers run ([ErrNoEncoder] without it).
//
// # Packages
//
// This package joins the others, of which those that are not below internal can be used directly.
// ARCHITECTURE.md lists them.
package ctxnorm

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// The types that the functions of this package take and return.
type (
	// ConceptID identifies a concept, as the dictionary writes it: "MESH:D003924".
	ConceptID = kb.ConceptID
	// Dictionary is an immutable set of concepts with their names.
	Dictionary = kb.Dictionary

	// Document is a text with mentions. Offsets are bytes.
	Document = text.Document
	// Mention is a span of a document that names a concept.
	Mention = text.Mention
	// Span is a half-open range of bytes.
	Span = text.Span
	// Query is a mention in its sentence: what an encoder encodes.
	Query = text.Query

	// LinkedDocument is a document with its linked mentions, see package text/linked.
	LinkedDocument = linked.Document

	// Encoder turns queries into vectors.
	Encoder = text.Encoder
)

// Errors to compare with errors.Is.
var (
	// ErrNoEncoder reports that the encoder of a model is needed, and this build cannot run it: a name encoder, and a
	// tokenizer other than BERT's, need -tags torch.
	ErrNoEncoder = model.ErrNoEncoder
	// ErrNoTraining reports that an encoder is to be trained, which needs a build with -tags torch.
	ErrNoTraining = errors.New("this build of ctxnorm does not train encoders")
	// ErrNoVectors reports that a linking method compares vectors, and the model was
	// made without an encoder.
	ErrNoVectors = model.ErrNoVectors
	// ErrNoRecognizer reports that the model has no recognizer, which [LinkOptions].Recognize asks for.
	ErrNoRecognizer = model.ErrNoRecognizer
)

// Errors to find with errors.As.
type (
	// DamagedError reports a file that does not hold what it should: its Path, the byte Offset
	// of the fault (-1 where that is unknown), and the Reason.
	DamagedError = files.DamagedError
	// ForeignError reports a file or folder that ctxnorm did not write, in a folder that it was
	// to replace. Nothing was changed.
	ForeignError = files.ForeignError
	// LockedError reports a folder that another process is writing.
	LockedError = files.LockedError
	// OptionError reports a field of an options struct that has an impossible value. It is returned before
	// anything is read or written.
	OptionError = files.OptionError
	// InputErrors reports input files of a corpus that were unreadable or broken.
	// The corpus of the other records is complete.
	InputErrors = corpus.InputErrors
)

// Progress is how far a long task has come.
type Progress struct {
	Task  string // "fetch", "index", "build-corpus", "train", "recognizer" or "encode"
	Unit  string // "bytes", "names", "steps" or "exemplars"
	Done  int64
	Total int64
	Note  string // what else is known: a file name, a loss
}

// Observer receives what happens during a long task. Each function may be nil. No two are called
// at once.
type Observer struct {
	Progress func(Progress)
	// Log receives one line about what was read, used or left out.
	Log func(message string)
	// Error receives an error that does not end the task: a malformed row that is skipped, a damaged
	// checkpoint that is passed over. Log receives its text if Error is nil.
	Error func(error)
}

func (o *Observer) progress(p Progress) {
	if o.Progress != nil {
		o.Progress(p)
	}
}

func (o *Observer) logf(format string, args ...any) {
	if o.Log != nil {
		o.Log(fmt.Sprintf(format, args...))
	}
}

func (o *Observer) error(err error) {
	if o.Error != nil {
		o.Error(err)
	} else {
		o.logf("%v", err)
	}
}

// indexing returns a context with which the passes over the names of a large dictionary report their progress.
func (o *Observer) indexing(ctx context.Context, names int) context.Context {
	const passes, large = 10, 100_000 // two seconds
	if names < large {
		return ctx
	}
	var mu sync.Mutex
	done := 0.
	return parallel.WithCounter(ctx, func(part float64) {
		mu.Lock()
		defer mu.Unlock()
		done += part / passes * float64(names)
		o.progress(Progress{Task: "index", Unit: "names", Done: min(int64(done+.5), int64(names)), Total: int64(names)})
	})
}
