package artifact

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
)

// TestCheckedJSON flips every bit of a file and cuts it at every byte.
func TestCheckedJSON(t *testing.T) {
	type value struct {
		Format int    `json:"format"`
		Text   string `json:"text"`
	}
	path := filepath.Join(t.TempDir(), "v.json")
	want := value{5, "a\n}\"crc32c\""}
	noError(t, WriteCheckedJSON(path, want))
	var got value
	if err := ReadCheckedJSON(path, &got); err != nil || got != want {
		t.Fatalf("read %v, %v, want %v", got, err, want)
	}
	if err := ReadJSON(path, &got); err != nil || got != want {
		t.Errorf("as plain JSON: %v, %v, want %v", got, err, want)
	}
	data := must(os.ReadFile(path))
	check := func(what string, at int, content []byte) {
		t.Helper()
		write(t, path, string(content))
		var damaged *files.DamagedError
		if err := ReadCheckedJSON(path, &got); !errors.As(err, &damaged) || damaged.Path != path {
			t.Errorf("%s byte %d: error is %v, want a DamagedError for the file", what, at, err)
		}
	}
	for i := range data {
		for bit := range 8 {
			data[i] ^= 1 << bit
			check("flipped", i, data)
			data[i] ^= 1 << bit
		}
		check("cut at", i, data[:i])
	}
	check("appended to", len(data), append(slices.Clip(data), '\n'))
	for _, v := range []any{[]int{1}, struct{}{}, 3} {
		if err := WriteCheckedJSON(path, v); err == nil || !strings.Contains(err.Error(), "not a JSON object") {
			t.Errorf("%T: error is %v", v, err)
		}
	}
}

func TestCheckedLine(t *testing.T) {
	line := must(AppendCheckedLine([]byte("before\n"), map[string]any{"a": 1, "b": "ü"}))
	line = bytes.TrimPrefix(line, []byte("before\n"))
	if object, ok := CheckLine(line); !ok || string(object) != `{"a":1,"b":"ü"}` {
		t.Errorf("%q is %q, %v", line, object, ok)
	}
	for i := range line {
		damaged := bytes.Clone(line)
		damaged[i] ^= 1
		if object, ok := CheckLine(damaged); ok {
			t.Errorf("%q, damaged at %d, is %q", damaged, i, object)
		}
		if object, ok := CheckLine(line[:i]); ok {
			t.Errorf("%q, cut at %d, is %q", line[:i], i, object)
		}
	}
}
