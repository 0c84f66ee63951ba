//go:build unix

package artifact

import (
	"io/fs"
	"syscall"
)

// umask holds the permissions that new files of this process do not get. There is no call
// that only reads it, so it is read while the program starts and nothing else runs.
var umask = func() fs.FileMode {
	mask := syscall.Umask(0)
	syscall.Umask(mask)
	return fs.FileMode(mask) & fs.ModePerm
}()
