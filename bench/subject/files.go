package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/input"
)

// readRows decodes the rows of a .jsonl or .jsonl.gz file, at most limit of them
// unless limit is 0.
func readRows[T any](path string, limit int) ([]T, error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var rows []T
	decoder := json.NewDecoder(file)
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

// writeRows writes a .jsonl or .jsonl.gz file atomically.
func writeRows[T any](path string, rows []T) error {
	return artifact.Write(path, func(w io.Writer) error {
		finish := func() error { return nil }
		if strings.HasSuffix(path, ".gz") {
			packed := gzip.NewWriter(w)
			w, finish = packed, packed.Close
		}
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		for _, row := range rows {
			if err := encoder.Encode(row); err != nil {
				return err
			}
		}
		return finish()
	})
}
