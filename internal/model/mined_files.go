package model

import (
	"path/filepath"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/mine"
)

// readAbbreviations reads the abbreviations that were mined from a corpus. It returns a [*files.DamagedError] if the
// file is damaged.
func readAbbreviations(path string) (table mine.AbbreviationTable, err error) {
	if table, err = artifact.ReadJSONLines[mine.ShortForm](path); err != nil {
		return nil, err
	}
	if err := table.Check(); err != nil {
		return nil, artifact.Damaged(path, "%v", err)
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
