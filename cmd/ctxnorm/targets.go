package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/model"
)

// checkModelTarget says whether a model may be written to dir. What is there is
// replaced as a whole, so nothing but a model may be: a corpus has a manifest.json
// too.
func checkModelTarget(dir string) error {
	err := model.CheckTarget(dir)
	if entries, _ := os.ReadDir(dir); err == nil && len(entries) > 0 {
		if _, unread := model.ReadManifest(dir); unread != nil {
			err = artifact.Damaged(dir, "is a folder that is no model, and is not overwritten")
		}
	}
	return withHint(err, "name another folder with --model")
}

// checkCorpusTarget says whether a corpus may be written to dir: it is not there,
// is empty, or holds a corpus or what an earlier run had finished of one.
func checkCorpusTarget(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && len(entries) > 0 && !holdsCorpus(entries) {
		err = fmt.Errorf("%s: is a folder that is no corpus, and is not overwritten", dir)
	}
	return withHint(err, "name another folder with --corpus")
}

// holdsCorpus reports whether the entries of a folder are those of a corpus or of
// one in the making.
func holdsCorpus(entries []os.DirEntry) bool {
	for _, entry := range entries {
		if name := entry.Name(); name == "sentences.parquet" || name == "parts" && entry.IsDir() {
			return true
		}
	}
	return false
}
