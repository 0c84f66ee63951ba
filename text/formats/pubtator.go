package formats

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text"
)

// pubtatorReader reads PubTator's format. The text of a document is its title and abstract, joined by a space; offsets
// count code points in that text. A document ends at an empty line or at the title of the next one. Lines of relations
// ("CID", "Association") are ignored. Consecutive lines without a title before them count as one error, up to the next
// empty line or title.
type pubtatorReader struct {
	*file
	doc      *pubtatorDocument // nil before a title
	orphaned bool              // reading lines without a title, up to an empty line or a title
}

// pubtatorDocument is a document being read.
type pubtatorDocument struct {
	text.Document
	line     int      // of the title
	sections []string // title and abstract
	spans    *spans   // of the sections; nil before the first mention
	builder  builder
	source   pubtatorSource
}

// pubtatorSource holds the lines of a document, without the empty line at its end. The place of an annotation is the
// index of its line.
type pubtatorSource []string

func (p *pubtatorReader) line(line string) error {
	id, section, body, isSection := cutSection(line)
	switch {
	case strings.TrimSpace(line) == "":
		p.endDocument()
		return nil
	case isSection && section == 't':
		p.endDocument()
		p.doc = &pubtatorDocument{line: p.at, sections: []string{body}, source: pubtatorSource{line}}
		p.doc.ID = strings.Clone(id) // the file keeps the id, and not the line
	case p.orphaned:
		return nil
	case p.doc == nil:
		p.failLine(fmt.Sprintf("want the title of a document (id|t|text), got %s", input.Quote(line)))
		p.orphaned = true
		return nil
	case isSection:
		p.doc.source = append(p.doc.source, line)
		p.abstract(id, body)
	default:
		p.doc.source = append(p.doc.source, line)
		p.annotation(line)
	}
	return p.grow(p.doc.ID, line, len(p.doc.builder))
}

func (p *pubtatorReader) failLine(reason string) {
	p.file.failLine(reason)
	p.orphaned = p.doc == nil
}

// cutSection splits a title, "id|t|body", or an abstract, "id|a|body".
func cutSection(line string) (id string, section byte, body string, ok bool) {
	id, rest, found := strings.Cut(line, "|")
	if !found || id == "" || len(rest) < 2 || rest[0] != 't' && rest[0] != 'a' || rest[1] != '|' ||
		strings.ContainsAny(id, "\t {") {
		return "", 0, "", false
	}
	return id, rest[0], rest[2:], true
}

// joinSections sets the text and its spans, once.
func (p *pubtatorReader) joinSections() {
	if d := p.doc; d.spans == nil {
		d.Text = strings.Join(d.sections, " ")
		d.spans = p.spans(d.Text)
	}
}

// abstract appends the abstract to the text.
func (p *pubtatorReader) abstract(id, body string) {
	switch d := p.doc; {
	case id != d.ID:
		p.failLine(fmt.Sprintf("abstract of document %q within document %q", id, d.ID))
	case d.spans != nil:
		p.failLine("abstract after a mention, want all mentions after the abstract")
	case body != "":
		d.sections = append(d.sections, body)
	}
}

// annotation parses a line "id start end text type ids", separated by tabs. The ids may be missing. BC5CDR has a
// seventh column with the sub-mentions of a composite mention. If the second column is a word, the line is a relation
// and ignored, or else a mention with an identifier of its own, which is an error.
func (p *pubtatorReader) annotation(line string) {
	const want = "want id, start, end, text, type and ids separated by tabs"
	d, cells := p.doc, strings.Split(line, "\t")
	if len(cells) >= 4 && isWord(cells[1]) {
		if len(cells) >= 6 && isOffset(cells[3]) && isOffset(cells[4]) {
			p.failLine(fmt.Sprintf("%s, got %q and %q before the offsets", want, cells[1], cells[2]))
		}
		return
	}
	if len(cells) < 5 {
		p.failLine(fmt.Sprintf("%s, got %d columns in %s", want, len(cells), input.Quote(line)))
		return
	}
	start, errStart := strconv.Atoi(cells[1])
	end, errEnd := strconv.Atoi(cells[2])
	switch {
	case errStart != nil || errEnd != nil:
		p.failLine(fmt.Sprintf("%s, got the offsets %q and %q", want, cells[1], cells[2]))
		return
	case cells[0] != d.ID:
		p.failLine(fmt.Sprintf("mention of document %q within document %q", cells[0], d.ID))
		return
	}
	p.joinSections()
	m, note, reason := d.spans.find(at(start, end, &cells[3]))
	if reason != "" {
		p.failLine(reason)
		return
	}
	p.note(p.at, note)
	m.Type = cells[4]
	if len(cells) > 5 {
		m.Concepts, m.Composite = parseIDs(cells[5])
	}
	d.builder.add(m, Annotation{Start: start, End: end, place: len(d.source) - 1})
}

// isOffset reports whether a cell is an integer.
func isOffset(cell string) bool {
	_, err := strconv.Atoi(cell)
	return err == nil
}

// isWord reports whether a cell starts with an ASCII letter.
func isWord(cell string) bool {
	return cell != "" && ('A' <= cell[0] && cell[0] <= 'Z' || 'a' <= cell[0] && cell[0] <= 'z')
}

// endDocument emits the document.
func (p *pubtatorReader) endDocument() {
	p.file.endDocument()
	p.orphaned = false
	if p.doc == nil {
		return
	}
	p.joinSections()
	d := p.doc
	p.doc = nil
	if p.isNew(&d.Document, d.line) {
		p.emit(d.builder.record(&d.Document, d.source))
	}
}
