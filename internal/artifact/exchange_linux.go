package artifact

import "golang.org/x/sys/unix"

func swap(from, to string) error {
	return unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_EXCHANGE)
}

// isMountPoint reports whether the folder at path is the root of a mounted file system. Such a folder cannot be
// renamed.
func isMountPoint(path string) bool {
	var stat unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, path, 0, 0, &stat)
	return err == nil && stat.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0
}
