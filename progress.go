package ctxnorm

import "fmt"

// Progress is how far a long task has come.
type Progress struct {
	Task  string // "fetch", "build-corpus", "train", "recognizer" or "encode"
	Unit  string // "bytes", "steps" or "exemplars"
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

// waiting returns what is called when another process is writing the folder to be written: a
// function that says so if wait is set, and nil if not.
func (o *Observer) waiting(wait bool) func(*LockedError) {
	if !wait {
		return nil
	}
	return func(held *LockedError) { o.logf("waiting: %v", held) }
}
