//go:build unix && !aix && !solaris && !illumos

package artifact

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile locks an open file until it is closed, exclusively or shared. It returns errLocked if the lock is held
// through another open file, and errors.ErrUnsupported if the file system has no locks.
func lockFile(file *os.File, shared bool) error {
	how := unix.LOCK_EX
	if shared {
		how = unix.LOCK_SH
	}
	for {
		err := unix.Flock(int(file.Fd()), how|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return errLocked
		case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.ENOLCK):
			return errors.ErrUnsupported
		}
		return err
	}
}
