package formats

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// WriterOptions configure the writers of [OutputFormats].
type WriterOptions struct {
	// Recognition adds the columns mention_source and recognition_score to CSV, TSV, XLSX and Parquet: by what a
	// mention was found, see [linked.Mention].
	Recognition bool
	// Assertion adds a column for each of [linked.AssertionNames] to CSV, TSV, XLSX and Parquet.
	Assertion bool
	// Xrefs adds the column xrefs to CSV, TSV, XLSX and Parquet: the identifiers in other vocabularies of the concept.
	Xrefs bool
	// OtherCandidates adds the column other_candidates to CSV, TSV, XLSX and Parquet: those after the first.
	OtherCandidates bool
	// Columns are those of the tables that are read, in the order in which CSV, TSV and XLSX have them. If nil, they
	// are those of the first record, and a record with others is an error.
	Columns []string
	// SpreadsheetSafe writes an apostrophe before every cell of CSV and TSV that is a formula, so that a
	// spreadsheet shows it and does not compute it. Other programs read the apostrophe too.
	SpreadsheetSafe bool
	// CodeSystem is the system of FHIR of identifiers whose prefix has no known one, such as http://snomed.info/sct.
	CodeSystem string
	// Links are the addresses that identifiers lead to in HTML.
	Links LinkTemplates
	// Formula is called with each cell of CSV and TSV that is a formula and is written as it is. It may be nil.
	Formula func(cell string)
	// Lost is called with what the format cannot hold of a document and is written otherwise, or not. It may be nil.
	Lost func(document, what string)
}

// lost reports a loss.
func (o *WriterOptions) lost(document, format string, args ...any) {
	if o.Lost != nil {
		o.Lost(document, fmt.Sprintf(format, args...))
	}
}

// lostControls reports the control characters of a text, which [printable] replaces.
func (o *WriterOptions) lostControls(document, content string) {
	n := 0
	for _, r := range content {
		if isControl(r) {
			n++
		}
	}
	if n > 0 {
		o.lost(document, "%d control characters are written as spaces", n)
	}
}

// lostFragments reports the discontinuous mentions of a document in a format without fragments.
func (o *WriterOptions) lostFragments(l *linkedRecord) {
	n := 0
	for i := range l.Mentions {
		if len(l.Mentions[i].Fragments) > 0 {
			n++
		}
	}
	if n > 0 {
		o.lost(l.ID, "%d discontinuous mentions are written with what is between their fragments", n)
	}
}

// isControl reports whether XML and other formats of text cannot hold a character, or read it as the end of a line.
func isControl(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff
}

// printable returns s with a character of the same length in bytes, so that offsets stay, for each control character: a
// space, and U+FFFD for U+FFFE and U+FFFF. Bytes that are not UTF-8 are U+FFFD too.
func printable(s string) string {
	if strings.IndexFunc(s, isControl) < 0 && utf8.ValidString(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case !isControl(r):
			return r
		case r < ' ':
			return ' '
		}
		return utf8.RuneError
	}, s)
}

// checkIDs returns an error if the concepts of a mention, which a format has as one string, would be read as others: an
// identifier with a bar is two.
func checkIDs(l *linkedRecord, format Format, written func(*linked.Mention) string) error {
	for i := range l.Mentions {
		m := &l.Mentions[i]
		var want []kb.ConceptID
		for _, c := range m.Best() {
			if c != nil {
				want = append(want, c.Concept)
			}
		}
		if read, _ := parseIDs(written(m)); !slices.Equal(read, want) {
			return fmt.Errorf("document %q: the concepts %q would be read as %q: identifiers with separators or spaces "+
				"cannot be written as %s, want %s", l.ID, want, read, format, JSONL)
		}
	}
	return nil
}
