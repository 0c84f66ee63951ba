package dictionary

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func writeFile(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// replaceFile puts a path where an expected message says FILE.
func replaceFile(message, path string) string {
	return strings.ReplaceAll(message, "FILE", path)
}
