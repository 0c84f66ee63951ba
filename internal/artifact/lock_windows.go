package artifact

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile locks an open file until it is closed, exclusively or shared. It returns errLocked if the lock is held
// through another open file. It locks one byte far beyond the content, because other processes cannot read a locked
// range.
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
