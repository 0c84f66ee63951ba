package formats

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text"
)

// conllParser reads a token a line, with a tag in the notation of BIO, BIOES, BILOU or BMEWO, with a type
// (B-Disease) or without (B): the last column whose cells are tags. A column of concepts may follow it. Columns are separated by tabs,
// or else by spaces. An empty line ends a sentence. Where lines "-DOCSTART-" begin
// documents, a document is their sentences, each on a line of its own; otherwise each sentence
// is one. The text is the tokens with single spaces between them.
type conllParser struct {
	*file
	lines   *input.Lines
	started bool      // a "-DOCSTART-" was read
	pushed  *conllRow // read already; nil for none
	number  int       // of documents read
}

// conllRow is a line and its number.
type conllRow struct {
	line   string
	number int
}

// conllSource is the lines of a document. The place of a mention is the index of its first
// line.
type conllSource struct {
	lines []string
	tags  int           // index of the column of tags
	of    map[int][]int // indexes of the lines of a mention, by its place
}

const docStart = "-DOCSTART-"

// conllTag is a tag: outside, begin, inside or middle, end or last, and single, unit or whole.
var conllTag = regexp.MustCompile(`^(O|[BIMELSUW](-\S+)?)$`)

// conllExtensions are those of files of CoNLL. A line with spaces between its columns looks like text.
var conllExtensions = map[string]bool{".conll": true, ".bio": true, ".iob": true, ".iob2": true, ".bioes": true}

// outside is the tag of a token of no mention.
const outside = "O"

// splitCoNLL returns the cells of a line and what separates them.
func splitCoNLL(line string) (cells []string, separator string) {
	if strings.Contains(line, "\t") {
		return strings.Split(line, "\t"), "\t"
	}
	return strings.Fields(line), " "
}

func (p *conllParser) next() ([]result, error) {
	var rows []conllRow
	var results []result
	var bytes int64
	tokens := false
	for {
		row, err := p.row()
		if bad, ok := err.(*input.LineError); ok {
			results = append(results, p.fail(p.lines.Number(), bad.Error())...)
			continue
		}
		if err != nil {
			if err == io.EOF && len(rows) > 0 {
				results, err = append(results, p.document(rows)...), nil
			}
			return results, err
		}
		bytes += int64(len(row.line)) + 1
		if err := p.checkDocument(strconv.Itoa(p.number+1), row.number, bytes, len(results)); err != nil {
			return nil, err
		}
		begins, blank := strings.HasPrefix(row.line, docStart), strings.TrimSpace(row.line) == ""
		p.started = p.started || begins
		switch {
		case begins && tokens:
			p.pushed = &row
			return append(results, p.document(rows)...), nil
		case blank && tokens && !p.started:
			return append(results, p.document(rows)...), nil
		case blank && len(rows) == 0:
			continue
		}
		tokens = tokens || !begins && !blank
		rows = append(rows, row)
	}
}

// row returns the next line.
func (p *conllParser) row() (conllRow, error) {
	if p.pushed != nil {
		row := *p.pushed
		p.pushed = nil
		return row, nil
	}
	line, err := p.lines.Next()
	return conllRow{line, p.lines.Number()}, err
}

// document returns the errors of a document's lines, followed by the document.
func (p *conllParser) document(rows []conllRow) (results []result) {
	p.number++
	var (
		doc    = text.Document{ID: strconv.Itoa(p.number)}
		source = &conllSource{tags: tagColumn(rows), of: make(map[int][]int)}
		b      builder
		joined strings.Builder
		points int  // code points of joined
		open   bool // the last mention may go on
		spaces string
	)
	for i, row := range rows {
		source.lines = append(source.lines, row.line)
		cells, _ := splitCoNLL(row.line)
		switch {
		case strings.HasPrefix(row.line, docStart):
			if id := documentID(row.line); id != "" {
				doc.ID = id
			}
			open = false
			continue
		case strings.TrimSpace(row.line) == "":
			open, spaces = false, "\n"
			continue
		case source.tags < 0 || len(cells) <= source.tags || strings.TrimSpace(cells[0]) == "" || !conllTag.MatchString(cells[source.tags]):
			results = append(results, p.fail(row.number, fmt.Sprintf("want a token and a tag like O, B or B-Disease, got %s", input.Quote(row.line)))...)
			open = false
			continue
		}
		if joined.Len() > 0 {
			joined.WriteString(spaces)
			points += len(spaces)
		}
		start, startPoint := joined.Len(), points
		joined.WriteString(cells[0])
		points += CodePoints.count(cells[0])
		spaces = " "
		prefix, kind, _ := strings.Cut(cells[source.tags], "-")
		if prefix == outside {
			open = false
			continue
		}
		inside := strings.Contains("IMEL", prefix)
		if inside && open && b.mentions[len(b.mentions)-1].Type == kind {
			last := &b.mentions[len(b.mentions)-1]
			last.End = joined.Len()
			last.annotation.End = points
			source.of[last.annotation.place] = append(source.of[last.annotation.place], i)
		} else {
			if err := p.limits.CheckMentions(len(b.mentions) + 1); err != nil {
				return append(results, p.fail(row.number, err.Error())...)
			}
			m := text.Mention{Span: text.Span{Start: start, End: joined.Len()}, Type: kind}
			if source.tags+1 < len(cells) {
				m.Concepts, m.Composite = parseIDs(cells[source.tags+1])
			}
			b.add(m, Annotation{Start: startPoint, End: points, place: i})
			source.of[i] = []int{i}
		}
		open = strings.Contains("BIM", prefix)
	}
	doc.Text = joined.String()
	if doc.Text == "" {
		return results
	}
	return append(results, result{record: b.record(&doc, source)})
}

// documentID returns the id in a line that begins a document, "-DOCSTART- (947testa CRICKET)", whatever columns
// follow it; "" without one.
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

// tagColumn returns the index of the last column of tags, or -1. A column of concepts, of
// which some are "O" by chance, has other cells too.
func tagColumn(rows []conllRow) int {
	var tags []bool
	found := false
	for _, row := range rows {
		if strings.TrimSpace(row.line) == "" || strings.HasPrefix(row.line, docStart) {
			continue
		}
		cells, _ := splitCoNLL(row.line)
		if !found {
			tags, found = make([]bool, len(cells)), true
			for i := range tags {
				tags[i] = i > 0
			}
		}
		for i := range tags {
			tags[i] = tags[i] && i < len(cells) && conllTag.MatchString(cells[i])
		}
	}
	column := -1
	for i, are := range tags {
		if are {
			column = i
		}
	}
	if column < 0 && len(tags) > 1 { // some line is malformed: the first says which column it is
		cells, _ := splitCoNLL(firstRow(rows))
		for i := range cells {
			if i > 0 && conllTag.MatchString(cells[i]) {
				column = i
			}
		}
	}
	return column
}

func firstRow(rows []conllRow) string {
	for _, row := range rows {
		if strings.TrimSpace(row.line) != "" && !strings.HasPrefix(row.line, docStart) {
			return row.line
		}
	}
	return ""
}
