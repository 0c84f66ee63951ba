package pubmed

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"testing"

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

// Known disagreements with encoding/xml.
var (
	// We refuse what it lets pass: surrogates (it makes them U+FFFD), references
	// of more than 32 bytes, characters that XML forbids where they are in
	// comments and the like (not looked at), and XML declarations that are not in
	// its plain form (it finds no version in version = "2.0").
	refused = regexp.MustCompile(`&#x0*[dD][89a-fA-F]..;|&#0*5[5-7]...;|&#x?0{20}|<\?xml`)
	// We let pass what it refuses: characters beyond ASCII that are not in its
	// tables of letters, and several colons, in names.
	passed = regexp.MustCompile(`[^\x00-\x7f]|:[^:]*:`)
)

// agree holds what the Reader made of input against the oracle: the same records
// up to the first error, an error where it has one, and offsets in the file.
func agree(t testing.TB, input []byte, got outcome) {
	t.Helper()
	var want oracle
	err := want.read(input)
	n, illegal := legalPrefix(input)
	stricter := illegal != "" || n < len(input) || refused.Match(input)
	laxer := passed.Match(input)
	records := got.records[:got.clean]
	if common := min(len(records), len(want.records)); stricter && common < len(want.records) || laxer && common < len(records) {
		records, want.records = records[:common], want.records[:common]
	}
	if diff := cmp.Diff(want.records, records, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("records before the first error (-oracle +reader):\n%s\noracle: %v\nreader: %v\n%q", diff, err, got.errors, input)
	}
	switch {
	case err == nil && len(got.errors) > 0 && !stricter:
		t.Fatalf("reader: %v, and the oracle finds nothing\n%q", got.errors[0], input)
	case err != nil && len(got.errors) == 0 && !laxer:
		t.Fatalf("oracle: %v, and the reader finds nothing\n%q", err, input)
	case err == nil && len(got.errors) == 0:
		if diff := cmp.Diff(want.deleted, got.deleted, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("deleted (-oracle +reader):\n%s\n%q", diff, input)
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

// read is readAll of bytes in memory.
func read(t testing.TB, input []byte) outcome {
	t.Helper()
	return readAll(t, NewReader(bytes.NewReader(input), "test.xml"))
}

// sameOutcome reports whether a and b are equal in all they hold.
func sameOutcome(a, b outcome) bool {
	return cmp.Equal(a, b, cmp.AllowUnexported(outcome{}), cmpopts.EquateEmpty())
}
