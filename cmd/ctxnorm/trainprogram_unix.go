//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// findTrainProgram returns the path of ctxnorm-train beside this program, or else in the PATH; "" if it is nowhere.
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

// become runs a program with arguments in the place of this one. It returns only if that fails.
func become(path string, args []string) error {
	return fmt.Errorf("%s: %w", path, syscall.Exec(path, append([]string{path}, args...), os.Environ()))
}
