package corpus

import (
	"cmp"
	"context"
	"io"
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
	rowsPerWrite = 512     // rows written at a time

	// tableVersion is stored in every Parquet file as the version of its creator. NB: it changes the bytes, and so the
	// SHA-256, of every table. Raise it only with the columns of a table, not with formatVersion.
	tableVersion = 4
)

// Compression of tables.
var (
	corpusCodec = &zstd.Codec{Level: zstd.SpeedDefault}
	shardCodec  = &parquet.Snappy // fast, because shards live for minutes
)

// writeTable writes a Parquet file of rows and returns its size and SHA-256. It writes atATime rows at once: the same
// rows and atATime give the same bytes. Pass more than 1 only if rows stay unchanged after they are yielded. If rows
// yields an error, no file remains.
func writeTable[T any](path string, codec compress.Codec, atATime int, rows sortedSeq[*T]) (File, error) {
	file, err := artifact.Create(path)
	if err != nil {
		return File{}, err
	}
	defer file.Discard()
	digester := artifact.NewDigester()
	w := parquet.NewGenericWriter[T](io.MultiWriter(file, digester),
		parquet.CreatedBy("ctxnorm", strconv.Itoa(tableVersion), ""), // the default contains the build of parquet-go
		parquet.Compression(codec),
		parquet.MaxRowsPerRowGroup(rowsPerGroup),
	)
	block := make([]T, 0, atATime)
	for row, err := range rows {
		if err == nil && len(block) == cap(block) {
			_, err = w.Write(block)
			block = block[:0]
		}
		if err != nil {
			return File{}, err
		}
		block = append(block, *row)
	}
	if _, err := w.Write(block); err != nil {
		return File{}, err
	}
	if err := w.Close(); err != nil {
		return File{}, err
	}
	digest := digester.Digest()
	return File{filepath.Base(path), digest.Size, digest.SHA256}, file.Commit()
}

// readTable returns n rows of the Parquet file at path, see [parquetfile.Rows]. They end when ctx does, with its error.
func readTable[T any](ctx context.Context, path string, first, n int64) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		parquetfile.Rows[T](f, first, n)(func(row *T, err error) bool { return yield(row, cmp.Or(err, ctx.Err())) })
	}
}
