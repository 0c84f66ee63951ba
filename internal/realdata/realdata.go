// Package realdata locates the real data that some tests read: corpora, abstracts of
// PubMed, and MEDIC, the disease vocabulary of CTD (https://ctdbase.org).
//
// The environment variable CTXNORM_DATA names its folder. Without it these tests are
// skipped; with it, a missing file fails the test, so that a machine that should run all
// tests does.
package realdata

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// EnvVar is the environment variable that names the folder of the real data.
const EnvVar = "CTXNORM_DATA"

// File returns the path of a file of the real data, whose slash-separated name is
// relative to the folder. It skips the test if [EnvVar] is not set, and fails it if
// the file is missing.
func File(t testing.TB, name string) string {
	t.Helper()
	folder := os.Getenv(EnvVar)
	if folder == "" {
		t.Skipf("%s is not set: skipping the test of %s", EnvVar, name)
	}
	path := filepath.Join(folder, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%s is set but a file is missing: %v", EnvVar, err)
	}
	return path
}

// Unpack opens a gzip file of real data. It skips and fails like [File].
func Unpack(t testing.TB, name string) io.Reader {
	t.Helper()
	f, err := os.Open(File(t, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r
}

// Abstracts returns the texts of the first n PubMed records.
func Abstracts(t testing.TB, n int) []string {
	t.Helper()
	records := json.NewDecoder(bufio.NewReader(Unpack(t, "raw/raw_text.jsonl.gz")))
	var texts []string
	for len(texts) < n {
		var record struct{ Text string }
		if err := records.Decode(&record); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, record.Text)
	}
	return texts
}
