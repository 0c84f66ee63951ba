// Package realdata locates the real data that some tests read.
//
// The environment variable CTXNORM_DATA names its folder. Without it these tests are
// skipped; with it a missing file fails the test, so that a machine that is meant to run
// all tests does.
package realdata

import (
	"os"
	"path/filepath"
	"testing"
)

// Variable is the environment variable that names the folder of the real data.
const Variable = "CTXNORM_DATA"

// File returns the path of a file of the real data, whose slash-separated name is
// relative to the folder. It skips the test if [Variable] is not set, and fails it if
// the file is missing.
func File(t testing.TB, name string) string {
	t.Helper()
	folder := os.Getenv(Variable)
	if folder == "" {
		t.Skipf("%s is not set: skipping the test of %s", Variable, name)
	}
	path := filepath.Join(folder, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%s is set but a file is missing: %v", Variable, err)
	}
	return path
}
