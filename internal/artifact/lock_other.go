//go:build !windows && (!unix || aix || solaris || illumos)

package artifact

import (
	"errors"
	"os"
)

// lockFile does not lock on this system.
func lockFile(*os.File, bool) error { return errors.ErrUnsupported }
