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
	"syscall"
	"time"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// sealFile makes the manifest in a folder fit a file that it lists: the manifest of a model
// has an object of digests by name, that of a corpus a list. Its own checksum is made to fit, too.
func sealFile(folder, file string) error {
	manifest, name := filepath.Join(folder, manifestFile), filepath.ToSlash(file)
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
	digest, err := artifact.DigestFile(filepath.Join(folder, file))
	if err != nil {
		return err
	}
	entry := listedFile(fields["files"], name)
	if entry == nil {
		return skipf("the manifest does not list %s", name)
	}
	for field := range entry {
		switch field {
		case "size", "bytes":
			entry[field] = digest.Size
		case "sha256":
			entry[field] = digest.SHA256
		case "crc32c": // of blocks, which need not be there
			delete(entry, field)
		case "name":
		default:
			return skipf("the manifest of %s has the field %s, which cannot be made to fit", name, field)
		}
	}
	delete(fields, "crc32c")
	return artifact.WriteCheckedJSON(manifest, fields)
}

// listedFile returns what a manifest's files say of the one called name, or nil.
func listedFile(files any, name string) map[string]any {
	switch files := files.(type) {
	case map[string]any:
		entry, _ := files[name].(map[string]any)
		return entry
	case []any:
		for _, f := range files {
			if f, ok := f.(map[string]any); ok && f["name"] == name {
				return f
			}
		}
	}
	return nil
}

// resumeDamaged damages what a job resumes from. The same command makes the same bytes then, or says what is damaged.
func (l *lab) resumeDamaged(j *job, dir string, r *rand.Rand) error {
	state, err := l.stoppedState(j)
	if err != nil {
		return err
	}
	if err := os.CopyFS(dir, os.DirFS(state)); err != nil {
		return err
	}
	files, err := filesOf(dir)
	if err != nil || len(files) == 0 {
		return errors.Join(err, skipf("the run that was killed left no file"))
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

// stoppedState returns the folder that holds what was left of a run that was killed when
// it had written more files than at any other moment that was tried.
func (l *lab) stoppedState(j *job) (string, error) {
	return memoized(l, "stopped "+j.name, func() (string, error) {
		ref, err := l.reference(j)
		if err != nil {
			return "", err
		}
		const moments = 24
		most, mostDir := 0, ""
		for i := range moments {
			dir := filepath.Join(l.settings.Work, "stopped", fmt.Sprintf("%s-%d", j.name, i))
			if err := errors.Join(os.MkdirAll(dir, 0o755), l.prepare(j, dir)); err != nil {
				return "", err
			}
			c := l.command(j, dir)
			c.kill = ref.elapsed * time.Duration(i+1) / moments
			o, err := l.run(c)
			if err != nil {
				return "", err
			}
			files, err := filesOf(dir)
			if err != nil {
				return "", err
			}
			if o.signal == syscall.SIGKILL && len(files) > most {
				most, mostDir = len(files), dir
			}
		}
		if most == 0 {
			return "", skipf("no run could be killed while it had intermediate files")
		}
		return mostDir, nil
	})
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
