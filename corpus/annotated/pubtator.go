package annotated

import (
	"fmt"
	"strconv"
	"strings"

	"ctxnorm"
	"ctxnorm/corpus/internal/input"
)

// pubtatorParser reads PubTator's format. The text of a document is its title,
// a blank and its abstract; offsets count the code points of that. A document
// ends with an empty line or where the title of the next one begins. Lines of
// relations ("CID", "Association") are not read. What stands where a title should
// is one error up to the next empty line or title.
type pubtatorParser struct {
	file  string
	lines *input.Lines
	seen  seen
	ahead *string // a line read and not yet used
}

// pubtatorDocument is a document of which some lines are read.
type pubtatorDocument struct {
	ctxnorm.Document
	line    int // of the title
	offsets *Offsets
	results []result
}

func (p *pubtatorParser) next() ([]result, error) {
	var d pubtatorDocument
	lost := false // in lines that belong to no title
	for {
		text, err := p.line()
		if bad, ok := err.(*input.LineError); ok {
			d.fail(p, bad.Error())
			lost = d.offsets == nil
			continue
		}
		if err != nil {
			return d.finish(p), err
		}
		id, section, body, isSection := cutSection(text)
		switch {
		case strings.TrimSpace(text) == "":
			if d.offsets != nil || lost {
				return d.finish(p), nil
			}
		case isSection && section == 't':
			if d.offsets != nil {
				p.ahead = &text
				return d.finish(p), nil
			}
			d.ID, d.line = id, p.lines.Number()
			d.setText(body)
		case lost:
		case d.offsets == nil:
			d.fail(p, fmt.Sprintf("want the title of a document (id|t|text), got %s", quote(text)))
			lost = true
		case isSection:
			d.abstract(p, id, body)
		default:
			d.annotation(p, text)
		}
	}
}

// line is the next line, or the one put back.
func (p *pubtatorParser) line() (string, error) {
	if p.ahead != nil {
		text := *p.ahead
		p.ahead = nil
		return text, nil
	}
	return p.lines.Next()
}

// cutSection takes "id|t|text" or "id|a|text" apart.
func cutSection(line string) (id string, section byte, text string, ok bool) {
	id, rest, found := strings.Cut(line, "|")
	if !found || id == "" || len(rest) < 2 || rest[0] != 't' && rest[0] != 'a' || rest[1] != '|' || strings.ContainsAny(id, "\t {") {
		return "", 0, "", false
	}
	return id, rest[0], rest[2:], true
}

func (d *pubtatorDocument) setText(text string) {
	d.Text = text
	d.offsets = NewOffsets(text)
}

func (d *pubtatorDocument) fail(p *pubtatorParser, reason string) {
	d.results = append(d.results, result{err: &RecordError{p.file, p.lines.Number(), reason}})
}

func (d *pubtatorDocument) abstract(p *pubtatorParser, id, text string) {
	switch {
	case id != d.ID:
		d.fail(p, fmt.Sprintf("abstract of %q in document %q", id, d.ID))
	case len(d.Mentions) > 0:
		d.fail(p, "abstract after mentions, whose offsets it would change")
	case text != "":
		d.setText(d.Text + " " + text)
	}
}

// annotation reads "id start end text type ids", set apart by tabs. The last may
// be left out. BC5CDR has a seventh column, the parts of a composite mention
// written out. In a relation the second column is a word.
func (d *pubtatorDocument) annotation(p *pubtatorParser, line string) {
	const want = "want id, start, end, text, type and ids set apart by tabs"
	cells := strings.Split(line, "\t")
	if len(cells) >= 4 && isWord(cells[1]) {
		return
	}
	if len(cells) < 5 {
		d.fail(p, fmt.Sprintf("%s, got %d columns in %s", want, len(cells), quote(line)))
		return
	}
	start, errStart := strconv.Atoi(cells[1])
	end, errEnd := strconv.Atoi(cells[2])
	switch {
	case errStart != nil || errEnd != nil:
		d.fail(p, fmt.Sprintf("%s, got the offsets %q and %q", want, cells[1], cells[2]))
		return
	case cells[0] != d.ID:
		d.fail(p, fmt.Sprintf("mention of %q in document %q", cells[0], d.ID))
		return
	}
	span, reason := spanOf(d.offsets, start, end, &cells[3])
	if reason != "" {
		d.fail(p, reason)
		return
	}
	m := ctxnorm.Mention{Span: span, Type: cells[4]}
	if len(cells) > 5 {
		m.Concepts, m.Composite = parseIDs(cells[5])
	}
	d.Mentions = append(d.Mentions, m)
}

func isWord(cell string) bool {
	return cell != "" && ('A' <= cell[0] && cell[0] <= 'Z' || 'a' <= cell[0] && cell[0] <= 'z')
}

// finish gives the errors of the document's lines and then the document.
func (d *pubtatorDocument) finish(p *pubtatorParser) []result {
	if d.offsets == nil {
		return d.results
	}
	reason, again := p.seen.repeated(&d.Document, d.line)
	switch {
	case reason != "":
		return append(d.results, result{err: &RecordError{p.file, d.line, reason}})
	case again:
		return d.results
	}
	sortMentions(d.Mentions)
	return append(d.results, result{doc: &d.Document})
}

// quote shows a text in an error, cut to a length that fits in a line.
func quote(text string) string {
	const most = 60 // characters
	if runes := []rune(text); len(runes) > most {
		return fmt.Sprintf("%q…", string(runes[:most]))
	}
	return fmt.Sprintf("%q", text)
}
