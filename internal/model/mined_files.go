package model

import (
	"path/filepath"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/mine"
)

// readAbbreviations reads the abbreviations that were mined from the corpus of the model in dir. It returns an empty
// table if the model has none, and a [*files.DamagedError] if the file is damaged.
func readAbbreviations(dir string, manifest *Manifest) (mine.AbbreviationTable, error) {
	table, err := readMined[mine.ShortForm](dir, manifest, abbreviationsFile)
	if err != nil {
		return nil, err
	}
	if err := mine.AbbreviationTable(table).Check(); err != nil {
		return nil, artifact.Damaged(pathIn(dir, abbreviationsFile), "%v", err)
	}
	return table, nil
}

// writeMined writes values as JSON, one per line. Without values it writes no file.
func writeMined[T any](path string, values []T) error {
	if len(values) == 0 {
		return nil
	}
	if err := artifact.MkdirAll(filepath.Dir(path)); err != nil {
		return err
	}
	return artifact.WriteJSONLines(path, values)
}

// readMined compares a file written by writeMined with the manifest and reads it. It returns nil if the manifest does
// not list the file.
func readMined[T any](dir string, manifest *Manifest, name string) ([]T, error) {
	if _, listed := manifest.Files[name]; !listed {
		return nil, nil
	}
	if err := manifest.checkFile(dir, name); err != nil {
		return nil, err
	}
	return artifact.ReadJSONLines[T](pathIn(dir, name))
}
