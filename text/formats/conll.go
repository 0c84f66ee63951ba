package formats

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text"
)

// conllReader reads one token per line with a tag in BIO, BIOES, BILOU or BMEWO notation, with a type (B-Disease) or
// without (B). The tag is in the last column whose cells are tags; a column of concepts may follow, and token numbers
// may precede. Columns are separated by tabs, or else by spaces. An empty line ends a sentence. If "-DOCSTART-" lines
// begin documents, a document consists of their sentences, one per line; otherwise each sentence is a document. The
// text is the tokens joined by single spaces. A line that begins with # before a sentence is a comment unless it is a
// token with a tag.
type conllReader struct {
	*file
	started    bool       // a "-DOCSTART-" was read
	number     int        // of documents so far
	word       int        // index of the column of tokens
	rows       []conllRow // of the current document
	tokens     bool       // some row is a token
	inSentence bool       // the last row is a token
}

// conllRow is a line and its number.
type conllRow struct {
	line    string
	cells   []string // nil if the line is not a token: blank, a comment, the start of a document, or malformed
	number  int
	mention int // the place of the mention that the token belongs to, or -1
}

// conllSource holds the lines of a document. The place of a mention is the index of its first line.
type conllSource struct {
	rows []conllRow
	tags int // index of the column of tags
}

const docStart = "-DOCSTART-"

// isCoNLLTag reports whether a cell is a tag: O for outside, or B (begin), I or M (inside, middle), E or L (end, last),
// S, U or W (single, unit, whole), with or without a hyphen and a type.
func isCoNLLTag(cell string) bool {
	if cell == outside {
		return true
	}
	if cell == "" || strings.IndexByte("BIMELSUW", cell[0]) < 0 {
		return false
	}
	return len(cell) == 1 || len(cell) > 2 && cell[1] == '-' && !strings.ContainsAny(cell[2:], " \t\n\f\r")
}

// outside is the tag of a token outside mentions.
const outside = "O"

// splitCoNLL returns the cells of a line and their separator.
func splitCoNLL(line string) (cells []string, separator string) {
	if strings.Contains(line, "\t") {
		return strings.Split(line, "\t"), "\t"
	}
	return strings.Fields(line), " "
}

// isTagged reports whether cells form a line of CoNLL: a token, and a tag in another column. Only the last cell may be
// a single letter other than O.
func isTagged(cells []string) bool {
	if len(cells) < 2 || strings.Contains(cells[0], " ") {
		return false
	}
	return isCoNLLTag(cells[len(cells)-1]) || slices.ContainsFunc(cells[1:], func(cell string) bool {
		return isCoNLLTag(cell) && (cell == outside || len(cell) > 1)
	})
}

// isCoNLLComment reports whether a line before a sentence is a comment: "# id 1", "# text = He had a flu", but not
// "#\tO".
func isCoNLLComment(line string) bool {
	if !strings.HasPrefix(line, "#") {
		return false
	}
	cells, separator := splitCoNLL(line)
	return !isTagged(cells) || separator == " " && len(cells) > 2 && cells[0] == "#" && cells[2] == "="
}

func (p *conllReader) line(line string) error {
	begins, blank := strings.HasPrefix(line, docStart), strings.TrimSpace(line) == ""
	p.started = p.started || begins
	if p.tokens && (begins || blank && !p.started) {
		p.endDocument()
	}
	if blank && len(p.rows) == 0 {
		return nil
	}
	row := conllRow{line: line, number: p.at, mention: -1}
	p.inSentence = !begins && !blank && (p.inSentence || !isCoNLLComment(line))
	if p.inSentence {
		row.cells, _ = splitCoNLL(line)
		p.tokens = true
	}
	p.rows = append(p.rows, row)
	return p.grow(strconv.Itoa(p.number+1), line, 0)
}

func (p *conllReader) endDocument() {
	if len(p.rows) > 0 {
		p.document(p.rows)
	}
	p.file.endDocument()
	p.rows, p.tokens, p.inSentence = nil, false, false
}

// document reports errors in a document's rows and emits the document.
func (p *conllReader) document(rows []conllRow) {
	p.number++
	if p.number == 1 && areNumbered(rows) {
		p.word = 1
	}
	d := &conllDocument{source: &conllSource{rows, tagColumn(rows)}, word: p.word}
	doc, named := text.Document{ID: strconv.Itoa(p.number)}, false // whether the file gives the document an identifier
	for i := range rows {
		switch row := &rows[i]; {
		case strings.HasPrefix(row.line, docStart):
			if id := documentID(row.line); id != "" {
				doc.ID, named = id, true
			}
			d.open = false
		case strings.TrimSpace(row.line) == "":
			d.open, d.spaces = false, "\n"
		case row.cells == nil: // a comment
		case d.source.tags <= d.word, len(row.cells) <= d.source.tags, strings.TrimSpace(row.cells[d.word]) == "",
			!isCoNLLTag(row.cells[d.source.tags]):
			p.fail(row.number, fmt.Sprintf("want a token and a tag like O, B or B-Disease, got %s", input.Quote(row.line)))
			row.cells, d.open = nil, false
		default:
			d.addToken(i, row)
			if err := p.Limits.CheckMentions(len(d.mentions)); err != nil {
				p.fail(row.number, err.Error())
				return
			}
		}
	}
	if doc.Text = d.text.String(); doc.Text != "" {
		record := d.mentions.record(&doc, d.source)
		record.Unnamed = !named
		p.emit(record)
	}
}

// conllDocument is a document to which tokens are being added.
type conllDocument struct {
	source   *conllSource
	word     int // index of the column of tokens
	mentions builder
	text     strings.Builder
	points   int    // code points of text
	spaces   string // before the next token
	open     bool   // the next token may continue the last mention
}

// addToken adds the token of row i, which begins a mention, continues one, or is outside.
func (d *conllDocument) addToken(i int, row *conllRow) {
	tags, cells := d.source.tags, row.cells
	if d.text.Len() > 0 {
		d.text.WriteString(d.spaces)
		d.points += len(d.spaces)
	}
	start, startPoint := d.text.Len(), d.points
	d.text.WriteString(cells[d.word])
	d.points += CodePoints.count(cells[d.word])
	d.spaces = " "
	prefix, kind, _ := strings.Cut(cells[tags], "-")
	if prefix == outside {
		d.open = false
		return
	}
	inside := strings.Contains("IMEL", prefix)
	if last := len(d.mentions) - 1; inside && d.open && d.mentions[last].Type == kind {
		m := &d.mentions[last]
		m.End, m.annotation.End = d.text.Len(), d.points
		row.mention = m.annotation.place
	} else {
		m := text.Mention{Span: text.Span{Start: start, End: d.text.Len()}, Type: kind}
		if tags+1 < len(cells) {
			m.Concepts, m.Composite = parseIDs(cells[tags+1])
		}
		d.mentions.add(m, Annotation{Start: startPoint, End: d.points, place: i})
		row.mention = i
	}
	d.open = strings.Contains("BIM", prefix)
}

// documentID returns the identifier in a line that begins a document, "-DOCSTART- (947testa CRICKET)", whatever columns
// follow, or "" if there is none.
func documentID(line string) string {
	rest, found := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(line, docStart)), "(")
	if !found {
		return ""
	}
	id, _, _ := strings.Cut(rest, "\t")
	if end := strings.LastIndexByte(id, ')'); end >= 0 {
		id = id[:end]
	}
	return strings.TrimSpace(id)
}

// areNumbered reports whether the first column numbers the tokens from 1 in each sentence, at least two columns follow
// it, and some sentence has two tokens or more.
func areNumbered(rows []conllRow) bool {
	number, most := 0, 0
	for i := range rows {
		if rows[i].cells == nil {
			number = 0
			continue
		}
		if number++; len(rows[i].cells) < 3 || rows[i].cells[0] != strconv.Itoa(number) {
			return false
		}
		most = max(most, number)
	}
	return most > 1
}

// tagColumn returns the index of the column with the most tags, the last one on a tie, or -1 if there are no tags. A
// column of concepts in which some cells happen to be "O" has fewer.
func tagColumn(rows []conllRow) int {
	var tags []int // number of tags in each column
	for i := range rows {
		if rows[i].cells == nil {
			continue
		}
		for j, cell := range rows[i].cells {
			if j == len(tags) {
				tags = append(tags, 0)
			}
			if j > 0 && isCoNLLTag(cell) {
				tags[j]++
			}
		}
	}
	column, most := -1, 0
	for j, n := range tags {
		if n > 0 && n >= most {
			column, most = j, n
		}
	}
	return column
}
