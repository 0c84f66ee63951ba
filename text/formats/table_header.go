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
	"github.com/ctxnorm/ctxnorm/internal/table"
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
	rows := table.FirstRows([]byte(line), string(delimiter), 1)
	if len(rows) == 0 {
		return nil
	}
	return rows[0]
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

// readHeader reads the next row as the header.
func (p *tableParser) readHeader(o *Options) error {
	row, err := p.rows.Next()
	p.header, p.line = row.Cells, row.Line
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

// partColumns are the names, in lower case and without spaces and underscores, of columns that number the rows into
// which an export of health records cuts a text.
var partColumns = []string{"line", "linenum", "linenumber", "lineno", "noteline", "notelinenum"}
