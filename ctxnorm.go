// Package ctxnorm links mentions in text to the concepts of a dictionary, even when the dictionary lacks the phrase. It
// learns from the dictionary and raw text alone.
//
// To link, [Open] a model folder and call [Model.LinkText] on a text with marked mentions, [Model.Annotate] on a text
// in which to find the mentions, or [Model.Link] on documents with mentions. Without a model, read a dictionary with
// [ReadDictionary] and link to it by string matching with [NewDictionaryModel]. To make a model, label sentences of
// texts, such as PubMed abstracts, with the names of a dictionary by [BuildCorpus], and call [Train].
//
// The method is BioCoM (Ujiie, Iso and Aramaki, 2021). It finds sentences with names of the dictionary by longest
// match, and trains a BERT encoder on them with Multi-Similarity loss, so that mentions of the same concept are close
// to each other. To link a mention, its nearest exemplars vote for its concept. ctxnorm adds string similarity,
// abbreviations, composite mentions, the dictionary's hierarchy, and ranking weights learned without labels.
//
// # Two builds
//
// Without build tags, everything except training works in pure Go on any platform: making a model with a BERT encoder
// from an unchanged base model ([UntrainedEncoder]), opening it, and linking. The tag torch, which needs libtorch and a
// Rust library, adds training ([ErrNoTraining] without it), GPUs, and the encoders that only libtorch and the
// tokenizers of Hugging Face can run ([ErrNoEncoder] without it).
//
// # Packages
//
// This package combines the others. Those outside internal can also be used directly. ARCHITECTURE.md lists them.
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

// Types of the parameters and results in this package.
type (
	// ConceptID identifies a concept in the form of the dictionary: "MESH:D003924".
	ConceptID = kb.ConceptID
	// Dictionary is an immutable set of concepts with their names.
	Dictionary = kb.Dictionary

	// Document is a text with mentions. Offsets are in bytes.
	Document = text.Document
	// Mention is a span of a document that names a concept.
	Mention = text.Mention
	// Span is a half-open range of bytes.
	Span = text.Span
	// Query is a mention in its sentence, the input of an encoder.
	Query = text.Query

	// LinkedDocument is a document with its linked mentions, see package text/linked.
	LinkedDocument = linked.Document

	// Encoder turns queries into vectors.
	Encoder = text.Encoder
)

// Errors to compare with errors.Is.
var (
	// ErrNoEncoder reports that the encoder of a model is needed but this build cannot run it. A name encoder, and any
	// tokenizer other than BERT's, need -tags torch.
	ErrNoEncoder = model.ErrNoEncoder
	// ErrNoTraining reports that training an encoder needs a build with -tags torch.
	ErrNoTraining = errors.New("this build of ctxnorm does not train encoders")
	// ErrNoVectors reports that a linking method compares vectors but the model was made without an encoder.
	ErrNoVectors = model.ErrNoVectors
	// ErrNoRecognizer reports that the model has no recognizer, which [LinkOptions].Recognize needs.
	ErrNoRecognizer = model.ErrNoRecognizer
)

// Errors to find with errors.As.
type (
	// DamagedError reports a file with wrong content: its Path, the byte Offset of the fault (-1 if unknown), and the
	// Reason.
	DamagedError = files.DamagedError
	// ForeignError reports a file or folder that ctxnorm did not write, in a folder to be replaced. Nothing was
	// changed.
	ForeignError = files.ForeignError
	// LockedError reports a folder that another process is writing.
	LockedError = files.LockedError
	// OptionError reports a field of an options struct with an invalid value. It is returned before anything is read or
	// written.
	OptionError = files.OptionError
	// InputErrors reports input files of a corpus that were unreadable or broken. The corpus of the other records is
	// complete.
	InputErrors = corpus.InputErrors
)

// Progress is the progress of a long task.
type Progress struct {
	Task  string // "fetch", "index", "build-corpus", "train", "recognizer" or "encode"
	Unit  string // "bytes", "names", "steps" or "exemplars"
	Done  int64
	Total int64
	Note  string // further details, such as a file name or a loss
}

// Observer receives reports during a long task. Each function may be nil. They are never called concurrently.
type Observer struct {
	Progress func(Progress)
	// Log receives one line about data that was read, used or left out.
	Log func(message string)
	// Error receives an error that does not end the task, such as a malformed row or a damaged checkpoint that is
	// skipped. If Error is nil, Log receives its text.
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

// indexing returns a context that makes the passes over the names of a large dictionary report their progress.
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
