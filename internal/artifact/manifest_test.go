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
	read := func() (m manifest, err error) { return m, ReadManifest(path, "corpus", 4, 6, &m) }
	if _, err := read(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a file: error is %v, want fs.ErrNotExist", err)
	}
	for format := 4; format <= 6; format++ {
		if err := WriteCheckedJSON(path, manifest{format, []string{"a"}}); err != nil {
			t.Fatal(err)
		}
		if m, err := read(); err != nil || m.Format != format || len(m.Files) != 1 {
			t.Errorf("format %d: %+v, %v", format, m, err)
		}
	}
	for _, tc := range []struct{ content, want string }{
		{`{"format": 3}`, "corpus format is 3, want at least 4: make the corpus again with this version of ctxnorm"},
		{`{"format": 7, "files": {}}`, "corpus format is 7, want at most 6: a later version of ctxnorm wrote it, use that version, or it is no corpus"},
		{`{"format": 5, "files": {}}`, "is not the manifest of a corpus: want a list in files, got object"},
		{`{"format": "5"}`, "is not the manifest of a corpus: want a whole number in format, got string"},
		{`{"format": 5}`, "is damaged: it does not end with its checksum"},
		{"{\n  \"format\": 5,\n  \"crc32c\": \"00000000\"\n}\n", "is damaged: its CRC-32C is 950fd137, want 00000000"},
	} {
		if err := os.WriteFile(path, []byte(tc.content), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := read()
		var damaged *files.DamagedError
		if !errors.As(err, &damaged) || err.Error() != path+": "+tc.want {
			t.Errorf("%s: error is %v, want %s", tc.content, err, tc.want)
		}
	}
}
