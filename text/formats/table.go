package formats

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/table"
	"github.com/ctxnorm/ctxnorm/text"
)

// tableParser reads one document per row.
type tableParser struct {
	*file
	rows   table.Rows
	line   int // of the last row
	header []string
	first  []string       // row read ahead; nil if there is none
	roles  map[string]int // index of the column of each role
	linked bool           // whether a [Writer] wrote the table: see linkedRecord
	own    []int          // the columns that are read into [Record.Columns]
	parts  string         // the column that numbers the rows of one text; "" after the warning
	last   *Record        // the last one read
}

// readTable reads a text file of rows: see readRows.
func readTable(f *file, r *bufio.Reader) (parser, error) {
	head, err := r.Peek(1)
	for n := 1; err == nil && head[len(head)-1] != '\n'; n++ {
		head, err = r.Peek(n)
	}
	line, isSeparated := strings.TrimRight(string(head), "\r\n"), false
	delimiter := table.SeparatorLine(line)
	if isSeparated = delimiter != ""; !isSeparated {
		head, _ = r.Peek(r.Buffered())
		delimiter = delimiterOf(head)
	}
	if f.Format == TSV && !isSeparated {
		delimiter = "\t"
	}
	rows := table.NewReader(r, table.Dialect{Delimiter: delimiter}, f.Limits, 0)
	if isSeparated {
		if _, err := rows.Next(); err != nil {
			return nil, fmt.Errorf("%s: line 1: %w", f.name, err)
		}
	}
	return readRows(f, rows)
}

// readSheet reads the first sheet of a workbook like any other table. It warns of sheets that are not read.
func readSheet(f *file, r *bufio.Reader) (parser, error) {
	if !f.Workbooks {
		return nil, fmt.Errorf("%s: workbooks are not read here", f.name)
	}
	sheet, err := table.OpenWorksheet(r, "", f.Limits)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	if len(sheet.Others) > 0 {
		f.note(0, fmt.Sprintf("reading the sheet %s, ignoring %d others: %q", input.Quote(sheet.Name), len(sheet.Others),
			sheet.Others))
	}
	p, err := readRows(f, sheet)
	if err != nil {
		sheet.Close()
		return nil, err
	}
	f.sheet = sheet
	return p, nil
}

// readRows reads the header of a table and returns the parser of its rows.
func readRows(f *file, rows table.Rows) (parser, error) {
	p := &tableParser{file: f, rows: rows}
	err := p.readHeader()
	for titles := 0; err != nil && titles < table.MaxTitle && table.Filled(p.header) == 1; titles++ {
		if p.readHeader() == nil {
			err = nil
			p.note(p.line, "the header is read here: the rows above have one cell, like a title")
		}
	}
	if _, isUnknown := err.(*UnknownError); isUnknown {
		return nil, err
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	p.takeFirstAsRow()
	p.renameTwins()
	if at := slices.IndexFunc(p.header, func(name string) bool { return table.Has(partWords, table.Plain(name)) }); at >= 0 {
		p.parts = p.header[at]
	}
	if !p.linked {
		for i := range p.header {
			p.own = append(p.own, i)
		}
	}
	for _, i := range p.own {
		f.columns = append(f.columns, p.header[i])
	}
	return p.next, nil
}

func (p *tableParser) next() error {
	row, err := table.Row{Cells: p.first, Line: p.line}, error(nil)
	if p.first = nil; row.Cells == nil {
		row, err = p.rows.Next()
	}
	for err == nil && row.Repeats(p.header) {
		p.note(row.Line, "skipped: the header again, as in concatenated files")
		row, err = p.rows.Next()
	}
	malformed, isMalformed := errors.AsType[*input.LineError](err)
	switch {
	case isMalformed:
		p.fail(row.Line, malformed.Error())
		return nil
	case err == io.EOF:
		return err
	case err != nil:
		return fmt.Errorf("row after that of line %d: %w", p.line, err)
	}
	p.line = row.Line
	for _, i := range slices.Compact(slices.Sorted(maps.Values(p.roles))) {
		if row.Changed[i] != "" {
			p.note(row.Line, fmt.Sprintf("cell %d is %s, read as it is shown: Excel has changed what was typed",
				i+1, row.Changed[i]))
		}
	}
	if len(row.Cells) > len(p.header) {
		p.fail(row.Line, fmt.Sprintf("want %d columns, got %d", len(p.header), len(row.Cells)))
		return nil
	}
	read := p.record
	if p.linked {
		read = p.linkedRecord
	}
	record, reason := read(row.Cells)
	if reason != "" {
		p.fail(row.Line, reason)
		return nil
	}
	p.emit(record)
	return nil
}

// cell returns the cell of a role, and whether it exists and is not blank.
func (p *tableParser) cell(cells []string, role string) (string, bool) {
	i, ok := p.roles[role]
	if !ok || i >= len(cells) {
		return "", false
	}
	return cells[i], strings.TrimSpace(cells[i]) != ""
}

// record returns the record of a row. If the row is wrong, record returns the reason.
func (p *tableParser) record(cells []string) (r *Record, reason string) {
	id, named := p.cell(cells, columnID)
	if !named {
		id = strconv.Itoa(p.line)
	}
	title, hasTitle := p.cell(cells, columnTitle)
	content, hasText := p.cell(cells, columnText)
	mention, hasMention := p.cell(cells, columnMention)
	switch {
	case hasTitle && hasText:
		content = title + " " + content
	case hasTitle:
		content = title
	case !hasText:
		content = mention
	}
	var b builder
	var marked []text.Mention
	if (hasTitle || hasText) && !hasMention {
		if r, reason = p.markedRecord(id, content); reason != "" {
			return nil, reason
		}
		content, marked = r.Document.Text, r.Mentions
	}
	offsets := p.Unit.offsets(content)
	for _, m := range marked {
		at := offsets.CodePoints(m.Span)
		b.add(m, Annotation{Start: at.Start, End: at.End})
	}
	span, ok, reason := p.span(cells, content, mention)
	if reason != "" {
		return nil, reason
	}
	if ok {
		m := text.Mention{Span: span}
		m.Type, _ = p.cell(cells, columnType)
		ids, _ := p.cell(cells, columnIDs)
		m.Concepts, m.Composite = parseIDs(ids)
		at := offsets.CodePoints(span)
		b.add(m, Annotation{Start: at.Start, End: at.End})
	}
	r = b.record(&text.Document{ID: id, Text: content}, nil)
	r.Unnamed = !named
	r.Columns = p.columns(cells)
	if p.parts != "" && named && p.last != nil && p.last.Document.ID == id && p.last.Document.Text != content {
		p.note(p.line, fmt.Sprintf("rows with the identifier %q are read as separate texts: "+
			"first join the rows that %s numbers", id, p.parts))
		p.parts = ""
	}
	p.last = r
	return r, ""
}

// columns returns the columns of a row that no [Writer] added.
func (p *tableParser) columns(cells []string) []Column {
	columns := make([]Column, len(p.own))
	for at, i := range p.own {
		columns[at] = Column{Name: p.header[i], Number: p.file.sheet != nil && p.file.sheet.IsNumber(i)}
		if i < len(cells) {
			columns[at].Value = cells[i]
		}
	}
	return columns
}

// offsets returns the offsets in the start and end cells, and whether the row has them. Without an end cell, the end
// follows from the length of the mention.
func (p *tableParser) offsets(cells []string, mention string) (start, end int, given bool, reason string) {
	from, given := p.cell(cells, columnStart)
	to, hasEnd := p.cell(cells, columnEnd)
	var errStart, errEnd error
	if given {
		start, errStart = strconv.Atoi(strings.TrimSpace(from))
	}
	if end = start + p.Unit.count(mention); hasEnd {
		end, errEnd = strconv.Atoi(strings.TrimSpace(to))
	}
	switch {
	case hasEnd && !given:
		reason = fmt.Sprintf("want a start with the end %s, or neither, got none", strings.TrimSpace(to))
	case given && !hasEnd && strings.TrimSpace(mention) == "":
		reason = fmt.Sprintf("want an end or a mention with the start %s, got none", strings.TrimSpace(from))
	case errStart != nil || errEnd != nil:
		reason = fmt.Sprintf("want whole numbers as start and end, got %q and %q", from, to)
	}
	return start, end, given, reason
}

// span returns the span of a row's mention; ok is false if the row has none.
func (p *tableParser) span(cells []string, content, mention string) (span text.Span, ok bool, reason string) {
	start, end, given, reason := p.offsets(cells, mention)
	words := strings.TrimSpace(mention)
	switch {
	case reason != "":
		return span, false, reason
	case given:
		where := at(start, end, &mention)
		if words == "" {
			where.text = nil
		}
		m, note, reason := p.spans(content).find(where)
		p.note(p.line, note)
		return m.Span, reason == "", reason
	case words == "":
		return span, false, ""
	}
	if start = strings.Index(content, words); start < 0 {
		return span, false, fmt.Sprintf("mention %q is not in the text", words)
	}
	return text.Span{Start: start, End: start + len(words)}, true, ""
}

// linkedColumns maps the roles to the columns of a [Writer] from which its links are read.
var linkedColumns = map[string]string{
	columnID: "document", columnStart: "start", columnEnd: "end", columnMention: "text", columnType: "type",
	columnIDs: "id",
}

// chooseLinked reports whether a [Writer] wrote the table, and finds its columns. Such a table has an identifier of the
// document and of the concept. If its links are not to be read, it must also have the resolved text. The user may have
// removed other columns. Columns that no Writer writes are the user's own.
func (p *tableParser) chooseLinked() bool {
	has := func(name string) bool { return slices.Contains(p.header, name) }
	if !p.Candidates && !has("resolved_text") || slices.ContainsFunc(keptColumns, func(name string) bool { return !has(name) }) {
		return false
	}
	written := columnsOf(&WriterOptions{Recognition: true, Assertion: true, Correction: true, Xrefs: true, OtherCandidates: true})
	for i, name := range p.header {
		if !slices.ContainsFunc(written, func(c tableColumn) bool { return c.name == name }) {
			p.own = append(p.own, i)
		}
	}
	for role, name := range linkedColumns {
		if i := slices.Index(p.header, name); i >= 0 {
			p.roles[role] = i
		}
	}
	p.linked = true
	return true
}

// linkedRecord returns the record of a row that a [Writer] wrote: see [Options.Candidates]. A row without a mention
// becomes a record without a text. If the row is wrong, linkedRecord returns the reason.
func (p *tableParser) linkedRecord(cells []string) (r *Record, reason string) {
	for i, cell := range cells {
		if quoted, ok := strings.CutPrefix(cell, "'"); ok && isFormula(quoted) { // see [WriterOptions].SpreadsheetSafe
			cells[i] = quoted
		}
	}
	cell := func(role string) string {
		content, _ := p.cell(cells, role)
		return content
	}
	doc := &text.Document{ID: cell(columnID), Text: cell(columnMention)}
	var b builder
	if strings.TrimSpace(doc.Text) != "" {
		m := text.Mention{Span: text.Span{End: len(doc.Text)}, Type: cell(columnType)}
		ids := strings.Split(cell(columnIDs), "|")
		m.Concepts, m.Composite = conceptIDs(ids), len(ids) > 1
		var a Annotation
		if a.Start, a.End, _, reason = p.offsets(cells, doc.Text); reason != "" {
			return nil, reason
		}
		b.add(m, a)
	}
	r = b.record(doc, nil)
	if len(p.own) > 0 {
		r.Columns = p.columns(cells)
	}
	return r, ""
}
