package model

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/mine"
)

// ReadCorpusSynonyms reads the synonyms that were mined from the corpus of the model in dir. It
// returns none if the model has none.
func ReadCorpusSynonyms(dir string) ([]mine.Synonym, error) {
	return readMined[mine.Synonym](filepath.Join(dir, filepath.FromSlash(minedFile)))
}

// ReadCorpusAbbreviations reads the abbreviations that were mined from the corpus of the model
// in dir. It returns an empty table if the model has none, and an
// [*artifact.DamagedError] if the file is damaged.
func ReadCorpusAbbreviations(dir string) (*mine.AbbreviationTable, error) {
	path := filepath.Join(dir, filepath.FromSlash(abbreviationsFile))
	entries, err := readMined[mine.ShortForm](path)
	if err != nil {
		return nil, err
	}
	table, err := mine.TableFromEntries(entries)
	if err != nil {
		return nil, artifact.Damaged(path, "%v", err)
	}
	return table, nil
}

// writeMined writes values as JSON, one per line. It writes no file if there are no
// values.
func writeMined[T any](path string, values []T) error {
	if len(values) == 0 {
		return nil
	}
	if err := artifact.MkdirAll(filepath.Dir(path)); err != nil {
		return err
	}
	return artifact.WriteJSONLines(path, values)
}

// readMined reads a file that writeMined wrote. It returns no values if there is no
// file.
func readMined[T any](path string) ([]T, error) {
	values, err := artifact.ReadJSONLines[T](path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return values, err
}
