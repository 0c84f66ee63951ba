package pubmed

import (
	"bytes"
	"unicode/utf8"
)

// take makes of the token what its place in the file means. It gives a record
// when the token is its end tag.
func (r *Reader) take() (*Record, fault) {
	role := r.open.role()
	if role.inRecord() && r.window.offset()-r.draft.offset > int64(r.limit) {
		return nil, faultf(r.recordStart(), "record longer than %d bytes", r.limit)
	}
	switch r.token.kind {
	case charData:
		return nil, r.takeText(role, r.token.text)
	case cdata:
		return nil, r.takeCDATA(role, r.token.text)
	case startTag:
		return nil, r.takeStart(role)
	case emptyTag:
		if f := r.takeStart(role); f.reason != "" {
			return nil, f
		}
		return r.takeEnd()
	case endTag:
		if !bytes.Equal(r.token.name, r.open.name()) {
			return nil, r.mismatch(role)
		}
		return r.takeEnd()
	}
	return nil, fault{}
}

func (r *Reader) takeText(role role, text []byte) (f fault) {
	if len(r.open.open) == 0 {
		if f := r.checkOutside(text); f.reason != "" {
			return f
		}
	}
	if !r.window.lacksBracket(len(text)) {
		if f := checkCDATAEnd(text); f.reason != "" {
			return f
		}
	}
	plain := r.window.lacksAmp(len(text))
	switch {
	case role.hasText() && plain:
		r.draft.text = append(r.draft.text, text...)
	case role.hasText():
		r.draft.text, f = appendDecoded(r.draft.text, text)
	case !plain:
		f = checkReferences(text)
	}
	return f
}

func (r *Reader) takeCDATA(role role, text []byte) fault {
	if role.hasText() {
		r.draft.text = append(r.draft.text, text...)
	}
	if len(r.open.open) == 0 && !r.recovered {
		return fault{0, "CDATA section outside all elements"}
	}
	return fault{}
}

var byteOrderMark = []byte("\uFEFF")

// checkOutside looks at text that is in no element, where only white space may
// be. It tells that a file is no XML at all.
func (r *Reader) checkOutside(text []byte) fault {
	at := 0
	if r.window.offset() == 0 && bytes.HasPrefix(text, byteOrderMark) {
		at = len(byteOrderMark)
	}
	at += skipSpace(text[at:])
	if at == len(text) || r.recovered {
		return fault{}
	}
	c, _ := utf8.DecodeRune(text[at:])
	return faultf(at, "%q outside all elements", c)
}

// mismatch is what is wrong with an end tag that does not close the innermost
// element.
func (r *Reader) mismatch(role role) fault {
	switch {
	case role == outside && r.recovered:
		return fault{}
	case len(r.open.open) == 0:
		return faultf(0, "</%s> closes no element", r.token.name)
	}
	return faultf(0, "</%s> where </%s> is expected", r.token.name, r.open.name())
}

func (r *Reader) takeStart(parent role) fault {
	t, d := &r.token, &r.draft
	if parent != outside && wrapsRecord(t.name) {
		return faultf(0, "<%s> within <%s>, which has no end", t.name, r.open.name())
	}
	if len(r.open.open) == maxDepth {
		return faultf(0, "elements nested deeper than %d", maxDepth)
	}
	r.rooted = true
	role := parent.child(t.name)
	switch role {
	case outside:
		r.citations = r.citations || string(t.name) == "MedlineCitationSet"
	case record, bookRecord, bareRecord:
		d.reset(r.window.offset(), role == bookRecord)
		r.citations = r.citations || role == bareRecord
	case deletion:
		d.reset(r.window.offset(), false)
	case pmid:
		if !d.pmid.empty() {
			role = other
			break
		}
		if value, ok := attribute(t.attrs, "Version"); ok {
			version, f := parseVersion(value)
			if f.reason != "" {
				return f
			}
			d.version = version
		}
	case title:
		if !d.title.empty() {
			role = other
		}
	case section:
		label := draftSection{}
		if value, ok := attribute(t.attrs, "Label"); ok {
			start := len(d.text)
			d.text, _ = appendDecoded(d.text, value) // its references were checked
			label.label = d.from(start)
		}
		d.sections = append(d.sections, label)
	}
	if role != inline {
		r.start = len(d.text)
	}
	r.open.push(t.name, role)
	return fault{}
}

// recordStart is where the record begins, counted from the token.
func (r *Reader) recordStart() int { return int(r.draft.offset - r.window.offset()) }

// takeEnd closes the innermost element.
func (r *Reader) takeEnd() (*Record, fault) {
	d := &r.draft
	role := r.open.role()
	r.open.pop()
	switch role {
	case pmid:
		d.pmid = d.from(r.start)
		return nil, checkPMID(d.text[d.pmid.start:d.pmid.end])
	case deletedPMID:
		id := d.from(r.start)
		if f := checkPMID(d.text[id.start:id.end]); f.reason != "" {
			return nil, f
		}
		r.deleted = append(r.deleted, string(d.text[id.start:id.end]))
		d.text = d.text[:0]
	case title:
		d.title = d.from(r.start)
	case bookTitle:
		d.bookTitle = d.from(r.start)
	case section:
		last := len(d.sections) - 1
		d.sections[last].text = d.from(r.start)
		if d.sections[last].text.empty() {
			d.sections = d.sections[:last]
		}
	case record, bookRecord, bareRecord:
		if d.pmid.empty() {
			return nil, fault{r.recordStart(), "record without a PMID"}
		}
		return d.record(), fault{}
	}
	return nil, fault{}
}
