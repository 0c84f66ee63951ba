package pubmed

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// outcome is all that a Reader gave.
type outcome struct {
	records []*Record
	deleted []string
	errors  []*SyntaxError
	clean   int // records before the first error
}

// readAll calls Next until the end. An error that is not a SyntaxError fails the
// test.
func readAll(t testing.TB, r *Reader) outcome {
	t.Helper()
	var o outcome
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			o.records = append(o.records, rec)
			continue
		}
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Fatalf("%v (%T), want a SyntaxError", err, err)
		}
		if len(o.errors) == 0 {
			o.clean = len(o.records)
		}
		o.errors = append(o.errors, syntax)
	}
	if len(o.errors) == 0 {
		o.clean = len(o.records)
	}
	o.deleted = r.Deleted()
	if _, err := r.Next(); err != io.EOF {
		t.Fatalf("%v after the end, want io.EOF again", err)
	}
	return o
}

// Known disagreements with encoding/xml are two.

// refused finds what may be refused though encoding/xml lets it pass: surrogates
// (it makes them U+FFFD), references of more than 32 bytes, and XML declarations
// that are not in its plain form (it finds no version in version = "2.0"). A
// further one is not to be found by an expression: characters that XML forbids,
// in comments and the like.
var refused = regexp.MustCompile(`&#x0*[dD][89a-fA-F]..;|&#0*5[5-7]...;|&#x?0{20}|<\?xml`)

// laxerOn reports whether something may pass though encoding/xml refuses it:
// characters beyond ASCII that are not in its tables of letters, and several
// colons, in names.
func laxerOn(input []byte) bool {
	notASCII := func(r rune) bool { return r >= utf8.RuneSelf }
	return bytes.Count(input, []byte(":")) > 1 || bytes.ContainsFunc(input, notASCII)
}

// agree holds what the Reader made of input against the oracle: the same records
// up to the first error, an error where it has one, and offsets in the file.
func agree(t testing.TB, input []byte, got outcome) {
	t.Helper()
	var want oracle
	err := want.read(input)
	var stricter, laxer bool
	if err != nil || len(got.errors) > 0 {
		n, illegal := legalPrefix(input)
		stricter = illegal != "" || n < len(input) || refused.Match(input)
		laxer = laxerOn(input)
	}
	records := got.records[:got.clean]
	if common := min(len(records), len(want.records)); stricter && common < len(want.records) || laxer && common < len(records) {
		records, want.records = records[:common], want.records[:common]
	}
	if !slices.EqualFunc(want.records, records, sameRecord) {
		t.Fatalf("records before the first error (-oracle +reader):\n%s\noracle: %v\nreader: %v\n%q",
			cmp.Diff(want.records, records, cmpopts.EquateEmpty()), err, got.errors, input)
	}
	switch {
	case err == nil && len(got.errors) > 0 && !stricter:
		t.Fatalf("reader: %v, and the oracle finds nothing\n%q", got.errors[0], input)
	case err != nil && len(got.errors) == 0 && !laxer:
		t.Fatalf("oracle: %v, and the reader finds nothing\n%q", err, input)
	case err == nil && len(got.errors) == 0:
		if !slices.Equal(want.deleted, got.deleted) {
			t.Fatalf("deleted: oracle %v, reader %v\n%q", want.deleted, got.deleted, input)
		}
	}
	for _, e := range got.errors {
		if e.Offset < 0 || e.Offset > int64(len(input)) {
			t.Fatalf("%v: file has %d bytes\n%q", e, len(input), input)
		}
	}
	for i := 1; i < len(got.records); i++ {
		if got.records[i].Offset <= got.records[i-1].Offset {
			t.Fatalf("records %d and %d are not in the order of the file\n%q", i-1, i, input)
		}
	}
}

func sameRecord(a, b *Record) bool {
	return a.PMID == b.PMID && a.Version == b.Version && a.Title == b.Title && a.Book == b.Book && a.Offset == b.Offset &&
		slices.Equal(a.Sections, b.Sections)
}

// read is readAll of bytes in memory.
func read(t testing.TB, input []byte) outcome {
	t.Helper()
	return readAll(t, NewReader(bytes.NewReader(input), "test.xml"))
}

// sameOutcome reports whether a and b are equal in all they hold.
func sameOutcome(a, b outcome) bool {
	return a.clean == b.clean &&
		slices.EqualFunc(a.records, b.records, sameRecord) &&
		slices.Equal(a.deleted, b.deleted) &&
		slices.EqualFunc(a.errors, b.errors, func(x, y *SyntaxError) bool { return *x == *y })
}
