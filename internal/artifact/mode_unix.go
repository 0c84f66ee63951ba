//go:build unix

package artifact

import (
	"io/fs"
	"syscall"
)

// umask holds the permissions that new files of this process do not get. The only call that reads it also sets it, so
// it is read during initialization, when nothing else runs.
var umask = func() fs.FileMode {
	mask := syscall.Umask(0)
	syscall.Umask(mask)
	return fs.FileMode(mask) & fs.ModePerm
}()
