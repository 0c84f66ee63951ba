//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// distrust returns why a file of settings that was found, and not named, is not read, or "": another user owns or
// can write it, a link that leads to it, or the folder in which it is. As for git's safe directories, root owns
// what everybody trusts, and for root who came by sudo that user does, too.
func distrust(path string) string {
	link, err := os.Lstat(path)
	if err != nil {
		return err.Error()
	}
	file, err := os.Stat(path)
	if err != nil {
		return err.Error()
	}
	folder, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return err.Error()
	}
	for _, part := range []struct {
		what string
		info fs.FileInfo
	}{{"it", link}, {"it", file}, {"its folder", folder}} {
		owner, ok := part.info.Sys().(*syscall.Stat_t)
		if !ok {
			return "the system does not say who owns " + part.what
		}
		if !isTrusted(owner.Uid) {
			return fmt.Sprintf("another user owns %s (uid %d)", part.what, owner.Uid)
		}
		mode := part.info.Mode()
		sticky := mode.IsDir() && mode&fs.ModeSticky != 0 // as /tmp: only the owner of a file can replace it
		// The group of a user alone has the number of the user.
		othersWrite := mode&0o002 != 0 || mode&0o020 != 0 && owner.Gid != owner.Uid
		if othersWrite && !sticky && mode&fs.ModeSymlink == 0 {
			return "other users can write " + part.what
		}
	}
	return ""
}

// isTrusted reports whether a user's settings are obeyed.
func isTrusted(uid uint32) bool {
	if uid == 0 || uid == uint32(os.Geteuid()) {
		return true
	}
	by, err := strconv.ParseUint(os.Getenv("SUDO_UID"), 10, 32)
	return os.Geteuid() == 0 && err == nil && uid == uint32(by)
}
