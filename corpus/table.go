package corpus

import (
	"iter"
	"os"
	"path/filepath"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/parquetfile"
)

const (
	rowsPerGroup = 1 << 17 // rows of a row group: about 50 MB of sentences, so readers need little memory
	rowsPerRead  = 512     // rows written at a time

	// tableVersion is written into every Parquet file as the version of its creator.
	// NB: it changes the bytes, and so the SHA-256, of every table. It is raised only
	// with the columns of a table, not with formatVersion.
	tableVersion = 4
)

// table writes a Parquet file of rows T to a temporary file and renames it into
// place. The same rows give the same bytes.
type table[T any] struct {
	file     *artifact.File
	digester *artifact.Digester
	writer   *parquet.GenericWriter[T]
}

// Compression of tables.
var (
	corpusCodec = &zstd.Codec{Level: zstd.SpeedDefault}
	shardCodec  = &parquet.Snappy // fast, since shards live for minutes
)

// createTable begins a table.
func createTable[T any](path string, codec compress.Codec) (*table[T], error) {
	file, err := artifact.Create(path)
	if err != nil {
		return nil, err
	}
	t := &table[T]{file: file, digester: artifact.NewDigester()}
	t.writer = parquet.NewGenericWriter[T](t,
		parquet.CreatedBy("ctxnorm", strconv.Itoa(tableVersion), ""), // the default has the build of parquet-go
		parquet.Compression(codec),
		parquet.MaxRowsPerRowGroup(rowsPerGroup),
	)
	return t, nil
}

// Write implements [io.Writer] for the Parquet writer.
func (t *table[T]) Write(p []byte) (int, error) {
	n, err := t.file.Write(p)
	t.digester.Write(p[:n])
	return n, err
}

// append appends rows.
func (t *table[T]) append(rows ...T) error {
	_, err := t.writer.Write(rows)
	return err
}

// writeTable writes the table that fill appends the rows of, and returns its size and SHA-256. If fill fails, there is
// no file.
func writeTable[T any](path string, codec compress.Codec, fill func(*table[T]) error) (File, error) {
	t, err := createTable[T](path, codec)
	if err != nil {
		return File{}, err
	}
	defer t.file.Discard()
	if err := fill(t); err != nil {
		return File{}, err
	}
	if err := t.writer.Close(); err != nil {
		return File{}, err
	}
	digest := t.digester.Digest()
	return File{filepath.Base(path), digest.Size, digest.SHA256}, t.file.Commit()
}

// readTable returns n rows of the Parquet file at path, see [parquetfile.Rows].
func readTable[T any](path string, first, n int64) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		parquetfile.Rows[T](f, first, n)(yield)
	}
}
