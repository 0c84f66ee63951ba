package pubmed

import (
	"strconv"
	"strings"
)

// Section is one AbstractText of an abstract.
type Section struct {
	Label string // "METHODS"; empty if the abstract has no labels
	Text  string // never empty
}

// Record is one citation.
type Record struct {
	PMID     string // decimal digits
	Version  int    // version of the citation, 1 if the file has none; a file may have several versions of a PMID
	Title    string // empty if there is none
	Sections []Section

	// OtherSections are the sections of an English abstract that was not written by the authors (PIP, KIE, NASA). A
	// record with OtherSections rarely has Sections.
	OtherSections []Section

	Year   int   // of publication; 0 if the file does not say
	Offset int64 // of the record's first byte, in bytes of decompressed XML
}

// Abstract returns the texts of the sections, without their labels, joined by single spaces.
func (r *Record) Abstract() string {
	texts := make([]string, len(r.Sections))
	for i, s := range r.Sections {
		texts[i] = s.Text
	}
	return strings.Join(texts, " ")
}

// recordBuilder is a record under construction. The memory of its text is reused for the next.
type recordBuilder struct {
	*Record
	bookTitle string // the title if the record has no other
	text      []byte // text of the innermost element with text that is kept
}

// takeText returns the text with its white space collapsed and resets it.
func (b *recordBuilder) takeText() string {
	text := string(collapse(b.text))
	b.text = b.text[:0]
	return text
}

// sectionsOf returns the sections to which an element of a role belongs.
func (b *recordBuilder) sectionsOf(r role) *[]Section {
	if r == roleOtherSection {
		return &b.OtherSections
	}
	return &b.Sections
}

// setYear sets the year of publication to the first year in a date, which may be in words ("1998 Dec-1999 Jan"). It
// keeps a year that is already set.
func (b *recordBuilder) setYear(date []byte) {
	for len(date) >= 4 && b.Year == 0 {
		if year, err := strconv.ParseUint(string(date[:4]), 10, 16); err == nil && year >= 1000 {
			b.Year = int(year)
		}
		date = date[1:]
	}
}

// checkPMID returns a problem unless the text is one or more decimal digits.
func checkPMID(text string) problem {
	if text == "" {
		return problem{0, "PMID is empty"}
	}
	if strings.Trim(text, "0123456789") != "" {
		return problemf(0, "PMID %q is not a number", text)
	}
	return problem{}
}
