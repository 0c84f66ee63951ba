package main

import (
	"errors"

	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
)

// registerWait registers --wait, of a command that writes the folder of the flag folder.
func registerWait(flags *pflag.FlagSet, wait *bool, folder string) {
	flags.BoolVar(wait, "wait", false, "wait while another process is writing the "+folder+" folder")
}

// waiting returns what is called when another process is writing the folder: nil unless wait
// is set.
func (p *program) waiting(wait bool) func(*ctxnorm.LockedError) {
	if !wait {
		return nil
	}
	return func(held *ctxnorm.LockedError) { p.logf("waiting: %v", held) }
}

// targetHint adds to an error of the folder to be written what to do about it. flag is the
// flag that names the folder.
func targetHint(err error, flag string) error {
	var (
		foreign *ctxnorm.ForeignError
		locked  *ctxnorm.LockedError
	)
	switch {
	case errors.As(err, &foreign):
		return withHint(err, "move it elsewhere, or name another folder with --"+flag)
	case errors.As(err, &locked):
		return withHint(err, "--wait waits until it has ended")
	}
	return err
}
