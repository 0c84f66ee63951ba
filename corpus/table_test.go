package corpus

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// readDamaged reads the table called name to its end: every row is within its text, and the error for a damaged file is
// a DamagedError.
func readDamaged(t *testing.T, name string, data []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Succeed(t, os.WriteFile(path, data, 0o666))
	check := func(err error) {
		if _, ok := errors.AsType[*files.DamagedError](err); err != nil && !ok {
			t.Fatalf("error is %v, want a DamagedError", err)
		}
	}
	switch name {
	case sentencesName:
		c := &Corpus{dir: filepath.Dir(path), manifest: &Manifest{}}
		for _, err := range c.Sentences(t.Context()) {
			check(err)
		}
	case recordsName:
		for _, err := range readTable[record](t.Context(), path, 0, -1) {
			check(err)
		}
	case pairsName:
		for _, err := range readTable[pairRow](t.Context(), path, 0, -1) {
			check(err)
		}
	}
}

// smallTables returns the tables of a small corpus.
func smallTables(t testing.TB, dir string) map[string]string {
	t.Helper()
	o := testOptions(filepath.Join(dir, "corpus"), writeFiles(t, world{files: 1, records: 6}.make(rand.New(rand.NewPCG(4, 8)))))
	mustBuild(t, o)
	tables := folder(t, o.Dir)
	delete(tables, manifestName)
	return tables
}

// TestHostileTables changes bytes in the tables of a corpus without comparing their digests.
func TestHostileTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	for name, content := range smallTables(t, t.TempDir()) {
		for range 150 {
			data := []byte(content)
			for range 1 + rng.IntN(3) {
				data[rng.IntN(len(data))] ^= byte(1 << rng.IntN(8))
			}
			readDamaged(t, name, data)
		}
	}
}

// FuzzReadTable reads any content as each of the tables.
func FuzzReadTable(f *testing.F) {
	for _, content := range smallTables(f, f.TempDir()) {
		f.Add([]byte(content))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{sentencesName, recordsName, pairsName} {
			readDamaged(t, name, data)
		}
	})
}

// FuzzReadManifest reads manifests without a checksum and with a matching one.
func FuzzReadManifest(f *testing.F) {
	data := must.Get(os.ReadFile(filepath.Join("..", "testdata", "v0.1.0", "corpus", manifestName)))
	f.Add(data, false)
	f.Add(bytes.TrimSuffix(bytes.TrimSpace(data), []byte("\n}")), true)
	f.Add([]byte("{\n  \"format\": 1,\n  \"settings\": {\"name_filter_report\": [1]},\n  \"inputs\": [null, {}]"), true)
	f.Fuzz(func(t *testing.T, data []byte, checksum bool) {
		if checksum {
			data = artifact.AppendCheckedObject(nil, append(data, "\n}"...))
		}
		dir := t.TempDir()
		must.Succeed(t, os.WriteFile(filepath.Join(dir, manifestName), data, 0o666))
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
		_, err = Open(dir)
		must.Fail(t, err, "", "opens without its files")
	})
}
