package pubmed

import "strconv"

// draft is a record that is being read. Its memory is used again for the next.
type draft struct {
	offset    int64
	book      bool
	version   int
	text      []byte // of all kept elements, one after the other
	pmid      piece
	title     piece
	bookTitle piece
	sections  []draftSection
}

// piece is a range of a draft's text.
type piece struct {
	start, end int
}

func (p piece) of(text string) string { return text[p.start:p.end] }
func (p piece) empty() bool           { return p.start == p.end }

type draftSection struct {
	label, text piece
}

func (d *draft) reset(offset int64, book bool) {
	*d = draft{offset: offset, book: book, version: 1, text: d.text[:0], sections: d.sections[:0]}
}

// from cuts out what was appended to the text since start, its white space
// collapsed.
func (d *draft) from(start int) piece {
	kept := len(collapse(d.text[start:]))
	d.text = d.text[:start+kept]
	return piece{start, start + kept}
}

// record copies the draft, in one piece of memory.
func (d *draft) record() *Record {
	text := string(d.text)
	r := &Record{
		PMID:    d.pmid.of(text),
		Version: d.version,
		Title:   d.title.of(text),
		Book:    d.book,
		Offset:  d.offset,
	}
	if r.Title == "" {
		r.Title = d.bookTitle.of(text)
	}
	if len(d.sections) > 0 {
		r.Sections = make([]Section, len(d.sections))
		for i, s := range d.sections {
			r.Sections[i] = Section{s.label.of(text), s.text.of(text)}
		}
	}
	return r
}

// checkPMID reports what is wrong with the text of a PMID.
func checkPMID(text []byte) fault {
	if len(text) == 0 {
		return fault{0, "PMID is empty"}
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return faultf(0, "PMID %q is not a number", text)
		}
	}
	return fault{}
}

// parseVersion reads the attribute Version of a PMID.
func parseVersion(value []byte) (int, fault) {
	version, err := strconv.Atoi(string(value))
	if err != nil || version < 0 {
		return 0, faultf(0, "Version %q of a PMID is not a number", value)
	}
	return version, fault{}
}
