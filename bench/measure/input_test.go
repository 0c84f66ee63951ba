package measure

import (
	"os"
	"path/filepath"
	"testing"
)

func TestInputIsMadeOnce(t *testing.T) {
	quiet := func(string, ...any) {}
	dir := t.TempDir()
	counter := filepath.Join(dir, "made")
	script := func(fails string) func(string) []string {
		return func(out string) []string {
			return []string{"/bin/sh", "-c", `echo x >> "$1"; mkdir "$0"; ` + fails, out, counter}
		}
	}
	in := NewInput(dir, "set", "", script("true"))
	for range 2 {
		if err := in.Ensure(t.Context(), quiet); err != nil {
			t.Fatal(err)
		}
	}
	if made, err := os.ReadFile(counter); err != nil || string(made) != "x\n" {
		t.Errorf("it was made %q (%v), want once", made, err)
	}
	bad := NewInput(dir, "set", "", script("false"))
	if bad.Path == in.Path {
		t.Errorf("two commands have one path, %s", in.Path)
	}
	if err := bad.Ensure(t.Context(), quiet); err == nil {
		t.Error("a command that failed made an input")
	}
	if _, err := os.Stat(bad.Path); err == nil {
		t.Errorf("%s is there, and its command failed", bad.Path)
	}
}
