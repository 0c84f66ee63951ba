package artifact

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile locks an open file until it is closed, alone or shared with others. It returns
// errLocked if the lock is held through another open file. The lock is on one byte far behind the content, since others
// cannot read what is locked.
func lockFile(file *os.File, shared bool) error {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if !shared {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errLocked
	}
	return err
}
