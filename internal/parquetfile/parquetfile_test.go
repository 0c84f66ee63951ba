package parquetfile

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
)

func TestOpen(t *testing.T) {
	type row struct {
		Text string `parquet:"text"`
	}
	write := func(codec compress.Codec) string {
		var out bytes.Buffer
		w := parquet.NewGenericWriter[row](&out, parquet.Compression(codec))
		if _, err := w.Write([]row{{"a"}, {"b"}}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	open := func(data string) error {
		_, err := Open(strings.NewReader(data), int64(len(data)))
		return err
	}
	file := write(&parquet.Zstd)
	for name, data := range map[string]string{"zstd": file, "snappy": write(&parquet.Snappy), "uncompressed": write(&parquet.Uncompressed)} {
		if err := open(data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for want, data := range map[string]string{
		"has 3 bytes, want at least 12": "PAR",
		`ends with "PAR2"`:              file[:len(file)-1] + "2",
		"footer has 4294967295 bytes":   file[:len(file)-8] + "\xff\xff\xff\xffPAR1",
		"column [text] is compressed":   write(&parquet.Lz4Raw),
	} {
		if err := open(data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
}

func TestNoPanic(t *testing.T) {
	failed := errors.New("failed")
	if err := NoPanic(func() error { return failed }); err != failed {
		t.Errorf("error is %v, want that of the function", err)
	}
	if err := NoPanic(func() error { panic("page") }); err == nil || err.Error() != "is damaged: page" {
		t.Errorf("error is %v, want that of the panic", err)
	}
}
