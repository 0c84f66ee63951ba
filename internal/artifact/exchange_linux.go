package artifact

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange exchanges two folders in one step. The error is errors.ErrUnsupported where the
// kernel or the file system cannot.
func exchange(from, to string) error {
	return step("exchange", to, func() error {
		err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_EXCHANGE)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOTSUP):
			return errors.ErrUnsupported
		}
		return &os.LinkError{Op: "exchange", Old: from, New: to, Err: err}
	})
}

// isMountPoint reports whether the folder at path is the root of a mounted file system, which
// cannot be renamed.
func isMountPoint(path string) bool {
	var stat unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, path, 0, 0, &stat)
	return err == nil && stat.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0
}
