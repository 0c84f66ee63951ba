//go:build unix

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestConfigOfOthers checks that a settings file is ignored with a warning if other users own it or can write it or its
// folder. The program must not block on something that is not a file.
func TestConfigOfOthers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files to others")
	}
	const nobody = 65534
	t.Setenv("SUDO_UID", "1000")
	for name, test := range map[string]struct {
		change func(folder, file string) error
		want   string // in the warning; "" if the file is read
	}{
		"own":                 {func(_, file string) error { return nil }, ""},
		"another's":           {func(_, file string) error { return os.Chown(file, nobody, nobody) }, "another user owns it (uid 65534)"},
		"of the sudo user":    {func(_, file string) error { return os.Chown(file, 1000, 1000) }, ""},
		"everybody writes":    {func(_, file string) error { return os.Chmod(file, 0o666) }, "other users can write it"},
		"own group writes":    {func(_, file string) error { return os.Chmod(file, 0o664) }, ""},
		"another group's":     {func(_, file string) error { return chain(os.Chown(file, 0, 100), os.Chmod(file, 0o664)) }, "other users can write it"},
		"another group reads": {func(_, file string) error { return os.Chown(file, 0, 100) }, ""},
		"folder of another":   {func(folder, _ string) error { return os.Chown(folder, nobody, nobody) }, "another user owns its folder"},
		"open folder":         {func(folder, _ string) error { return os.Chmod(folder, 0o777) }, "other users can write its folder"},
		"sticky folder":       {func(folder, _ string) error { return os.Chmod(folder, 0o777|fs.ModeSticky) }, ""},
		"link of another": {func(folder, file string) error {
			return chain(os.Rename(file, file+".real"), os.Symlink(file+".real", file), os.Lchown(file, nobody, nobody))
		}, "another user owns it"},
		"own link": {func(folder, file string) error {
			return chain(os.Rename(file, file+".real"), os.Symlink(file+".real", file))
		}, ""},
		"link to another's": {func(folder, file string) error {
			return chain(os.Rename(file, file+".real"), os.Symlink(file+".real", file), os.Chown(file, nobody, nobody))
		}, "another user owns it"},
		"named pipe": {func(_, file string) error { return chain(os.Remove(file), syscall.Mkfifo(file, 0o600)) }, "it is no regular file"},
		"folder":     {func(_, file string) error { return chain(os.Remove(file), os.Mkdir(file, 0o700)) }, "it is no regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			t.Chdir(folder)
			t.Setenv("HOME", folder)
			t.Setenv("XDG_CONFIG_HOME", "")
			file := filepath.Join(folder, configName)
			must.Succeed(t, chain(os.WriteFile(file, []byte("model: of-the-file\n"), 0o600), test.change(folder, file)))
			_, _, stderr := runLine(t, "inspect")
			must.Equal(t, strings.Contains(stderr, "of-the-file: is not a model"), test.want == "", "the file is read", stderr)
			if want := "ctxnorm: warning: ctxnorm.yaml is not read: " + test.want; test.want != "" && !strings.HasPrefix(stderr, want) {
				t.Errorf("%s\nwant %s", stderr, want)
			}
			if test.want == "" && strings.Contains(stderr, "warning") {
				t.Error(stderr)
			}
		})
	}
}

// chain returns the first error.
func chain(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestConfigWithoutHome checks that an unreachable home directory just means no settings.
func TestConfigWithoutHome(t *testing.T) {
	t.Chdir(t.TempDir())
	file := filepath.Join(t.TempDir(), "file")
	must.Succeed(t, os.WriteFile(file, nil, 0o600))
	for _, home := range []string{file, "/nonexistent", strings.Repeat("x/", 5000)} {
		t.Setenv("HOME", home)
		t.Setenv("XDG_CONFIG_HOME", "")
		if code, _, stderr := runLine(t, "doctor"); code != exitDone || stderr != "" {
			t.Errorf("HOME=%.20s: exit %d: %s", home, code, stderr)
		}
	}
}

// TestServeOpensByCommandLine checks that flags that open the server to others only work on the command line.
func TestServeOpensByCommandLine(t *testing.T) {
	dir := modeltest.Build(t, nil, modeltest.Ulcer)
	for _, test := range []struct{ file, variable, want string }{
		{"insecure-no-token: true", "", "--insecure-no-token opens the server to others, want it on the command line (set by ctxnorm.yaml:1)"},
		{"serve:\n  allow-origin: [https://example.org]", "", "--allow-origin opens the server to others, want it on the command line (set by ctxnorm.yaml:2)"},
		{"serve: {addr: '0.0.0.0:0'}", "", "--addr opens the server to others, want it on the command line (set by ctxnorm.yaml:1)"},
		{"", "ADDR=0.0.0.0:0", "--addr opens the server to others, want it on the command line (set by the environment variable CTXNORM_ADDR)"},
		{"", "INSECURE_NO_TOKEN=true", "--insecure-no-token opens the server to others"},
		{"", "ALLOW_ORIGIN=https://example.org", "--allow-origin opens the server to others"},
		{"addr: '127.0.0.1:0'\ninsecure-no-token: false\nbatch-size: 0", "", "--batch-size is 0"}, // fails later
	} {
		t.Run(test.file+test.variable, func(t *testing.T) {
			t.Chdir(t.TempDir())
			t.Setenv(tokenVariable, "0123456789abcdef")
			if name, value, ok := strings.Cut(test.variable, "="); ok {
				t.Setenv(variablePrefix+name, value)
			}
			writeFile(t, configName, test.file)
			if code, _, stderr := runLine(t, "serve --model "+dir); code != exitFailed || !strings.HasPrefix(stderr, "ctxnorm: "+test.want) {
				t.Errorf("exit code %d: %s\nwant 2 and %s", code, stderr, test.want)
			}
		})
	}
}
