package pubmed

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// readResult is everything that a Reader returned.
type readResult struct {
	records []*Record
	deleted []string
	errors  []*SyntaxError
	clean   int // number of records before the first error
}

// readAll calls Next until io.EOF. An error other than a SyntaxError fails the test.
func readAll(t testing.TB, r *Reader) readResult {
	t.Helper()
	var o readResult
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		syntax, malformed := errors.AsType[*SyntaxError](err)
		switch {
		case err == nil:
			o.records = append(o.records, rec)
		case malformed:
			o.errors = append(o.errors, syntax)
		default:
			t.Fatalf("%v (%T), want a SyntaxError", err, err)
		}
		if len(o.errors) == 0 {
			o.clean = len(o.records)
		}
	}
	o.deleted = r.Deleted()
	if _, err := r.Next(); err != io.EOF {
		t.Fatalf("%v after the end, want io.EOF again", err)
	}
	return o
}

// There are two known disagreements with encoding/xml: the reader is stricter in some inputs and laxer in others.

// stricterThanXML matches input that the reader rejects but encoding/xml accepts: surrogates (which encoding/xml
// decodes as U+FFFD), references of more than 32 bytes, and XML declarations in an unusual form (encoding/xml finds no
// version in version = "2.0"). An expression cannot match a fourth case: characters forbidden in XML, in comments and
// the like.
var stricterThanXML = regexp.MustCompile(`&#x0*[dD][89a-fA-F]..;|&#0*5[5-7]...;|&#x?0{20}|<\?xml`)

// mayBeLaxer reports whether the reader may accept input that encoding/xml rejects: names with characters beyond ASCII
// that are not in its tables of letters, or with several colons.
func mayBeLaxer(input []byte) bool {
	notASCII := func(r rune) bool { return r >= utf8.RuneSelf }
	return bytes.Count(input, []byte(":")) > 1 || bytes.ContainsFunc(input, notASCII)
}

// checkAgainstOracle compares the Reader's result for input with the oracle's: the same records before the first error,
// an error if the oracle has one, and offsets within the file.
func checkAgainstOracle(t testing.TB, input []byte, got readResult) {
	t.Helper()
	var want oracle
	err := want.read(input)
	var stricter, laxer bool
	if err != nil || len(got.errors) > 0 {
		n, illegal := legalPrefix(input)
		stricter = illegal != "" || n < len(input) || stricterThanXML.Match(input)
		laxer = mayBeLaxer(input)
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
		t.Fatalf("reader: %v, oracle: no error\n%q", got.errors[0], input)
	case err != nil && len(got.errors) == 0 && !laxer:
		t.Fatalf("oracle: %v, reader: no error\n%q", err, input)
	case err == nil && len(got.errors) == 0:
		if !slices.Equal(want.deleted, got.deleted) {
			t.Fatalf("deleted: oracle %v, reader %v\n%q", want.deleted, got.deleted, input)
		}
	}
	for _, e := range got.errors {
		if e.Offset < 0 || e.Offset > int64(len(input)) {
			t.Fatalf("%v: offset is outside the file of %d bytes\n%q", e, len(input), input)
		}
	}
	for i := 1; i < len(got.records); i++ {
		if got.records[i].Offset <= got.records[i-1].Offset {
			t.Fatalf("records %d and %d are not in file order\n%q", i-1, i, input)
		}
	}
}

func sameRecord(a, b *Record) bool {
	return a.PMID == b.PMID && a.Version == b.Version && a.Title == b.Title && a.Year == b.Year && a.Offset == b.Offset &&
		slices.Equal(a.Sections, b.Sections) && slices.Equal(a.OtherSections, b.OtherSections)
}

// read returns the result of readAll for input.
func read(t testing.TB, input []byte) readResult {
	t.Helper()
	return readAll(t, NewReader(bytes.NewReader(input), "test.xml"))
}

// sameResult reports whether a and b are equal.
func sameResult(a, b readResult) bool {
	return a.clean == b.clean &&
		slices.EqualFunc(a.records, b.records, sameRecord) &&
		slices.Equal(a.deleted, b.deleted) &&
		slices.EqualFunc(a.errors, b.errors, func(x, y *SyntaxError) bool { return *x == *y })
}

// pmids returns the PMIDs of records, separated by spaces.
func pmids(records []*Record) string {
	var all []string
	for _, r := range records {
		all = append(all, r.PMID)
	}
	return strings.Join(all, " ")
}
