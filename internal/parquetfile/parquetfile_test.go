package parquetfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

func TestOpen(t *testing.T) {
	type row struct {
		Text string `parquet:"text"`
	}
	write := func(codec compress.Codec) string {
		var out bytes.Buffer
		w := parquet.NewGenericWriter[row](&out, parquet.Compression(codec))
		must.Get(w.Write([]row{{"a"}, {"b"}}))
		must.Succeed(t, w.Close())
		return out.String()
	}
	open := func(data string) error {
		_, err := openFile(strings.NewReader(data), int64(len(data)))
		return err
	}
	file := write(&parquet.Zstd)
	for name, data := range map[string]string{"zstd": file, "snappy": write(&parquet.Snappy), "uncompressed": write(&parquet.Uncompressed)} {
		must.Succeed(t, open(data), name)
	}
	footer := len(file) - 8 - int(binary.LittleEndian.Uint32([]byte(file[len(file)-8:])))
	// put returns the file with bytes at an offset replaced.
	put := func(offset int, data string) string { return file[:offset] + data + file[offset+len(data):] }
	const (
		text = "\x18\xff\xff\xff\xff\x07"     // field 1, a string of 2 GiB
		list = "\x19\xfc\xff\xff\xff\xff\x07" // field 1, a list of 2^31-1 structs
	)
	for want, data := range map[string]string{
		"has a length of 2147483647, want at most " + fmt.Sprint(len(file)-8-footer-6): put(footer, text),
		"the metadata has ":                         put(footer, list),
		"has a length of 2147483647, want at most ": put(4, text), // of a page
		"nests too deep":                            put(footer, strings.Repeat("\x1c", 40)),
		"a value of type 15":                        put(4, "\x1f"),
		"a page has -1 bytes, want at most ":        put(4, "\x00"),
		"has 3 bytes, want at least 12":             "PAR",
		`ends with "PAR2"`:                          file[:len(file)-1] + "2",
		"footer has 4294967295 bytes":               file[:len(file)-8] + "\xff\xff\xff\xffPAR1",
		"column [text] is compressed":               write(&parquet.Lz4Raw),
	} {
		must.Fail(t, open(data), want)
	}
}

func TestNoPanic(t *testing.T) {
	failed := errors.New("failed")
	if err := noPanic(func() error { return failed }); err != failed {
		t.Errorf("error is %v, want that of the function", err)
	}
	must.Equal(t, fmt.Sprint(noPanic(func() error { panic("page") })), "is damaged: page")
}
