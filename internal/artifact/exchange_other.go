//go:build !linux && !darwin

package artifact

import "errors"

// exchange is not supported on this system.
func exchange(string, string) error { return errors.ErrUnsupported }

// isMountPoint always returns false on this system; renaming a mount point fails.
func isMountPoint(string) bool { return false }
