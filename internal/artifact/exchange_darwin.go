package artifact

import "golang.org/x/sys/unix"

func swap(from, to string) error { return unix.RenamexNp(from, to, unix.RENAME_SWAP) }

// isMountPoint always returns false on this system; renaming a mount point fails.
func isMountPoint(string) bool { return false }
