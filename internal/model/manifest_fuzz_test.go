package model

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// FuzzReadManifest reads manifests without a checksum and with a matching one, and verifies and opens a model that has
// no other files.
func FuzzReadManifest(f *testing.F) {
	for _, manifest := range []string{
		"{\n  \"format\": 1,\n  \"dictionary\": {\"hash\": \"1\"}",
		"{\n  \"format\": 1,\n  \"dictionary\": {\"hash\": \"1\"},\n  \"files\": {\"dictionary.json\": {\"size\": 3}}",
	} {
		f.Add([]byte(manifest), true)
		f.Add([]byte(manifest+"\n}"), false)
	}
	f.Add([]byte("{\n  \"format\": 1,\n  \"dictionary\": {\"hash\": \"1\"},\n  \"files\": {\"../a\": {\"size\": -1, \"blocks\": \"00\"}}"), true)
	f.Fuzz(func(t *testing.T, data []byte, checksum bool) {
		if checksum {
			data = artifact.AppendCheckedObject(nil, append(data, "\n}"...))
		}
		dir := t.TempDir()
		must.Succeed(t, os.WriteFile(filepath.Join(dir, manifestFile), data, 0o666))
		m, err := ReadManifest(dir)
		if err != nil {
			if _, ok := errors.AsType[*files.DamagedError](err); !ok {
				t.Fatalf("error is %v, want a DamagedError", err)
			}
			return
		}
		for _, name := range m.Files.Names() {
			if !filepath.IsLocal(filepath.FromSlash(name)) {
				t.Fatalf("lists %q", name)
			}
		}
		if opened, err := Open(dir, nil); err == nil {
			opened.Close()
			t.Fatal("opens without its files")
		}
		if _, err := Verify(dir); err == nil && len(m.Files) > 0 {
			t.Fatal("verifies without its files")
		}
	})
}
