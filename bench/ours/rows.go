package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/klauspost/compress/gzip"
)

// readRows decodes the rows of a .jsonl or .jsonl.gz file, at most limit of them
// if limit is not 0.
func readRows[T any](path string, limit int) ([]T, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var in io.Reader = bufio.NewReaderSize(file, 1<<20)
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(in); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	var rows []T
	decoder := json.NewDecoder(in)
	for limit == 0 || len(rows) < limit {
		var row T
		if err := decoder.Decode(&row); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", path, len(rows)+1, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// writeRows writes the rows as .jsonl, or .jsonl.gz where path says so, beside
// path and renamed.
func writeRows[T any](path string, rows []T) error {
	file, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return err
	}
	defer file.Cleanup()
	buffered := bufio.NewWriterSize(file, 1<<20)
	var out io.Writer = buffered
	var packed *gzip.Writer
	if strings.HasSuffix(path, ".gz") {
		packed = gzip.NewWriter(buffered)
		out = packed
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for _, row := range rows {
		if err := encoder.Encode(row); err != nil {
			return err
		}
	}
	if packed != nil {
		if err := packed.Close(); err != nil {
			return err
		}
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return file.CloseAtomicallyReplace()
}
