package artifact

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// childVariable makes the test program create a file and a folder and end without discarding them, like a killed
// program.
const childVariable = "ARTIFACT_TEST_LEAVE_IN"

func TestMain(m *testing.M) {
	if setting := os.Getenv(replaceVariable); setting != "" {
		replaceAndDie(setting)
		os.Exit(0)
	}
	if path := os.Getenv(lockVariable); path != "" {
		lockAndWait(path)
	}
	if dir := os.Getenv(childVariable); dir != "" {
		_, err := Create(filepath.Join(dir, "model"))
		folder, err2 := CreateFolder(filepath.Join(dir, "model"))
		if err != nil || err2 != nil {
			os.Exit(1)
		}
		if err := os.WriteFile(filepath.Join(folder.Path(), "part"), nil, 0o666); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// leaveStale lets another process leave its temporary file and folder for dir/model.
func leaveStale(t *testing.T, dir string) (pid int) {
	t.Helper()
	program := must.Get(os.Executable())
	child := exec.Command(program)
	child.Env = append(os.Environ(), childVariable+"="+dir)
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return child.Process.Pid
}

func entries(t *testing.T, dir string) map[string]bool {
	t.Helper()
	list := must.Get(os.ReadDir(dir))
	names := make(map[string]bool)
	for _, entry := range list {
		names[entry.Name()] = true
	}
	return names
}

func TestRemoveStale(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	pid := leaveStale(t, dir)
	if n := len(entries(t, dir)); n != 2 {
		t.Fatalf("the other process left %d entries, want a file and a folder", n)
	}
	dead := fmt.Sprintf("%s-%d", hostName(), pid)
	// These stay: temporary files of another program, another machine, a running process or this process for another
	// target, and the user's own names.
	kept := []string{
		"model", "model.tmp", "model.tmp-1", fmt.Sprintf("model.tmp-%d", pid),
		"model.tmp-elsewhere-" + fmt.Sprint(pid) + "-1",
		"model.tmp-" + dead, "model.tmp-" + dead + "-", "model.tmp-" + dead + "-x", "model.tmp-" + dead + "-01",
		"model.tmp-" + dead + "-1.older", "xmodel.tmp-" + dead + "-1", "model2.tmp-" + dead + "-1",
		fmt.Sprintf("model.tmp-%s--%d-1", hostName(), pid), fmt.Sprintf("model.tmp-%s-0-1", hostName()),
		filepath.Base(temporaryName(path)), fmt.Sprintf("model.tmp-%s-%d-1", hostName(), os.Getppid()),
	}
	// Left by an earlier process with the same number, as in a container.
	write(t, fmt.Sprintf("%s.tmp-%s-%d-1000000", path, hostName(), os.Getpid()), "")
	for _, name := range kept {
		write(t, filepath.Join(dir, name, "content"), name)
	}
	write(t, filepath.Join(dir, "model.tmp-"+dead+"-9.old", "content"), "replaced")
	must.Succeed(t, RemoveStale(path))
	got := entries(t, dir)
	for _, name := range kept {
		if !got[name] {
			t.Errorf("%s was removed", name)
		}
		delete(got, name)
	}
	if len(got) > 0 {
		t.Errorf("not removed: %v", got)
	}
}

// TestRemoveStalePutsTheOldFolderBack checks that the old content of a folder is restored if nothing has taken its
// place.
func TestRemoveStalePutsTheOldFolderBack(t *testing.T) {
	for name, open := range map[string]func(path string) error{
		"RemoveStale": RemoveStale,
		"ReadFolder": func(path string) error {
			_, err := ReadFolder(path, os.Stat)
			return err
		},
		"CreateFolder": func(path string) error { f, err := CreateFolder(path); f.Discard(); return err },
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "model")
		pid := leaveStale(t, dir)
		write(t, filepath.Join(fmt.Sprintf("%s.tmp-%s-%d-1.old", path, hostName(), pid), "content"), "the user's")
		must.Succeed(t, open(path), name)
		checkFiles(t, dir, map[string]string{"model/content": "the user's"})
	}
}

func TestRemoveStaleInAMissingFolder(t *testing.T) {
	must.Succeed(t, RemoveStale(filepath.Join(t.TempDir(), "none", "model")))
}

// TestCreateTwice checks that two attempts of one process have different temporary names.
func TestCreateTwice(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	first := must.Get(Create(path))
	second := must.Get(Create(path))
	must.Succeed(t, first.Commit())
	must.Succeed(t, second.Commit())
	if got := entries(t, dir); len(got) != 1 {
		t.Errorf("left are %v, want the file alone", got)
	}
}

// TestLongNames checks that a file with a name of maximum length can be written, and that its leftovers from a killed
// process are found.
func TestLongNames(t *testing.T) {
	if name := strings.Repeat("x", 100); ShortenName(name, 100) != name || len(ShortenName(name, 99)) != 99 {
		t.Errorf("a name of 100 bytes is %q of at most 100 and %q of at most 99", ShortenName(name, 100), ShortenName(name, 99))
	}
	for _, name := range []string{strings.Repeat("x", MaxName), strings.Repeat("ä", MaxName/2)} {
		path := filepath.Join(t.TempDir(), name)
		must.Succeed(t, WriteFile(path, []byte("a")))
		if short := ShortenName(name, 100); len(short) > 100 || short == ShortenName(name+"y", 100) {
			t.Errorf("shortened to %q", short)
		}
		if pid, _, ok := parseTemporary(name, filepath.Base(temporaryName(path))); !ok || pid != os.Getpid() {
			t.Errorf("a temporary name is of the process %d, %t", pid, ok)
		}
	}
}
