package parquetfile

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/parquet-go/parquet-go"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// rowsPerRead is the number of rows to read at a time.
const rowsPerRead = 512

// Rows returns n rows of a Parquet file, starting with row first, or all following rows if n is negative. It reads the
// columns in T, and the file must have all of them. A row is valid until the next one. A damaged file yields a
// [*files.DamagedError] with path.
func Rows[T any](f *os.File, first, n int64) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		schema, row := parquet.SchemaOf(*new(T)), new(T)
		for values, err := range Values[T](f, first, n) {
			if err == nil {
				*row = *new(T)
				if err = noPanic(func() error { return schema.Reconstruct(row, values) }); err != nil {
					err = artifact.Damaged(f.Name(), "%v", err)
				}
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// Values is like [Rows], but returns rows as column values in the order of T, in a third of the time.
func Values[T any](f *os.File, first, n int64) iter.Seq2[parquet.Row, error] {
	return func(yield func(parquet.Row, error) bool) {
		reader, n, err := open[T](f, first, n)
		if reader != nil {
			defer noPanic(reader.Close) // there is nothing to flush
		}
		if err != nil {
			yield(nil, artifact.Damaged(f.Name(), "%v", err))
			return
		}
		rows, columns := make([]parquet.Row, min(n, rowsPerRead)), len(parquet.SchemaOf(*new(T)).Columns())
		for n > 0 {
			rows = rows[:min(n, rowsPerRead)]
			var got int
			err := noPanic(func() (err error) { got, err = reader.ReadRows(rows); return err })
			for _, row := range rows[:got] {
				if len(row) < columns {
					yield(nil, artifact.Damaged(f.Name(), "a row has %d values, want %d columns", len(row), columns))
					return
				}
				if !yield(row, nil) {
					return
				}
			}
			if n -= int64(got); n > 0 && (err != nil || got == 0) {
				if err == nil || errors.Is(err, io.EOF) {
					err = fmt.Errorf("the last %d rows are missing", n)
				}
				yield(nil, artifact.Damaged(f.Name(), "%v", err))
				return
			}
		}
	}
}

// open returns a reader of the rows starting with first, and their number: n, or all if n is negative.
func open[T any](f *os.File, first, n int64) (reader *parquet.GenericReader[T], _ int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	err = noPanic(func() error {
		file, err := openFile(f, info.Size())
		if err != nil {
			return err
		}
		if n < 0 {
			n = max(0, file.NumRows()-first)
		}
		for _, path := range parquet.SchemaOf(*new(T)).Columns() {
			if err := checkColumn[T](file.Schema(), path); err != nil {
				return err
			}
		}
		reader = parquet.NewGenericReader[T](file)
		return reader.SeekToRow(first)
	})
	return reader, n, err
}

// checkColumn returns an error unless a column of a file has the same type as in T.
func checkColumn[T any](schema *parquet.Schema, path []string) error {
	want, _ := parquet.SchemaOf(*new(T)).Lookup(path...)
	got, ok := schema.Lookup(path...)
	switch {
	case !ok:
		return fmt.Errorf("column %v is missing", path)
	case got.Node.Type().Kind() != want.Node.Type().Kind():
		return fmt.Errorf("column %v is of type %v, want %v", path, got.Node.Type().Kind(), want.Node.Type().Kind())
	case got.MaxRepetitionLevel != want.MaxRepetitionLevel || got.MaxDefinitionLevel != want.MaxDefinitionLevel:
		return fmt.Errorf("column %v has other levels than ctxnorm writes", path)
	}
	return nil
}
