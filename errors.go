package ctxnorm

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/model"
)

// Errors to compare with errors.Is.
var (
	// ErrNoEncoder reports that the encoder of a model is needed, and this build cannot run it: it
	// needs -tags torch, see [OpenEncoder].
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
	// InputErrors reports input files of a corpus that were unreadable or broken.
	// The corpus of the other records is complete.
	InputErrors = corpus.InputErrors
)

// OptionError reports a field of an options struct that has an impossible value. It
// is returned before anything is read or written.
type OptionError struct {
	Field string // such as "MinProbability"
	Value any
	Want  string // such as "0 to 1"
}

func (e *OptionError) Error() string {
	value := fmt.Sprintf("%v", e.Value)
	switch v := reflect.ValueOf(e.Value); v.Kind() {
	case reflect.Invalid:
		value = "nil"
	case reflect.String:
		value = strconv.Quote(v.String())
	case reflect.Slice:
		value = fmt.Sprintf("a list of %d", v.Len())
	}
	return fmt.Sprintf("%s is %s, want %s", e.Field, value, e.Want)
}
