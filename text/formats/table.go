package formats

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/table"
	"github.com/ctxnorm/ctxnorm/text"
)

// tableParser reads a document a row.
type tableParser struct {
	*file
	rows   table.Rows
	line   int // of the row read last
	header []string
	first  []string       // row that is not read yet; nil for none
	roles  map[string]int // index of the column of each role
	linked bool           // a [Writer] wrote the table, and its links are read
	parts  string         // the column that numbers the rows of one text; "" once it was warned of
	last   *Record        // read last

	isNumber func(column int) bool // of the row read last; nil if the rows do not say
}

// newTableParser reads the header of a table.
func newTableParser(f *file, r *bufio.Reader, format Format, o *Options) (*tableParser, error) {
	first, err := r.Peek(1)
	for n := 1; err == nil && first[len(first)-1] != '\n'; n++ {
		first, err = r.Peek(n)
	}
	header := strings.TrimRight(string(first), "\r\n")
	if separator := table.SeparatorLine(header); separator != "" {
		rows := table.NewReader(r, table.Dialect{Delimiter: separator}, f.limits, 0)
		if _, err := rows.Next(); err != nil {
			return nil, fmt.Errorf("%s: line 1: %w", f.name, err)
		}
		return newRowsParser(f, rows, o)
	}
	if below, ok := headerBelowTitle(r); ok {
		header = below
	}
	delimiter, _ := sniffDelimiter(header)
	if delimiter == 0 || format == TSV {
		delimiter = '\t'
	}
	return newRowsParser(f, table.NewReader(r, table.Dialect{Delimiter: string(delimiter)}, f.limits, 0), o)
}

// newRowsParser reads the header of rows.
func newRowsParser(f *file, rows table.Rows, o *Options) (*tableParser, error) {
	p := &tableParser{file: f, rows: rows}
	err := p.readHeader(o)
	for titles := 0; err != nil && titles < maxTitleRows && isTitle(p.header); titles++ {
		if p.readHeader(o) == nil {
			err = nil
			p.note(p.line, "the names of the columns are read here: the rows above have one cell, as a title has")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	if why := p.firstIsRow(o.Columns); why != "" {
		p.note(p.line, "the first row is read as a row, not as the names of the columns: "+why)
		p.first = p.header
		p.header = p.namesOfRoles()
	}
	p.renameTwins()
	if at := slices.IndexFunc(p.header, func(name string) bool {
		return slices.Contains(partColumns, plainColumn(name))
	}); at >= 0 {
		p.parts = p.header[at]
	}
	return p, nil
}

func (p *tableParser) next() ([]result, error) {
	row, err := table.Row{Cells: p.first, Line: p.line}, error(nil)
	if p.first = nil; row.Cells == nil {
		row, err = p.rows.Next()
	}
	for err == nil && row.Repeats(p.header) {
		p.note(row.Line, "the names of the columns again, as where files were joined: it is no row")
		row, err = p.rows.Next()
	}
	cells, line := row.Cells, row.Line
	var malformed *input.LineError
	switch {
	case errors.As(err, &malformed):
		return p.fail(line, malformed.Error()), nil
	case err == io.EOF:
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("row after that of line %d: %w", p.line, err)
	}
	p.line = line
	p.noteChanged(row)
	if len(cells) > len(p.header) {
		return p.fail(line, fmt.Sprintf("want %d columns, got %d", len(p.header), len(cells))), nil
	}
	var record *Record
	var reason string
	if p.linked {
		record, reason = p.linkedRecord(cells)
	} else {
		record, reason = p.record(cells, line)
	}
	if reason != "" {
		return p.fail(line, reason), nil
	}
	return p.one(record), nil
}

// noteChanged warns of cells that a spreadsheet has changed in the columns that have a role.
func (p *tableParser) noteChanged(row table.Row) {
	for i := range row.Cells {
		isRead := false
		for _, of := range p.roles {
			isRead = isRead || of == i
		}
		if changed := row.Changed[i]; changed != "" && isRead {
			p.note(row.Line, fmt.Sprintf("cell %d is %s, and is read as it is shown: Excel has changed what was typed",
				i+1, changed))
		}
	}
}

// cell returns the cell of a role, and whether the row has it and it is not empty.
func (p *tableParser) cell(cells []string, role string) (string, bool) {
	i, ok := p.roles[role]
	if !ok || i >= len(cells) {
		return "", false
	}
	return cells[i], strings.TrimSpace(cells[i]) != ""
}

// content returns the title and the text of a row, and whether it has either.
func (p *tableParser) content(cells []string) (content string, ok bool) {
	title, hasTitle := p.cell(cells, ColumnTitle)
	content, hasText := p.cell(cells, ColumnText)
	switch {
	case hasTitle && hasText:
		return title + " " + content, true
	case hasTitle:
		return title, true
	}
	return content, hasText
}

// record returns the record of a row. A non-empty reason says what is wrong with it.
func (p *tableParser) record(cells []string, line int) (r *Record, reason string) {
	id, named := p.cell(cells, ColumnID)
	if !named {
		id = strconv.Itoa(line)
	}
	content, hasText := p.content(cells)
	mention, hasMention := p.cell(cells, ColumnMention)
	if !hasText {
		content = mention
	}
	var (
		mentions []text.Mention
		b        builder
	)
	if hasText && !hasMention {
		if content, mentions, reason = parseMarks(content); reason != "" {
			return nil, reason
		}
		if err := p.limits.CheckMentions(len(mentions)); err != nil {
			return nil, err.Error()
		}
		before := Annotation{}
		at := 0 // the byte offset of before.End
		for _, m := range mentions {
			before.Start = before.End + p.unit.count(content[at:m.Start])
			before.End = before.Start + p.unit.count(content[m.Start:m.End])
			at = m.End
			b.add(m, before)
		}
	}
	if span, ok, reason := p.span(cells, content, mention); reason != "" {
		return nil, reason
	} else if ok {
		m := text.Mention{Span: span}
		m.Type, _ = p.cell(cells, ColumnType)
		ids, _ := p.cell(cells, ColumnIDs)
		m.Concepts, m.Composite = parseIDs(ids)
		b.add(m, p.annotation(content, span))
	}
	r = b.record(&text.Document{ID: id, Text: content}, nil)
	r.Unnamed = !named
	r.Columns = make([]Column, len(p.header))
	for i, name := range p.header {
		r.Columns[i].Name = name
		if i < len(cells) {
			r.Columns[i].Value = cells[i]
		}
		if p.isNumber != nil {
			r.Numbers = append(r.Numbers, p.isNumber(i))
		}
	}
	if p.parts != "" && named && p.last != nil && p.last.Document.ID == id && p.last.Document.Text != content {
		p.note(line, fmt.Sprintf("rows of one identifier, %q, are read as texts of their own: "+
			"join those that %s numbers first", id, p.parts))
		p.parts = ""
	}
	p.last = r
	return r, ""
}

// notOffsets says what is wrong with cells that are no offsets.
func notOffsets(start, end string) string {
	return fmt.Sprintf("want whole numbers as start and end, got %q and %q", start, end)
}

// annotation returns the annotation of a mention at a span of a text, with offsets in the unit of the file.
func (p *tableParser) annotation(content string, span text.Span) Annotation {
	return Annotation{Start: p.unit.count(content[:span.Start]), End: p.unit.count(content[:span.End])}
}

// span returns the span of the mention of a row; ok is false if it has none.
func (p *tableParser) span(cells []string, content, mention string) (span text.Span, ok bool, reason string) {
	from, hasStart := p.cell(cells, ColumnStart)
	to, hasEnd := p.cell(cells, ColumnEnd)
	var stated *string
	if strings.TrimSpace(mention) != "" {
		stated = &mention
	}
	switch {
	case hasEnd && !hasStart:
		return span, false, fmt.Sprintf("want a start with the end %s, or neither, got none", strings.TrimSpace(to))
	case hasStart && !hasEnd && stated == nil:
		return span, false, fmt.Sprintf("want an end or a mention with the start %s, got none", strings.TrimSpace(from))
	case hasStart:
		start, errStart := strconv.Atoi(strings.TrimSpace(from))
		end, errEnd := start, error(nil)
		if hasEnd {
			end, errEnd = strconv.Atoi(strings.TrimSpace(to))
		} else {
			end += p.unit.count(mention)
		}
		if errStart != nil || errEnd != nil {
			return span, false, notOffsets(from, to)
		}
		m, note, reason := p.spans(content).find(at(start, end, stated))
		if note != "" {
			p.note(p.line, note)
		}
		return m.Span, reason == "", reason
	case stated == nil:
		return span, false, ""
	}
	words := strings.TrimSpace(mention)
	start := strings.Index(content, words)
	if start < 0 {
		return span, false, fmt.Sprintf("mention %q is not in the text", words)
	}
	return text.Span{Start: start, End: start + len(words)}, true, ""
}
