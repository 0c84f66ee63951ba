package artifact

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
)

func TestReadManifest(t *testing.T) {
	type manifest struct {
		Format int      `json:"format"`
		Files  []string `json:"files"`
	}
	path := filepath.Join(t.TempDir(), "manifest.json")
	read := func() (m manifest, err error) { return m, ReadManifest(path, "corpus", 5, &m) }
	if _, err := read(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a file: error is %v, want fs.ErrNotExist", err)
	}
	noError(t, WriteCheckedJSON(path, manifest{5, []string{"a"}}))
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
		noError(t, os.WriteFile(path, []byte(tc.content), 0o666))
		_, err := read()
		var damaged *files.DamagedError
		if !errors.As(err, &damaged) || err.Error() != path+": "+tc.want {
			t.Errorf("%s: error is %v, want %s", tc.content, err, tc.want)
		}
	}
}
