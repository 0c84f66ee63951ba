package artifact

import "fmt"

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

// Damaged returns a [*DamagedError] for path, which may be empty, with no offset and
// a formatted reason.
func Damaged(path, format string, args ...any) error {
	return DamagedAt(path, -1, format, args...)
}

// DamagedAt is [Damaged] with the offset of the fault in bytes.
func DamagedAt(path string, offset int64, format string, args ...any) error {
	return &DamagedError{Path: path, Offset: offset, Reason: fmt.Sprintf(format, args...)}
}

// WithPath adds the path of a file to an error of its reader: it sets the Path of a
// [*DamagedError] that has none, and prefixes any other error. It returns nil for nil.
func WithPath(path string, err error) error {
	if err == nil {
		return nil
	}
	if damaged, ok := err.(*DamagedError); ok && damaged.Path == "" {
		return &DamagedError{Path: path, Offset: damaged.Offset, Reason: damaged.Reason}
	}
	return fmt.Errorf("%s: %w", path, err)
}
