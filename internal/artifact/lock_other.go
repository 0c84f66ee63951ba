//go:build !windows && (!unix || aix || solaris || illumos)

package artifact

import (
	"errors"
	"os"
)

// lockFile is not supported on this system.
func lockFile(*os.File, bool) error { return errors.ErrUnsupported }
