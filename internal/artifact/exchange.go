//go:build linux || darwin

package artifact

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange swaps two folders in one step. It returns errors.ErrUnsupported if the kernel or the file system does not
// support that.
func exchange(from, to string) error {
	return step("exchange", to, func() error {
		err := swap(from, to)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOTSUP):
			return errors.ErrUnsupported
		}
		return &os.LinkError{Op: "exchange", Old: from, New: to, Err: err}
	})
}
