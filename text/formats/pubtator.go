package formats

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text"
)

// pubtatorParser reads PubTator's format. The text of a document is its title, a space
// and its abstract; offsets count code points of that text. A document ends at an empty
// line or at the title of the next one. Lines of relations ("CID", "Association") are
// ignored. Lines without a title before them are one error, up to the next empty line or
// title.
type pubtatorParser struct {
	*file
	lines      docLines
	duplicates duplicateFilter
}

// pubtatorDocument is a document under construction.
type pubtatorDocument struct {
	text.Document
	line     int      // of the title
	sections []string // title and abstract; nil before the title
	joined   bool     // the text is the sections: there is a mention
	spans    *spans   // of the text, once it is joined
	builder  builder
	source   pubtatorSource
	results  []result
	bytes    int64 // of its lines
}

// pubtatorSource is the lines of a document, without the empty line at its end. The place of
// an annotation is the index of its line.
type pubtatorSource []string

func (p *pubtatorParser) next() ([]result, error) {
	var d pubtatorDocument
	orphaned := false // in lines without a title before them, up to an empty line or a title
	for {
		line, err := p.lines.Next()
		if bad, ok := err.(*input.LineError); ok {
			d.fail(p, bad.Error())
			orphaned = d.sections == nil
			continue
		}
		if err != nil {
			return d.finish(p), err
		}
		d.bytes += int64(len(line))
		if err := p.checkDocument(d.ID, p.lines.Number(), d.bytes, len(d.builder.mentions)+len(d.results)); err != nil {
			return nil, err
		}
		id, section, body, isSection := cutSection(line)
		switch {
		case strings.TrimSpace(line) == "":
			if d.sections != nil || orphaned {
				return d.finish(p), nil
			}
		case isSection && section == 't':
			if d.sections != nil {
				p.lines.ahead = &line
				return d.finish(p), nil
			}
			d.ID, d.line = strings.Clone(id), p.lines.Number() // duplicates keeps the id, and not the line
			d.source = append(d.source, line)
			d.sections, orphaned = []string{body}, false
		case orphaned:
		case d.sections == nil:
			d.fail(p, fmt.Sprintf("want the title of a document (id|t|text), got %s", input.Quote(line)))
			orphaned = true
		case isSection:
			d.source = append(d.source, line)
			d.abstract(p, id, body)
		default:
			d.source = append(d.source, line)
			d.annotation(p, line)
		}
	}
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

// joinSections sets the text and what finds mentions in it, once.
func (d *pubtatorDocument) joinSections(p *pubtatorParser) {
	if !d.joined {
		d.joined = true
		d.Text = strings.Join(d.sections, " ")
		d.spans = p.spans(d.Text)
	}
}

func (d *pubtatorDocument) fail(p *pubtatorParser, reason string) {
	d.results = append(d.results, p.file.fail(p.lines.Number(), reason)...)
}

// abstract appends the abstract to the text.
func (d *pubtatorDocument) abstract(p *pubtatorParser, id, body string) {
	switch {
	case id != d.ID:
		d.fail(p, fmt.Sprintf("abstract of document %q within document %q", id, d.ID))
	case d.joined:
		d.fail(p, "abstract after a mention, want all mentions after the abstract")
	case body != "":
		d.sections = append(d.sections, body)
	}
}

// annotation parses a line "id start end text type ids", separated by tabs. The ids may
// be missing. BC5CDR has a seventh column with the sub-mentions of a composite mention.
// In a relation, which is ignored, the second column is a word; a mention with an identifier of its own there is not.
func (d *pubtatorDocument) annotation(p *pubtatorParser, line string) {
	const want = "want id, start, end, text, type and ids separated by tabs"
	cells := strings.Split(line, "\t")
	if len(cells) >= 4 && isWord(cells[1]) {
		if len(cells) >= 6 && isOffset(cells[3]) && isOffset(cells[4]) {
			d.fail(p, fmt.Sprintf("%s, got %q and %q before the offsets", want, cells[1], cells[2]))
		}
		return
	}
	if len(cells) < 5 {
		d.fail(p, fmt.Sprintf("%s, got %d columns in %s", want, len(cells), input.Quote(line)))
		return
	}
	start, errStart := strconv.Atoi(cells[1])
	end, errEnd := strconv.Atoi(cells[2])
	switch {
	case errStart != nil || errEnd != nil:
		d.fail(p, fmt.Sprintf("%s, got the offsets %q and %q", want, cells[1], cells[2]))
		return
	case cells[0] != d.ID:
		d.fail(p, fmt.Sprintf("mention of document %q within document %q", cells[0], d.ID))
		return
	}
	d.joinSections(p)
	m, note, reason := d.spans.find(at(start, end, &cells[3]))
	if reason != "" {
		d.fail(p, reason)
		return
	}
	p.note(p.lines.Number(), note)
	m.Type = cells[4]
	if len(cells) > 5 {
		m.Concepts, m.Composite = parseIDs(cells[5])
	}
	d.builder.add(m, Annotation{Start: start, End: end, place: len(d.source) - 1})
}

// isOffset reports whether a cell is a number.
func isOffset(cell string) bool {
	_, err := strconv.Atoi(cell)
	return err == nil
}

// isWord reports whether a cell starts with an ASCII letter.
func isWord(cell string) bool {
	return cell != "" && ('A' <= cell[0] && cell[0] <= 'Z' || 'a' <= cell[0] && cell[0] <= 'z')
}

// finish returns the errors of the document's lines, followed by the document.
func (d *pubtatorDocument) finish(p *pubtatorParser) []result {
	if d.sections == nil {
		return d.results
	}
	d.joinSections(p)
	reason, again := p.duplicates.check(&d.Document, d.line)
	switch {
	case reason != "":
		return append(d.results, p.file.fail(d.line, reason)...)
	case again:
		return d.results
	}
	return append(d.results, result{record: d.builder.record(&d.Document, d.source)})
}
