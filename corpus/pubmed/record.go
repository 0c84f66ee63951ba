package pubmed

import "strings"

// Section is one AbstractText of an abstract.
type Section struct {
	Label string // "METHODS"; empty in an abstract that is not structured
	Text  string // never empty
}

// Record is one citation.
type Record struct {
	PMID     string // decimal digits
	Version  int    // of the citation, 1 where the file gives none; a file may hold several versions
	Title    string // empty where there is none
	Sections []Section
	Book     bool  // a book, or a chapter of one
	Offset   int64 // byte of the (unpacked) XML at which the record begins
}

// Abstract is the text of the sections, joined by one space and without their
// labels.
func (r *Record) Abstract() string {
	switch len(r.Sections) {
	case 0:
		return ""
	case 1:
		return r.Sections[0].Text
	}
	var b strings.Builder
	for i, s := range r.Sections {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s.Text)
	}
	return b.String()
}
