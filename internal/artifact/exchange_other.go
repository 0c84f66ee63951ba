//go:build !linux && !darwin

package artifact

import "errors"

// exchange is not available on this system.
func exchange(string, string) error { return errors.ErrUnsupported }

// isMountPoint is not determined on this system; the rename of a mount point fails.
func isMountPoint(string) bool { return false }
