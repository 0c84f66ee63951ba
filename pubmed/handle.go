package pubmed

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/sentence"
)

// handleToken updates the record being built with the token, according to the open elements. It returns the record if
// the token is its end tag.
func (r *Reader) handleToken() (*Record, problem) {
	role := r.stack.role()
	if role != roleOutside && r.window.offset()-r.builder.Offset > r.limits.Record {
		what := "record"
		switch {
		case role == roleServerError:
			what = serverErrorTag
		case role < roleRecord:
			what = deletionTag
		}
		return nil, problemf(r.recordOffset(), "%s longer than %d bytes (Limits.Record)", what, r.limits.Record)
	}
	switch r.token.kind {
	case charData:
		return nil, r.handleText(role, r.token.text)
	case cdata:
		if role.hasText() {
			r.builder.text = append(r.builder.text, r.token.text...)
		}
		if len(r.stack.open) == 0 && !r.recovered {
			return nil, problem{0, "CDATA section outside all elements"}
		}
	case startTag:
		return nil, r.handleStart(role)
	case emptyTag:
		if p := r.handleStart(role); p.reason != "" {
			return nil, p
		}
		return r.handleEnd()
	case endTag:
		if !bytes.Equal(r.token.name, r.stack.name()) {
			return nil, r.mismatchedEnd(role)
		}
		return r.handleEnd()
	}
	return nil, problem{}
}

// handleText checks character data and keeps it if the element's text is kept.
func (r *Reader) handleText(role role, text []byte) (p problem) {
	if len(r.stack.open) == 0 {
		if p := r.checkTextOutside(text); p.reason != "" {
			return p
		}
	}
	if i := bytes.Index(text, cdataEnd); i >= 0 {
		return problem{i, "]]> outside a CDATA section"}
	}
	if !role.hasText() {
		return checkReferences(text)
	}
	r.builder.text, p = appendDecoded(r.builder.text, text)
	return p
}

var byteOrderMark = []byte("\uFEFF")

// checkTextOutside checks text outside all elements, where only white space is allowed and, at the start of the file, a
// byte-order mark. A file that is not XML fails this check.
func (r *Reader) checkTextOutside(text []byte) problem {
	at := 0
	if r.window.offset() == 0 && bytes.HasPrefix(text, byteOrderMark) {
		at = len(byteOrderMark)
	}
	at += skipSpace(text[at:])
	if at == len(text) || r.recovered {
		return problem{}
	}
	c, _ := utf8.DecodeRune(text[at:])
	return problemf(at, "%q outside all elements", c)
}

// mismatchedEnd returns the problem of an end tag that does not close the innermost element, or no problem if an
// earlier syntax error explains it.
func (r *Reader) mismatchedEnd(role role) problem {
	switch {
	case role == roleOutside && r.recovered:
		return problem{}
	case len(r.stack.open) == 0:
		return problemf(0, "</%s> closes no element", r.token.name)
	}
	return problemf(0, "</%s> where </%s> is expected", r.token.name, r.stack.name())
}

// handleStart opens an element in an element of role parent.
func (r *Reader) handleStart(parent role) problem {
	t := &r.token
	if parent != roleOutside && startsRecord(t.name) {
		return problemf(0, "<%s> within <%s>, which has no end", t.name, r.stack.name())
	}
	if len(r.stack.open) == maxDepth {
		return problemf(0, "elements nested deeper than %d", maxDepth)
	}
	if r.root == "" {
		r.root, r.rootOffset = string(t.name), r.window.offset()
	}
	role, p := r.openElement(parent.child(t.name))
	if p.reason != "" {
		return p
	}
	switch {
	case role != roleInline:
		r.superscripts = 0
	case string(t.name) == superscriptTag:
		if r.superscripts++; r.superscripts == 1 {
			r.superscript = len(r.builder.text)
		}
	}
	r.stack.push(t.name, role)
	return problem{}
}

// openElement prepares the record for an element. It returns roleOther to ignore what the record already has.
func (r *Reader) openElement(role role) (role, problem) {
	t, b := &r.token, &r.builder
	switch role {
	case roleOutside:
		r.bareCitations = r.bareCitations || string(t.name) == "MedlineCitationSet"
	case roleRecord, roleBookRecord, roleBareRecord, roleDeletion, roleServerError:
		*b = recordBuilder{Record: &Record{Offset: r.window.offset(), Version: 1}, text: b.text[:0]}
		r.bareCitations = r.bareCitations || role == roleBareRecord
	case rolePMID:
		if b.PMID != "" {
			return roleOther, problem{}
		}
		if value, ok := attribute(t.attrs, "Version"); ok {
			version, err := strconv.Atoi(string(value))
			if err != nil || version < 0 {
				return role, problemf(0, "Version %q of a PMID is not a number", value)
			}
			b.Version = version
		}
	case roleTitle:
		if b.Title != "" {
			return roleOther, problem{}
		}
	case roleOtherAbstract:
		if language, ok := attribute(t.attrs, "Language"); ok && string(language) != "eng" || len(b.OtherSections) > 0 {
			return roleOther, problem{}
		}
	case roleSection, roleOtherSection:
		if value, ok := attribute(t.attrs, "Label"); ok {
			b.text, _ = appendDecoded(b.text, value) // scanAttribute has checked its references
		}
		sections := b.sectionsOf(role)
		*sections = append(*sections, Section{Label: b.takeText()})
	}
	return role, problem{}
}

// endSuperscript ends a superscript. It drops the outermost one if that is the number of a reference.
func (r *Reader) endSuperscript() {
	b := &r.builder
	if r.superscripts--; r.superscripts != 0 {
		return
	}
	before := b.text[:r.superscript]
	before = before[max(0, len(before)-wordLength):] // bounded: a text may have many superscripts
	if sentence.IsCitation(string(before), string(b.text[r.superscript:])) {
		b.text = b.text[:r.superscript]
	}
}

// superscriptTag is the element of superscripts. Numbers of references in superscripts do not belong to the text.
const superscriptTag = "sup"

// wordLength is the number of bytes of a word that sentence.IsCitation needs: it treats longer words alike.
const wordLength = 64

// recordOffset returns the offset of the record's first byte relative to the token's first byte.
func (r *Reader) recordOffset() int { return int(r.builder.Offset - r.window.offset()) }

// deletedPMIDSize is the memory, in bytes, of an entry of Reader.deleted without its digits: the header of a string,
// twice while the list grows.
const deletedPMIDSize = 32

// handleEnd closes the innermost element. It returns the record if the element is a record.
func (r *Reader) handleEnd() (*Record, problem) {
	b := &r.builder
	role := r.stack.role()
	if role == roleInline && string(r.stack.name()) == superscriptTag {
		r.endSuperscript()
	}
	r.stack.pop()
	switch role {
	case rolePMID:
		b.PMID = b.takeText()
		return nil, checkPMID(b.PMID)
	case roleDeletedPMID:
		id := b.takeText()
		if p := checkPMID(id); p.reason != "" {
			return nil, p
		}
		r.deleted = append(r.deleted, id)
		r.deletedBytes += deletedPMIDSize + int64(len(id))
		if err := r.limits.CheckInMemory("the PMIDs of DeleteCitation", r.deletedBytes); err != nil {
			r.final = fmt.Errorf("%s: byte %d: %w", r.name, r.window.offset(), err)
		}
	case roleServerError:
		return nil, problemf(r.recordOffset(), "the server answered with an error: %s", input.Quote(b.takeText()))
	case roleTitle:
		b.Title = b.takeText()
	case roleBookTitle:
		b.bookTitle = b.takeText()
	case roleYear:
		b.setYear(b.text)
		b.text = b.text[:0]
	case roleSection, roleOtherSection:
		sections := b.sectionsOf(role)
		last := len(*sections) - 1
		if (*sections)[last].Text = b.takeText(); (*sections)[last].Text == "" {
			*sections = (*sections)[:last]
		}
	case roleRecord, roleBookRecord, roleBareRecord:
		if b.PMID == "" {
			return nil, problem{r.recordOffset(), "record without a PMID"}
		}
		r.sawRecord = true
		b.Title = cmp.Or(b.Title, b.bookTitle)
		return b.Record, problem{}
	}
	return nil, problem{}
}
