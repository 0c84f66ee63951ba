// Package testdata finds the real data that some tests read.
//
// The data is named by the variable CTXNORM_DATA. Where it is not set the test is
// skipped; where it is set, a missing file fails the test, so that a machine
// that means to run everything does.
package testdata

import (
	"os"
	"path/filepath"
	"testing"
)

// Variable is the environment variable that names the folder of real data.
const Variable = "CTXNORM_DATA"

// File is the path of the file called name (slash-separated) under the folder
// of real data. It skips the test where there is no such folder, and fails it
// where the folder lacks the file.
func File(t testing.TB, name string) string {
	t.Helper()
	folder := os.Getenv(Variable)
	if folder == "" {
		t.Skipf("%s is not set: %s is not read", Variable, name)
	}
	path := filepath.Join(folder, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%s is set but a file is missing: %v", Variable, err)
	}
	return path
}
