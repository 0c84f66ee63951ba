package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"github.com/ctxnorm/ctxnorm/mine"
)

// ReadCorpusSynonyms reads the synonyms that were mined from the corpus of the model in dir. It
// returns none if the model has none.
func ReadCorpusSynonyms(dir string) ([]mine.Synonym, error) {
	return readJSONLines[mine.Synonym](filepath.Join(dir, filepath.FromSlash(minedFile)), "synonym")
}

// ReadCorpusAbbreviations reads the abbreviations that were mined from the corpus of the model
// in dir. It returns an empty table if the model has none, and a [FileError] if the file
// is damaged.
func ReadCorpusAbbreviations(dir string) (*mine.AbbreviationTable, error) {
	path := filepath.Join(dir, filepath.FromSlash(abbreviationsFile))
	entries, err := readJSONLines[mine.ShortForm](path, "short form")
	if err != nil {
		return nil, err
	}
	table, err := mine.TableFromEntries(entries)
	if err != nil {
		return nil, &FileError{path, err.Error()}
	}
	return table, nil
}

// writeJSONLines writes values as JSON, one per line. It writes no file if there are no
// values.
func writeJSONLines[T any](path string, values []T) error {
	if len(values) == 0 {
		return nil
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	for i := range values {
		if err := encoder.Encode(&values[i]); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return renameio.WriteFile(path, b.Bytes(), 0o666)
}

// readJSONLines reads a file that writeJSONLines wrote. It returns no values if there is
// no file. what names a value in errors.
func readJSONLines[T any](path, what string) ([]T, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var values []T
	decoder := json.NewDecoder(bytes.NewReader(data))
	for {
		var value T
		err := decoder.Decode(&value)
		if errors.Is(err, io.EOF) {
			return values, nil
		}
		if err != nil {
			return nil, &FileError{path, fmt.Sprintf("%s %d: %v", what, len(values)+1, err)}
		}
		values = append(values, value)
	}
}
