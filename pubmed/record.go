package pubmed

import (
	"bytes"
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

	// OtherSections are those of an abstract in English that others than the authors wrote (PIP, KIE, NASA). A
	// record that has some mostly has no others.
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

// recordBuilder collects the fields of one record. Its memory is reused for the next record.
type recordBuilder struct {
	offset    int64
	version   int
	year      int
	text      []byte // of all elements whose text is kept, concatenated
	pmid      textRange
	title     textRange
	bookTitle textRange
	sections  []sectionRanges

	otherSections []sectionRanges
}

// textRange is a range of a builder's text.
type textRange struct {
	start, end int
}

func (r textRange) of(text string) string { return text[r.start:r.end] }
func (r textRange) empty() bool           { return r.start == r.end }

type sectionRanges struct {
	label, text textRange
}

func (b *recordBuilder) reset(offset int64) {
	*b = recordBuilder{offset: offset, version: 1, text: b.text[:0], sections: b.sections[:0],
		otherSections: b.otherSections[:0]}
}

// finishText collapses the white space in the text appended since start, and returns its range.
func (b *recordBuilder) finishText(start int) textRange {
	kept := len(collapse(b.text[start:]))
	b.text = b.text[:start+kept]
	return textRange{start, start + kept}
}

// record returns a copy of the record. All its strings share one allocation.
func (b *recordBuilder) record() *Record {
	text := string(b.text)
	r := &Record{
		PMID:    b.pmid.of(text),
		Version: b.version,
		Year:    b.year,
		Title:   b.title.of(text),
		Offset:  b.offset,
	}
	if r.Title == "" {
		r.Title = b.bookTitle.of(text)
	}
	r.Sections, r.OtherSections = sectionsOf(b.sections, text), sectionsOf(b.otherSections, text)
	return r
}

func sectionsOf(ranges []sectionRanges, text string) []Section {
	if len(ranges) == 0 {
		return nil
	}
	sections := make([]Section, len(ranges))
	for i, s := range ranges {
		sections[i] = Section{s.label.of(text), s.text.of(text)}
	}
	return sections
}

// sectionsOf returns the sections to which an element of a role belongs.
func (b *recordBuilder) sectionsOf(r role) *[]sectionRanges {
	if r == roleOtherSection {
		return &b.otherSections
	}
	return &b.sections
}

// setYear sets the year of publication to the first year in a date, which may be in words
// ("1998 Dec-1999 Jan"). The first date of a record that has one counts.
func (b *recordBuilder) setYear(date []byte) {
	for len(date) >= 4 && b.year == 0 {
		if year, err := strconv.ParseUint(string(date[:4]), 10, 16); err == nil && year >= 1000 {
			b.year = int(year)
		}
		date = date[1:]
	}
}

// checkPMID returns a problem unless the text is one or more decimal digits.
func checkPMID(text []byte) problem {
	if len(text) == 0 {
		return problem{0, "PMID is empty"}
	}
	if len(bytes.Trim(text, "0123456789")) > 0 {
		return problemf(0, "PMID %q is not a number", text)
	}
	return problem{}
}
