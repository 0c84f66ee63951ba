// Package parquetfile opens Parquet files written by ctxnorm and returns damage in them as an error. parquet-go v0.32.0
// panics on some damaged files, and allocates without bound on others.
package parquetfile

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// codecs are the codecs that ctxnorm writes. Others are refused: the decoder of LZ4, for one, doubles its memory until
// the page fits, which a damaged page never does.
var codecs = []format.CompressionCodec{format.Uncompressed, format.Snappy, format.Zstd}

// openFile opens a file of size bytes. It returns an error if the file is damaged or uses a codec that ctxnorm does not
// write. It panics on some damage, because parquet-go does.
func openFile(r io.ReaderAt, size int64) (file *parquet.File, err error) {
	if err := checkFooter(r, size); err != nil {
		return nil, err
	}
	if file, err = parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true)); err != nil {
		return nil, err
	}
	for _, group := range file.Metadata().RowGroups {
		for _, chunk := range group.Columns {
			if codec := chunk.MetaData.Codec; !slices.Contains(codecs, codec) {
				return nil, fmt.Errorf("column %s is compressed by %v, want %v", chunk.MetaData.PathInSchema, codec,
					codecs)
			}
			if err := checkChunk(r, size, &chunk); err != nil {
				return nil, err
			}
		}
	}
	return file, nil
}

// checkFooter returns an error unless the footer, for which parquet-go allocates memory, fits in the file, and its
// content in the footer. A file ends with the length of its footer in four bytes, and the magic bytes it began with.
func checkFooter(r io.ReaderAt, size int64) error {
	const magic = "PAR1"
	if least := int64(2*len(magic) + 4); size < least {
		return fmt.Errorf("has %d bytes, want at least %d", size, least)
	}
	end := make([]byte, 4+len(magic))
	if _, err := r.ReadAt(end, size-int64(len(end))); err != nil {
		return err
	}
	if got := string(end[4:]); got != magic {
		return fmt.Errorf("ends with %q, want %q", got, magic)
	}
	length, room := int64(binary.LittleEndian.Uint32(end)), size-int64(len(magic)+len(end))
	if length > room {
		return fmt.Errorf("footer has %d bytes, want at most %d", length, room)
	}
	return checkMetadata(r, size-int64(len(end))-length, length)
}

// noPanic calls do, which reads a file, and turns a panic into an error.
func noPanic(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("is damaged: %v", p)
		}
	}()
	return do()
}
