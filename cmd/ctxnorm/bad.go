package main

import (
	"errors"
	"fmt"

	"github.com/ctxnorm/ctxnorm/text/formats"
)

// badRecords passes over records that cannot be read, and remembers that there
// were some.
type badRecords struct {
	program *program
	strict  bool
	count   int
}

// shownBadRecords is how many are said one by one.
const shownBadRecords = 20

// pass says a bad record and goes on. Any other error, and a bad record where
// strict is set, comes back.
func (b *badRecords) pass(err error) error {
	var bad *formats.RecordError
	if !errors.As(err, &bad) || b.strict {
		return err
	}
	if b.count++; b.count <= shownBadRecords {
		b.program.say("%v", err)
	}
	return nil
}

func (b *badRecords) result() error {
	if b.count == 0 {
		return nil
	}
	return &someError{fmt.Sprintf("%d bad records were passed over", b.count)}
}
