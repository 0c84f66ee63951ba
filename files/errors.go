// Package files has what the packages that read and write files share in their API: the
// limits of the memory that a file may take, and the errors that a caller tells apart with
// [errors.As].
package files

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"
	"time"
)

// DamagedError is the error for a file whose content is not what it should be: it is
// truncated, altered, missing from a folder whose manifest lists it, of another version
// or made for other data. Use [errors.As] to tell it from errors of the file system.
type DamagedError struct {
	Path   string // file or folder; empty if the reader does not know it
	Offset int64  // byte of the file where the fault was found; -1 if it is not known
	Reason string
}

// Error returns "PATH: byte OFFSET: REASON" without what is not known.
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

// ForeignError reports a file or folder that ctxnorm did not write, in a folder that it would
// replace or remove.
type ForeignError struct {
	Path   string // of what ctxnorm did not write
	Folder string // that would be replaced or removed
	Reason string // why it is not taken for ctxnorm's; empty if nothing speaks for that
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s: %s; %s is not overwritten", e.Path, cmp.Or(e.Reason, "was not written by ctxnorm"), e.Folder)
}

// Holder describes the process that holds a lock: the content of its file. That of a shared
// lock has the kind alone, so that all who hold it write the same.
type Holder struct {
	Kind    string    `json:"kind"` // "ctxnorm lock", by which the file is known
	PID     int       `json:"pid"`
	Host    string    `json:"host"`
	Command string    `json:"command"`
	Since   time.Time `json:"since"`
}

// LockedError reports a folder or file that another process is writing.
type LockedError struct {
	Path   string // the folder or file
	Holder Holder // zero if the holder has not said yet who it is
}

func (e *LockedError) Error() string {
	if e.Holder.PID == 0 {
		return e.Path + ": another process is writing it"
	}
	return fmt.Sprintf("%s: process %d on %s is writing it, since %s: %s",
		e.Path, e.Holder.PID, e.Holder.Host, e.Holder.Since.Format(time.DateTime), e.Holder.Command)
}

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

// CheckOption returns an [*OptionError] unless a field has a possible value.
func CheckOption(ok bool, field string, value any, want string) error {
	if ok {
		return nil
	}
	return &OptionError{field, value, want}
}
