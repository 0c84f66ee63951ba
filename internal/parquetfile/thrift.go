package parquetfile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/format"
)

// parquet-go allocates memory for Thrift's strings and lists before it reads them, gigabytes for a few damaged bytes.
// So this file first skims what parquet-go will decode, in the compact protocol of
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md.

// maxDepth is the maximum nesting of structs. Those in Parquet's metadata nest less than ten deep.
const maxDepth = 32

// These are the types of the compact protocol.
const (
	typeTrue = 1 + iota
	typeFalse
	typeByte
	typeI16
	typeI32
	typeI64
	typeDouble
	typeBinary
	typeList
	typeSet
	typeMap
	typeStruct
)

// thriftReader skims a struct in a section of a file. It skips values with a length without allocating memory for them,
// so a wrong length ends with the section.
type thriftReader struct {
	*bufio.Reader
	section *io.SectionReader
}

func newThriftReader(r io.ReaderAt, offset, length int64) *thriftReader {
	const bufferSize = 512 // bytes; page headers have fewer
	section := io.NewSectionReader(r, offset, length)
	return &thriftReader{bufio.NewReaderSize(section, bufferSize), section}
}

// left returns the number of bytes not skimmed yet.
func (t *thriftReader) left() int64 {
	at, _ := t.section.Seek(0, io.SeekCurrent) // cannot fail
	return t.section.Size() - at + int64(t.Buffered())
}

// skipBytes skips n bytes.
func (t *thriftReader) skipBytes(n uint64) error {
	if left := t.left(); n > uint64(left) {
		return fmt.Errorf("the metadata has a length of %d, want at most %d", n, left)
	}
	_, err := t.Discard(int(n))
	return err
}

// skipStruct skips a struct. It calls i32 with the number and value of each of the struct's own i32 fields.
func (t *thriftReader) skipStruct(depth int, i32 func(field, value int64)) error {
	field := int64(0)
	for {
		head, err := t.ReadByte()
		if err != nil || head == 0 {
			return err
		}
		if delta := int64(head >> 4); delta > 0 {
			field += delta
		} else if field, err = binary.ReadVarint(t); err != nil {
			return err
		}
		switch kind := head & 0xf; {
		case kind == typeTrue || kind == typeFalse: // the type is the value
		case kind == typeI32 && i32 != nil:
			var value int64
			if value, err = binary.ReadVarint(t); err == nil {
				i32(field, value)
			}
		default:
			err = t.skip(kind, depth)
		}
		if err != nil {
			return err
		}
	}
}

// skip skips a value.
func (t *thriftReader) skip(kind byte, depth int) error {
	if depth > maxDepth {
		return errors.New("the metadata nests too deep")
	}
	switch kind {
	case typeTrue, typeFalse, typeByte: // in a list, a bool has a byte, too
		return t.skipBytes(1)
	case typeI16, typeI32, typeI64:
		_, err := binary.ReadVarint(t)
		return err
	case typeDouble:
		return t.skipBytes(8)
	case typeBinary:
		n, err := binary.ReadUvarint(t)
		if err != nil {
			return err
		}
		return t.skipBytes(n)
	case typeList, typeSet:
		return t.skipList(depth)
	case typeStruct:
		return t.skipStruct(depth+1, nil)
	}
	return fmt.Errorf("the metadata has a value of type %d, which Parquet does not have", kind)
}

func (t *thriftReader) skipList(depth int) error {
	head, err := t.ReadByte()
	if err != nil {
		return err
	}
	n := uint64(head >> 4)
	if n == 15 {
		n, err = binary.ReadUvarint(t)
	}
	for ; n > 0 && err == nil; n-- {
		err = t.skip(head&0xf, depth+1)
	}
	return err
}

// checkMetadata skims a struct at an offset, which has at most length bytes.
func checkMetadata(r io.ReaderAt, offset, length int64) error {
	return newThriftReader(r, offset, length).skipStruct(0, nil)
}

// checkChunk skims the page headers and the indexes of a column chunk.
func checkChunk(r io.ReaderAt, size int64, chunk *format.ColumnChunk) error {
	m := &chunk.MetaData
	start := m.DataPageOffset
	if m.DictionaryPageOffset > 0 {
		start = min(start, m.DictionaryPageOffset)
	}
	if start < 0 || m.TotalCompressedSize < 0 || m.TotalCompressedSize > size-start {
		return fmt.Errorf("column %s has %d bytes at %d, beyond the file of %d", m.PathInSchema, m.TotalCompressedSize,
			start, size)
	}
	end := start + m.TotalCompressedSize
	if m.DictionaryPageOffset > 0 {
		if _, err := checkPage(r, m.DictionaryPageOffset, end); err != nil {
			return err
		}
	}
	for offset := m.DataPageOffset; offset < end; {
		next, err := checkPage(r, offset, end)
		if err != nil {
			return err
		}
		offset = next
	}
	for _, index := range []struct {
		offset int64
		length int32
	}{{chunk.OffsetIndexOffset, chunk.OffsetIndexLength}, {chunk.ColumnIndexOffset, chunk.ColumnIndexLength}} {
		if index.length > 0 {
			if err := checkMetadata(r, index.offset, int64(index.length)); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkPage skims the header of the page at an offset, and returns the offset of the next page.
func checkPage(r io.ReaderAt, offset, end int64) (next int64, err error) {
	const compressedSize = 3 // field of the header
	header := newThriftReader(r, offset, end-offset)
	page := int64(-1)
	err = header.skipStruct(0, func(field, value int64) {
		if field == compressedSize {
			page = value
		}
	})
	if err != nil {
		return 0, err
	}
	left := header.left()
	if page < 0 || page > left {
		return 0, fmt.Errorf("a page has %d bytes, want at most %d", page, left)
	}
	return end - left + page, nil
}
