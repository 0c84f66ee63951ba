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
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text"
)

// What a row of a table says of its document, as keys of [Options.Columns]. A row has a title, a text,
// or a mention, or several of them. The text is title and text with a space between them, as of PubMed XML. Without
// both, the mention is the text. Without offsets, a mention
// is where its words are first found in the text; with a start alone it is as long as its words.
const (
	ColumnID      = "id"
	ColumnTitle   = "title"
	ColumnText    = "text"
	ColumnMention = "mention"
	ColumnStart   = "start"
	ColumnEnd     = "end"
	ColumnType    = "type"
	ColumnIDs     = "ids"
)

// ColumnRoles returns the keys of [Options.Columns].
func ColumnRoles() []string {
	return []string{ColumnID, ColumnTitle, ColumnText, ColumnMention, ColumnStart, ColumnEnd, ColumnType, ColumnIDs}
}

// columnNames holds the names by which columns are recognized, in lower case and without spaces and underscores. A
// title is not read beside offsets, which count from the start of the text, and not beside mentions without a text.
var columnNames = map[string]string{
	"id": ColumnID, "document": ColumnID, "documentid": ColumnID, "docid": ColumnID, "pmid": ColumnID,
	"noteid": ColumnID, "reportid": ColumnID, "rowid": ColumnID,
	"title": ColumnTitle, "articletitle": ColumnTitle, "documenttitle": ColumnTitle, "papertitle": ColumnTitle,
	"studytitle": ColumnTitle, "brieftitle": ColumnTitle,
	"text": ColumnText, "sentence": ColumnText, "abstract": ColumnText, "abstracttext": ColumnText,
	"briefsummary": ColumnText,
	"abstractnote": ColumnText, "note": ColumnText, "notetext": ColumnText, "reporttext": ColumnText,
	"fulltext": ColumnText, "content": ColumnText,
	"mention": ColumnMention, "term": ColumnMention, "entity": ColumnMention,
	"start": ColumnStart, "begin": ColumnStart, "end": ColumnEnd,
	"type": ColumnType, "ids": ColumnIDs, "concepts": ColumnIDs, "conceptid": ColumnIDs,
}

// roleOfColumn returns the role of a column by its name, or "".
func roleOfColumn(name string) string { return columnNames[plainColumn(name)] }

// plainColumn returns the name of a column in lower case, without spaces and underscores.
func plainColumn(name string) string {
	return strings.NewReplacer(" ", "", "_", "").Replace(strings.ToLower(strings.TrimSpace(name)))
}

// rolesOfColumns returns the role of each column of a header. Web of Science calls title and abstract by its tags.
func rolesOfColumns(header []string) []string {
	roles := make([]string, len(header))
	for i, name := range header {
		switch name {
		case "TI":
			roles[i] = ColumnTitle
		case "AB":
			if slices.Contains(header, "TI") {
				roles[i] = ColumnText
			}
		default:
			roles[i] = roleOfColumn(name)
		}
	}
	return roles
}

// delimiters are the separators of columns, in the order in which they are tried.
var delimiters = []rune{'\t', ',', ';', '|'}

// sniffDelimiter returns the delimiter that the first line of a table has most of.
func sniffDelimiter(line string) (delimiter rune, columns int) {
	for _, d := range delimiters {
		if n := len(splitHeader(line, d)); n > columns {
			delimiter, columns = d, n
		}
	}
	return delimiter, columns
}

// splitHeader returns the cells of the first line of a table.
func splitHeader(line string, delimiter rune) []string {
	s := rowScanner{delimiter: byte(delimiter)}
	s.scan(line)
	if s.inQuotes {
		return nil
	}
	return s.cells
}

// isTableHeader reports whether a line is the header of a table with a text, titles or mentions.
func isTableHeader(line string) bool {
	delimiter, columns := sniffDelimiter(line)
	if columns < 2 {
		return false
	}
	return slices.ContainsFunc(rolesOfColumns(splitHeader(line, delimiter)), func(role string) bool {
		return role == ColumnTitle || role == ColumnText || role == ColumnMention
	})
}

// maxTitleRows is the greatest number of rows of a title above a table.
const maxTitleRows = 10

// isTitle reports whether a row above a header is a title: it has one cell that is not blank.
func isTitle(cells []string) bool {
	filled := 0
	for _, cell := range cells {
		if strings.TrimSpace(cell) != "" {
			filled++
		}
	}
	return filled == 1
}

// headerBelowTitle returns the header of a table below a title: the first line that is one, if those above it have one
// cell each, and there are some.
func headerBelowTitle(r *bufio.Reader) (header string, ok bool) {
	head, _ := r.Peek(r.Buffered())
	lines := strings.Split(string(head), "\n")
	for i, line := range lines[:min(len(lines), maxTitleRows+1)] {
		line = strings.TrimRight(line, "\r")
		if isTableHeader(line) {
			return line, i > 0
		}
		delimiter, _ := sniffDelimiter(line)
		if strings.TrimSpace(line) != "" && delimiter != 0 && !isTitle(splitHeader(line, delimiter)) {
			return "", false
		}
	}
	return "", false
}

// isMentionHeader reports whether the first line of a file is the name of a column of texts, titles or mentions, and no
// more: of a table with one column.
func isMentionHeader(r *bufio.Reader) bool {
	head, _ := r.Peek(r.Buffered())
	line, _, _ := strings.Cut(string(head), "\n")
	role := roleOfColumn(strings.Trim(line, "\" \r"))
	return role == ColumnTitle || role == ColumnText || role == ColumnMention
}

// mentionsParser reads a list of mentions without texts, one a line. Its identifier is the line number, and the line is
// the one column of its table.
type mentionsParser struct {
	*file
	lines *input.Lines
}

func (p *mentionsParser) next() ([]result, error) {
	line, reason, err := nextLine(p.lines)
	if err != nil {
		return nil, err
	}
	if reason != "" {
		return p.fail(p.lines.Number(), reason), nil
	}
	mention := strings.TrimSpace(line)
	var b builder
	b.add(text.Mention{Span: text.Span{End: len(mention)}}, Annotation{End: p.unit.count(mention)})
	r := b.record(&text.Document{ID: strconv.Itoa(p.lines.Number()), Text: mention}, nil)
	r.Unnamed, r.Columns = true, []Column{{ColumnMention, mention}}
	return p.one(r), nil
}

// tableParser reads a document a row.
type tableParser struct {
	*file
	rows   tableRows
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
	if separator := input.SeparatorLine(header); separator != "" {
		rows := newRowReader(r, separator[0], f.limits)
		if _, _, err := rows.next(); err != nil {
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
	return newRowsParser(f, newRowReader(r, byte(delimiter), f.limits), o)
}

// newRowsParser reads the header of rows.
func newRowsParser(f *file, rows tableRows, o *Options) (*tableParser, error) {
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

// readHeader reads the next row as the header.
func (p *tableParser) readHeader(o *Options) (err error) {
	p.header, p.line, err = p.rows.next()
	p.roles = make(map[string]int)
	switch {
	case err == io.EOF:
		return errors.New("want a table, got no line")
	case err != nil:
		return fmt.Errorf("header: %w", err)
	case o.Candidates && len(o.Columns) == 0 && p.chooseLinked():
		return nil
	}
	return p.choose(o.Columns)
}

// firstIsRow says why the first row is no header where the columns are chosen by their numbers: its identifier or an
// offset is a number, or its title or text ends as a sentence does. It is empty for a header.
func (p *tableParser) firstIsRow(chosen map[string]string) string {
	for role, choice := range chosen {
		isName := strings.EqualFold(strings.TrimSpace(p.header[p.roles[role]]), strings.TrimSpace(choice))
		if _, err := strconv.Atoi(choice); err != nil || isName {
			return ""
		}
	}
	for _, role := range slices.Sorted(maps.Keys(chosen)) {
		cell := strings.TrimSpace(p.header[p.roles[role]])
		switch role {
		case ColumnID, ColumnStart, ColumnEnd:
			if _, err := strconv.Atoi(cell); err == nil {
				return fmt.Sprintf("its %s is %s", role, cell)
			}
		case ColumnTitle, ColumnText:
			last, size := utf8.DecodeLastRuneInString(cell)
			if strings.ContainsRune(".!?。！？", last) && size < len(cell) {
				return fmt.Sprintf("its %s ends in %q", role, last)
			}
		}
	}
	return ""
}

// namesOfRoles returns names for the columns of a table without a header: their roles, or "column_3".
func (p *tableParser) namesOfRoles() []string {
	names := make([]string, len(p.header))
	for i := range names {
		names[i] = fmt.Sprintf("column_%d", i+1)
	}
	for role, i := range p.roles {
		names[i] = role
	}
	return names
}

// TableColumns returns the names of the columns of a file of documents that is a table, as [Record.Columns] has
// them, and nil for any other file and one that cannot be read.
func TableColumns(path string, o Options) []string {
	if isBRAT(path, o.Format) {
		return nil
	}
	o.Warn = nil
	r, err := Open(path, o)
	if err != nil {
		return nil
	}
	defer r.Close()
	if table, ok := r.parser.(*tableParser); ok {
		return table.header
	}
	return nil
}

// renameTwins gives columns of the same name different ones, so that no cell is lost, with a warning.
func (p *tableParser) renameTwins() {
	names := make(map[string]int) // number of the column
	for i, name := range p.header {
		if _, taken := names[name]; !taken {
			names[name] = i + 1
		}
	}
	for i, name := range p.header {
		first := names[name]
		if first == i+1 {
			continue
		}
		other := name
		for n := 2; names[other] != 0; n++ {
			other = fmt.Sprintf("%s_%d", name, n)
		}
		names[other] = i + 1
		p.header[i] = other
		if name != "" {
			p.note(p.line, fmt.Sprintf("columns %d and %d are both called %s: the first is read as that, the second "+
				"is called %s", first, i+1, input.Quote(name), input.Quote(other)))
		}
	}
}

// choose finds the column of each role: those that are chosen, or else those with names that are recognized.
func (p *tableParser) choose(chosen map[string]string) error {
	if len(chosen) == 0 {
		p.recognizeColumns()
	}
	for _, role := range slices.Sorted(maps.Keys(chosen)) {
		if !slices.Contains(ColumnRoles(), role) {
			return fmt.Errorf("column of role %q: want one of the roles %s", role, strings.Join(ColumnRoles(), ", "))
		}
		i := slices.IndexFunc(p.header, func(name string) bool {
			return strings.EqualFold(strings.TrimSpace(name), strings.TrimSpace(chosen[role]))
		})
		if number, err := strconv.Atoi(chosen[role]); i < 0 && err == nil && number >= 1 && number <= len(p.header) {
			i = number - 1
		}
		if i < 0 {
			return fmt.Errorf("no column %q of role %s: the table has the columns %q", chosen[role], role, p.header)
		}
		p.roles[role] = i
	}
	if !p.hasRole(ColumnTitle) && !p.hasRole(ColumnText) && !p.hasRole(ColumnMention) {
		return &columnsError{p.header}
	}
	return nil
}

// recognizeColumns finds the column of each role by the names of the columns: see columnNames.
func (p *tableParser) recognizeColumns() {
	roles := rolesOfColumns(p.header)
	for i, name := range p.header {
		role := roles[i]
		first, taken := p.roles[role]
		if taken && role == ColumnText && plainColumn(name) == "text" && plainColumn(p.header[first]) != "text" {
			p.roles[role] = i // the text of a note, and "note" its number
			first, name = i, p.header[first]
		}
		switch {
		case role == "":
		case !taken:
			p.roles[role] = i
		case role != ColumnID && name != p.header[first]: // an id may be the number of the row
			p.note(p.line, fmt.Sprintf("column %s is not read: column %s is the %s", input.Quote(name),
				input.Quote(p.header[first]), role))
		}
	}
	if p.hasRole(ColumnStart) || p.hasRole(ColumnMention) && !p.hasRole(ColumnText) {
		delete(p.roles, ColumnTitle)
	}
	titleAlone := p.hasRole(ColumnTitle) && !p.hasRole(ColumnText) && !p.hasRole(ColumnMention)
	if titleAlone && len(p.header) > len(p.roles) {
		p.note(p.line, fmt.Sprintf("column %s alone is read: no other is called text or abstract",
			input.Quote(p.header[p.roles[ColumnTitle]])))
	}
}

// hasRole reports whether a column has a role.
func (p *tableParser) hasRole(role string) bool {
	_, has := p.roles[role]
	return has
}

// columnsError is the error for a table of which no column has texts or mentions.
type columnsError struct{ header []string }

func (e *columnsError) Error() string {
	return fmt.Sprintf("want a column called text, title or mention, got the columns %q", e.header)
}

// shownColumns is the number of columns that an error lists.
const shownColumns = 12

// withoutText says what a table or a sheet without texts is.
func withoutText(kind string, header []string) string {
	columns := make([]string, min(len(header), shownColumns))
	for i := range columns {
		columns[i] = input.Quote(strings.TrimSpace(header[i]))
	}
	if len(header) > len(columns) {
		columns = append(columns, fmt.Sprintf("and %d more", len(header)-len(columns)))
	}
	return fmt.Sprintf("a %s without a column called text, title or mention: it has %s", kind,
		strings.Join(columns, ", "))
}

func (p *tableParser) next() ([]result, error) {
	cells, line, err := p.first, p.line, error(nil)
	if p.first = nil; cells == nil {
		cells, line, err = p.rows.next()
	}
	for err == nil && input.IsRepeatedHeader(cells, p.header) {
		p.note(line, "the names of the columns again, as where files were joined: it is no row")
		cells, line, err = p.rows.next()
	}
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

// partColumns are the names, in lower case and without spaces and underscores, of columns that number the rows into
// which an export of health records cuts a text.
var partColumns = []string{"line", "linenum", "linenumber", "lineno", "noteline", "notelinenum"}

// notOffsets says what is wrong with cells that are no offsets.
func notOffsets(start, end string) string {
	return fmt.Sprintf("want whole numbers as start and end, got %q and %q", start, end)
}

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
