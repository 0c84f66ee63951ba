package artifact

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
)

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	if _, err := ReadFile(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error of a file that is missing: %v", err)
	}
	for _, want := range []string{"", "abc"} {
		write(t, path, want)
		if got, err := ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Skip(err) // no sparse files here
	}
	if _, err := ReadFile(path); err == nil || err.Error() != path+": has 1099511627776 bytes, want at most 1073741824" {
		t.Errorf("error of a file of a terabyte: %v", err)
	}
	var v any
	for name, err := range map[string]error{"ReadJSON": ReadJSON(path, &v), "ReadCheckedJSON": ReadCheckedJSON(path, &v)} {
		if !errors.As(err, new(*files.DamagedError)) {
			t.Errorf("%s: error %v, want a DamagedError", name, err)
		}
	}
}
