package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// sealFile makes the manifest in a copy of a folder fit a file that was changed, and its own checksum, too.
func sealFile(folder, original, file string) error {
	old, err := artifact.DigestFile(filepath.Join(original, file))
	digest, newErr := artifact.DigestFile(filepath.Join(folder, file))
	if err := errors.Join(err, newErr); err != nil {
		return err
	}
	manifest := filepath.Join(folder, manifestFile)
	data, err := os.ReadFile(manifest)
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var fields map[string]any
	if err := decoder.Decode(&fields); err != nil {
		return err
	}
	if !seal(fields, old, digest) {
		return skipf("the manifest does not list %s", file)
	}
	delete(fields, "crc32c")
	return artifact.WriteCheckedJSON(manifest, fields)
}

// seal replaces a digest in a manifest, and reports whether it is there.
func seal(value any, old, digest artifact.Digest) (found bool) {
	switch value := value.(type) {
	case map[string]any:
		if value["sha256"] == old.SHA256 {
			for _, field := range []string{"size", "bytes"} {
				if value[field] != nil {
					value[field] = digest.Size
				}
			}
			value["sha256"] = digest.SHA256
			delete(value, "crc32c") // of blocks, which need not be there
			return true
		}
		for _, v := range value {
			found = seal(v, old, digest) || found
		}
	case []any:
		for _, v := range value {
			found = seal(v, old, digest) || found
		}
	}
	return found
}

// resumeDamaged damages what a job that was killed left. The same command makes the same bytes then, or says what is damaged.
func (l *lab) resumeDamaged(j *job, dir string, r *rand.Rand) error {
	err := l.prepare(j, dir)
	var files []string
	for i := 0; i < 5 && err == nil && len(files) == 0; i++ { // one may be killed before it writes
		if err = l.killRandomly(j, dir, r); err == nil {
			files, err = filesOf(dir)
		}
	}
	if err == nil && len(files) == 0 {
		err = skipf("the runs that were killed left no file")
	}
	if err != nil {
		return err
	}
	file := files[r.IntN(len(files))]
	how, err := mutateFile(r, filepath.Join(dir, file))
	if err != nil {
		return err
	}
	o, err := l.behaved(l.command(j, dir))
	if err == nil && o.exit == 0 {
		err = l.checkSame(j, dir)
	}
	if err != nil {
		return fmt.Errorf("%s: %s: %w", file, how, err)
	}
	return nil
}

// mutateFile changes a file.
func mutateFile(r *rand.Rand, path string) (how string, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	isText := slices.Contains([]string{".json", ".jsonl", ".txt"}, filepath.Ext(path))
	for range 10 { // until the bytes are others
		how, mutated := mutate(r, data, isText)
		if r.IntN(20) == 0 {
			how, mutated = "empty", nil
		}
		if !bytes.Equal(mutated, data) {
			return how, errors.Join(os.Remove(path), os.WriteFile(path, mutated, 0o644))
		}
	}
	return "", skipf("the mutations change nothing")
}
