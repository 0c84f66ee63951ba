// Package files has the types that packages which read and write files share in their APIs: limits of the memory that a
// file may take, and errors that callers distinguish with [errors.As].
package files

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"
	"time"
)

// DamagedError is the error for a file with unexpected content: truncated, altered, missing from a folder whose
// manifest lists it, of another version, or made for other data. Use [errors.As] to distinguish it from errors of the
// file system.
type DamagedError struct {
	Path   string // file or folder; empty if unknown to the reader
	Offset int64  // byte of the file where the fault was found; -1 if unknown
	Reason string
}

// Error returns "PATH: byte OFFSET: REASON" without the unknown parts.
func (e *DamagedError) Error() string {
	message := e.Reason
	if e.Offset >= 0 {
		message = fmt.Sprintf("byte %d: %s", e.Offset, message)
	}
	if e.Path == "" {
		return message
	}
	return e.Path + ": " + message
}

// ForeignError reports a file or folder that ctxnorm did not write, inside a folder that it would replace or remove.
type ForeignError struct {
	Path   string // of the foreign file or folder
	Folder string // the folder to be replaced or removed
	Reason string // why it is foreign; empty if there is no evidence that it is ctxnorm's
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s: %s; %s is not overwritten", e.Path, cmp.Or(e.Reason, "was not written by ctxnorm"), e.Folder)
}

// Holder describes the process that holds a lock. It is the content of the lock file. In a shared lock only the kind is
// set, so that all holders write the same.
type Holder struct {
	Kind    string    `json:"kind"` // "ctxnorm lock", which identifies the file
	PID     int       `json:"pid"`
	Host    string    `json:"host"`
	Command string    `json:"command"`
	Since   time.Time `json:"since"`
}

// LockedError reports a folder or file that another process is writing.
type LockedError struct {
	Path   string // the folder or file
	Holder Holder // zero if the holder has not written it yet
}

func (e *LockedError) Error() string {
	if e.Holder.PID == 0 {
		return e.Path + ": another process is writing it"
	}
	return fmt.Sprintf("%s: process %d on %s is writing it, since %s: %s",
		e.Path, e.Holder.PID, e.Holder.Host, e.Holder.Since.Format(time.DateTime), e.Holder.Command)
}

// OptionError reports an impossible value in a field of an options struct. It is returned before anything is read or
// written.
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

// CheckOption returns an [*OptionError] for a field unless ok.
func CheckOption(ok bool, field string, value any, want string) error {
	if ok {
		return nil
	}
	return &OptionError{field, value, want}
}
