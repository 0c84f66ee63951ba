package corpus

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// FuzzReadManifest reads manifests without a checksum, and with one that fits.
func FuzzReadManifest(f *testing.F) {
	data := must(os.ReadFile(filepath.Join("..", "testdata", "v0.1.0", "corpus", manifestName)))
	f.Add(data, false)
	f.Add(bytes.TrimSuffix(bytes.TrimSpace(data), []byte("\n}")), true)
	f.Add([]byte("{\n  \"format\": 1,\n  \"settings\": {\"name_filter_report\": [1]},\n  \"inputs\": [null, {}]"), true)
	f.Fuzz(func(t *testing.T, data []byte, checksum bool) {
		if checksum {
			data = artifact.AppendCheckedObject(nil, append(data, "\n}"...))
		}
		dir := t.TempDir()
		noError(t, os.WriteFile(filepath.Join(dir, manifestName), data, 0o666))
		m, err := readManifest(dir)
		if err != nil {
			if _, ok := errors.AsType[*files.DamagedError](err); !ok {
				t.Fatalf("error is %v, want a DamagedError", err)
			}
			return
		}
		if m.Format != formatVersion {
			t.Fatalf("format is %d", m.Format)
		}
		m.Settings.differences(&m.Settings)
		if _, err := Open(dir); err == nil {
			t.Fatal("opens without its files")
		}
	})
}
