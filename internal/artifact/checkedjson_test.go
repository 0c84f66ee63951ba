package artifact

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestCheckedJSON flips every bit of a file and truncates it at every byte.
func TestCheckedJSON(t *testing.T) {
	type value struct {
		Format int    `json:"format"`
		Text   string `json:"text"`
	}
	path := filepath.Join(t.TempDir(), "v.json")
	want := value{5, "a\n}\"crc32c\""}
	must.Succeed(t, WriteCheckedJSON(path, want))
	var got value
	if err := ReadCheckedJSON(path, &got); err != nil || got != want {
		t.Fatalf("read %v, %v, want %v", got, err, want)
	}
	if err := ReadJSON(path, &got); err != nil || got != want {
		t.Errorf("as plain JSON: %v, %v, want %v", got, err, want)
	}
	data := must.Get(os.ReadFile(path))
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
		must.Fail(t, WriteCheckedJSON(path, v), "not a JSON object", v)
	}
}

func TestCheckedLine(t *testing.T) {
	line := must.Get(AppendCheckedLine([]byte("before\n"), map[string]any{"a": 1, "b": "ü"}))
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

func TestReadManifest(t *testing.T) {
	type manifest struct {
		Format int      `json:"format"`
		Files  []string `json:"files"`
	}
	path := filepath.Join(t.TempDir(), "manifest.json")
	read := func() (m manifest, err error) { return m, ReadManifest(path, "corpus", 5, &m) }
	_, err := read()
	must.FailWith(t, err, fs.ErrNotExist, "without a file")
	must.Succeed(t, WriteCheckedJSON(path, manifest{5, []string{"a"}}))
	if m, err := read(); err != nil || m.Format != 5 || len(m.Files) != 1 {
		t.Errorf("%+v, %v", m, err)
	}
	for _, tc := range []struct{ content, want string }{
		{`{"format": 3}`, "corpus format is 3, want 5: another version of ctxnorm wrote it, or it is no corpus; use that version, or make the corpus again"},
		{`{"format": 7, "files": {}}`, "corpus format is 7, want 5: another version of ctxnorm wrote it, or it is no corpus; use that version, or make the corpus again"},
		{string(AppendCheckedObject(nil, []byte(`{"format": 5, "files": {}}`))), "is not the manifest of a corpus: want a list in files, got object"},
		{`{"format": "5"}`, "is not the manifest of a corpus: want a whole number in format, got string"},
		{`{"format": 5}`, "is damaged: it does not end with its CRC-32C"},
		{"{\n  \"format\": 5,\n  \"crc32c\": \"00000000\"\n}\n", "is damaged: it does not end with its CRC-32C"},
	} {
		must.Succeed(t, os.WriteFile(path, []byte(tc.content), 0o666))
		_, err := read()
		var damaged *files.DamagedError
		if !errors.As(err, &damaged) || err.Error() != path+": "+tc.want {
			t.Errorf("%s: error is %v, want %s", tc.content, err, tc.want)
		}
	}
}
