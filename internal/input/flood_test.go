package input

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// endless repeats text forever and counts the bytes read.
type endless struct {
	text string
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.text[e.read%len(e.text):])
	for n < len(p) {
		n += copy(p[n:], e.text)
	}
	e.read += n
	return n, nil
}

// TestRecordReaderStopsDecoders checks that decoders of the standard library, which have no limit of their own, stop
// within the limit at an endless record.
func TestRecordReaderStopsDecoders(t *testing.T) {
	limits := files.Limits{Record: 1 << 20}
	for name, decode := range map[string]func(io.Reader) error{
		"quoted cell": func(r io.Reader) error {
			_, err := csv.NewReader(io.MultiReader(strings.NewReader(`"`), r)).Read()
			return err
		},
		"cells": func(r io.Reader) error { _, err := csv.NewReader(r).Read(); return err },
		"JSON string": func(r io.Reader) error {
			var v json.RawMessage
			return json.NewDecoder(io.MultiReader(strings.NewReader(`"`), r)).Decode(&v)
		},
		"XML attribute": func(r io.Reader) error {
			_, err := xml.NewDecoder(io.MultiReader(strings.NewReader(`<a b="`), r)).Token()
			return err
		},
	} {
		source := &endless{text: "x,"}
		err := decode(NewRecordReader(source, "a record", limits))
		var limit *files.LimitError
		if !errors.As(err, &limit) || limit.Field != "Record" || limit.Limit != 1<<20 {
			t.Errorf("%s: error %v, want one of Limits.Record", name, err)
		}
		if source.read > 1<<20+readAhead {
			t.Errorf("%s: %d bytes were read, want at most the limit and what is read ahead", name, source.read)
		}
	}
}

// TestRecordReaderPassesRecordsWithinTheLimit reads many records that together exceed the limit.
func TestRecordReaderPassesRecordsWithinTheLimit(t *testing.T) {
	record := strings.Repeat("x", 1<<16) + ",y\n"
	records := NewRecordReader(strings.NewReader(strings.Repeat(record, 100)), "a row", files.Limits{Record: int64(len(record))})
	r := csv.NewReader(records)
	for n := 0; ; n++ {
		records.Begin(r.InputOffset())
		if _, err := r.Read(); err == io.EOF {
			must.Equal(t, n, 100, "rows")
			return
		} else if err != nil {
			t.Fatalf("row %d: %v", n, err)
		}
	}
}

func TestLineLimit(t *testing.T) {
	lines := NewLines(bufio.NewReader(strings.NewReader("1234567890\n123456789\n")), files.Limits{Line: 10})
	_, err := lines.Next()
	must.Equal(t, fmt.Sprint(err), "want a line of at most 10 bytes (Limits.Line), got 11")
	if text, err := lines.Next(); text != "123456789" || err != nil {
		t.Errorf("%q, %v, want the next line", text, err)
	}
	zeros := &endless{text: "\x00"}
	_, err = NewLines(bufio.NewReader(zeros), files.Limits{Line: 1 << 20}).Next()
	must.Equal(t, fmt.Sprint(err), "line 1: want text, got a line of more than 1048576 bytes with bytes of zero")
	if zeros.read > 1<<20+readAhead {
		t.Errorf("%d bytes of zero were read, want at most the limit and what is read ahead", zeros.read)
	}
}
