//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

// distrust returns why a settings file that was found, rather than named, must be ignored, or "". It is ignored if
// another user owns or can write the file, a link that leads to it, or its folder. As with git's safe directories,
// everybody trusts root, and root through sudo trusts the user who called it.
func distrust(path string) string {
	for _, part := range []struct {
		what, path string
		stat       func(string) (fs.FileInfo, error)
	}{{"it", path, os.Lstat}, {"it", path, os.Stat}, {"its folder", filepath.Dir(path), os.Stat}} {
		info, err := part.stat(part.path)
		if err != nil {
			return err.Error()
		}
		owner, ok := info.Sys().(*syscall.Stat_t)
		sudo, err := strconv.ParseUint(os.Getenv("SUDO_UID"), 10, 32)
		switch user := os.Geteuid(); {
		case !ok:
			return "the system does not say who owns " + part.what
		case owner.Uid != 0 && owner.Uid != uint32(user) && !(user == 0 && err == nil && owner.Uid == uint32(sudo)):
			return fmt.Sprintf("another user owns %s (uid %d)", part.what, owner.Uid)
		}
		mode := info.Mode()
		sticky := mode.IsDir() && mode&fs.ModeSticky != 0 // like /tmp: only the owner of a file can replace it
		// A user's private group has the same number as the user.
		othersWrite := mode&0o002 != 0 || mode&0o020 != 0 && owner.Gid != owner.Uid
		if othersWrite && !sticky && mode&fs.ModeSymlink == 0 {
			return "other users can write " + part.what
		}
	}
	return ""
}

// findTrainProgram returns the path of ctxnorm-train beside this program, or else in PATH, or "" if it is in neither.
func findTrainProgram() string {
	if self, err := os.Executable(); err == nil {
		if self, err = filepath.EvalSymlinks(self); err == nil {
			if path, err := exec.LookPath(filepath.Join(filepath.Dir(self), trainProgramName)); err == nil {
				return path
			}
		}
	}
	path, err := exec.LookPath(trainProgramName)
	if err != nil {
		return ""
	}
	return path
}

// become replaces this process by a program with arguments. It returns only if that fails.
func become(path string, args []string) error {
	return fmt.Errorf("%s: %w", path, syscall.Exec(path, append([]string{path}, args...), os.Environ()))
}
