package main

import (
	"errors"
	"fmt"

	"github.com/ctxnorm/ctxnorm/text/formats"
)

// badRecords skips malformed records, and counts them.
type badRecords struct {
	program *program
	strict  bool
	count   int
}

// shownBadRecords is the number of malformed records that are reported one by one.
const shownBadRecords = 20

// pass reports a malformed record and returns nil. It returns any other error, and with
// strict every error.
func (b *badRecords) pass(err error) error {
	var bad *formats.RecordError
	if !errors.As(err, &bad) || b.strict {
		return err
	}
	if b.count++; b.count <= shownBadRecords {
		b.program.logf("%v", err)
	}
	return nil
}

func (b *badRecords) result() error {
	if b.count == 0 {
		return nil
	}
	return &partialError{fmt.Sprintf("%d malformed records were skipped", b.count)}
}
