package measure

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCommand(t *testing.T) {
	fresh := filepath.Join(t.TempDir(), "old")
	if err := os.MkdirAll(filepath.Join(fresh, "inside"), 0o755); err != nil {
		t.Fatal(err)
	}
	script := `[ ! -e "$0" ] && echo "$GOMAXPROCS $OMP_NUM_THREADS" && sleep .05`
	out, usage, err := Command{Args: []string{"/bin/sh", "-c", script, fresh}, Threads: 3, Fresh: fresh}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if string(out) != "3 3\n" {
		t.Errorf("it printed %q, want its threads", out)
	}
	if usage.Wall < .05 || usage.CPU < 0 || usage.PeakMB <= 0 {
		t.Errorf("it took %+v, and slept .05 s", usage)
	}
}

func TestCommandFails(t *testing.T) {
	_, _, err := Command{Args: []string{"/bin/sh", "-c", "echo more >&2; echo why >&2; echo sh: hint: ask >&2; exit 3"}, Threads: 1}.Run(t.Context())
	if err == nil || !strings.HasSuffix(err.Error(), "exit status 3: why") {
		t.Errorf("the error is %v, want the last line of standard error that is no hint", err)
	}
}

func TestShown(t *testing.T) {
	args := append([]string{"tool"}, make([]string, 30)...)
	for i := range args[1:] {
		args[i+1] = "f"
	}
	want := "GOMAXPROCS=2 OMP_NUM_THREADS=2 tool" + strings.Repeat(" f", 23) + " … (7 more)"
	if got := (Command{Args: args, Threads: 2}).Shown(); got != want {
		t.Errorf("shown as %q, want %q", got, want)
	}
}
