package artifact

import (
	"fmt"

	"github.com/ctxnorm/ctxnorm/files"
)

// Damaged returns a [*files.DamagedError] for path, which may be empty, without an offset and with a formatted reason.
func Damaged(path, format string, args ...any) error { return DamagedAt(path, -1, format, args...) }

// DamagedAt is like [Damaged], with the offset of the fault in bytes.
func DamagedAt(path string, offset int64, format string, args ...any) error {
	return &files.DamagedError{Path: path, Offset: offset, Reason: fmt.Sprintf(format, args...)}
}

// WithPath adds the path of a file to an error from reading it: it sets the Path of a [*files.DamagedError] that has
// none, and prefixes any other error. It returns nil for nil.
func WithPath(path string, err error) error {
	if err == nil {
		return nil
	}
	if damaged, ok := err.(*files.DamagedError); ok && damaged.Path == "" {
		return &files.DamagedError{Path: path, Offset: damaged.Offset, Reason: damaged.Reason}
	}
	return fmt.Errorf("%s: %w", path, err)
}
