package formats

import (
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

// These are the roles of a table's columns, and the keys of [Options.Columns]. A row has a title, a text, a mention, or
// several of these. Its text is title and text joined by a space, as in PubMed XML, or the mention if it has neither.
// Without offsets, a mention is the first occurrence of its words in the text; with only a start, it is as long as its
// words.
const (
	columnID      = "id"
	columnTitle   = "title"
	columnText    = "text"
	columnMention = "mention"
	columnStart   = "start"
	columnEnd     = "end"
	columnType    = "type"
	columnIDs     = "ids"
)

// columnWords recognizes columns by their names. The title is not read beside offsets, which count from the start of
// the text, nor beside mentions without a text. Web of Science calls title and abstract TI and AB.
var columnWords = table.NewWords(columnRoles)

// columnRoles lists the keys of [Options.Columns] with the names of their columns.
var columnRoles = []table.Word[string]{
	{Role: columnID, Names: "id document documentid docid pmid noteid reportid rowid"},
	{Role: columnTitle, Names: "title articletitle documenttitle papertitle studytitle brieftitle"},
	{Role: columnText, Names: "text sentence abstract abstracttext briefsummary abstractnote note notetext reporttext " +
		"fulltext content"},
	{Role: columnMention, Names: "mention term entity"}, {Role: columnStart, Names: "start begin"},
	{Role: columnEnd, Names: "end"}, {Role: columnType, Names: "type"}, {Role: columnIDs, Names: "ids concepts conceptid"},
}

// partWords are names of columns that number the rows into which health record exports split a text.
const partWords = "line linenum linenumber lineno noteline notelinenum"

// ColumnRoles returns the keys of [Options.Columns].
func ColumnRoles() (roles []string) {
	for _, w := range columnRoles {
		roles = append(roles, w.Role)
	}
	return roles
}

// rolesOfColumns returns the role of each column of a header.
func rolesOfColumns(header []string) []string {
	roles := make([]string, len(header))
	for i, name := range header {
		roles[i], _ = columnWords.Role(table.Plain(name))
		switch {
		case name == "TI":
			roles[i] = columnTitle
		case name == "AB" && slices.Contains(header, "TI"):
			roles[i] = columnText
		}
	}
	return roles
}

// hasContent reports whether a header has a column of titles, texts or mentions.
func hasContent(header []string) bool {
	return slices.ContainsFunc(rolesOfColumns(header), func(role string) bool {
		return role == columnTitle || role == columnText || role == columnMention
	})
}

// isHeader reports whether cells are the header of a table with texts, titles or mentions and other columns.
func isHeader(cells []string) bool { return len(cells) > 1 && hasContent(cells) }

// headerDelimiter returns the delimiter of a table's header line, or "" if the line is not a header.
func headerDelimiter(line string) string { return table.Sniff([]byte(line), isHeader) }

// delimiterOf returns the delimiter of a table that begins with head: the delimiter of its header, or else the one that
// splits its first line into the most cells.
func delimiterOf(head []byte) string {
	delimiter, most := table.Sniff(head, isHeader), 1
	if delimiter != "" {
		return delimiter
	}
	line, _, _ := strings.Cut(string(head), "\n")
	delimiter = "\t"
	for _, d := range table.Delimiters {
		for _, cells := range table.FirstRows([]byte(line), string(d), 1) {
			if len(cells) > most {
				delimiter, most = string(d), len(cells)
			}
		}
	}
	return delimiter
}

// readHeader reads the next row as the header.
func (p *tableParser) readHeader() error {
	row, err := p.rows.Next()
	p.header, p.line = row.Cells, row.Line
	p.roles = make(map[string]int)
	switch {
	case err == io.EOF:
		return errors.New("want a table, got no line")
	case err != nil:
		return fmt.Errorf("header: %w", err)
	case len(p.Columns) == 0 && p.chooseLinked():
		return nil
	case len(p.Columns) == 0:
		p.recognizeColumns()
	}
	if err := p.choose(p.Columns); err != nil {
		return err
	}
	if !p.hasRole(columnTitle) && !p.hasRole(columnText) && !p.hasRole(columnMention) {
		return &UnknownError{p.name, withoutText(p.header)}
	}
	return nil
}

// choose finds the columns that the user chose for roles, by name or number.
func (p *tableParser) choose(chosen map[string]string) error {
	for _, role := range slices.Sorted(maps.Keys(chosen)) {
		if !slices.Contains(ColumnRoles(), role) {
			return fmt.Errorf("column of role %q: want one of the roles %s", role, strings.Join(ColumnRoles(), ", "))
		}
		i := slices.IndexFunc(p.header, func(name string) bool { return isNamed(name, chosen[role]) })
		if number, err := strconv.Atoi(chosen[role]); i < 0 && err == nil && number >= 1 && number <= len(p.header) {
			i = number - 1
		}
		if i < 0 {
			return fmt.Errorf("no column %q of role %s: the table has the columns %q", chosen[role], role, p.header)
		}
		p.roles[role] = i
	}
	return nil
}

func isNamed(name, choice string) bool {
	return strings.EqualFold(strings.TrimSpace(name), strings.TrimSpace(choice))
}

// recognizeColumns finds the column of each role by name: see columnWords.
func (p *tableParser) recognizeColumns() {
	roles := rolesOfColumns(p.header)
	for i, name := range p.header {
		role := roles[i]
		first, taken := p.roles[role]
		if taken && role == columnText && table.Plain(name) == "text" && table.Plain(p.header[first]) != "text" {
			p.roles[role] = i // "text" holds the note, and "note" its number
			first, name = i, p.header[first]
		}
		switch {
		case role == "":
		case !taken:
			p.roles[role] = i
		case role != columnID && name != p.header[first]: // an id may number the rows
			p.note(p.line, fmt.Sprintf("column %s is not read: column %s is the %s", input.Quote(name),
				input.Quote(p.header[first]), role))
		}
	}
	if p.hasRole(columnStart) || p.hasRole(columnMention) && !p.hasRole(columnText) {
		delete(p.roles, columnTitle)
	}
	titleAlone := p.hasRole(columnTitle) && !p.hasRole(columnText) && !p.hasRole(columnMention)
	if titleAlone && len(p.header) > len(p.roles) {
		p.note(p.line, fmt.Sprintf("column %s is the only one that is read: no other is called text or abstract",
			input.Quote(p.header[p.roles[columnTitle]])))
	}
}

// hasRole reports whether a column has a role.
func (p *tableParser) hasRole(role string) bool {
	_, has := p.roles[role]
	return has
}

// takeFirstAsRow treats the first row as data if the columns were chosen by number and its identifier or an offset is a
// number, or its title or text ends like a sentence. The columns are then named after their roles.
func (p *tableParser) takeFirstAsRow() {
	chosen := p.Columns
	why := ""
	for _, role := range slices.Sorted(maps.Keys(chosen)) {
		cell := strings.TrimSpace(p.header[p.roles[role]])
		if _, err := strconv.Atoi(chosen[role]); err != nil || isNamed(cell, chosen[role]) {
			return
		}
		_, notNumber := strconv.Atoi(cell)
		last, size := utf8.DecodeLastRuneInString(cell)
		switch {
		case why != "":
		case slices.Contains([]string{columnID, columnStart, columnEnd}, role) && notNumber == nil:
			why = fmt.Sprintf("its %s is %s", role, cell)
		case (role == columnTitle || role == columnText) && strings.ContainsRune(".!?。！？", last) && size < len(cell):
			why = fmt.Sprintf("its %s ends in %q", role, last)
		}
	}
	if why == "" {
		return
	}
	p.note(p.line, "the first row is read as data, not as a header: "+why)
	p.first, p.header = p.header, make([]string, len(p.header))
	for i := range p.header {
		p.header[i] = fmt.Sprintf("column_%d", i+1)
	}
	for role, i := range p.roles {
		p.header[i] = role
	}
}

// renameTwins renames columns with the same name, with a warning, so that no cell is lost.
func (p *tableParser) renameTwins() {
	names := make(map[string]int) // number of the column
	next := make(map[string]int)  // suffix of the next column with this name
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
		for n := max(next[name], 2); names[other] != 0; n++ {
			other, next[name] = fmt.Sprintf("%s_%d", name, n), n+1
		}
		names[other] = i + 1
		p.header[i] = other
		if name != "" {
			p.note(p.line, fmt.Sprintf("columns %d and %d are both called %s: the second is renamed to %s",
				first, i+1, input.Quote(name), input.Quote(other)))
		}
	}
}

// withoutText describes a table without a column of texts.
func withoutText(header []string) string {
	const shownColumns = 12 // columns that an error lists
	var columns []string
	for _, name := range header[:min(len(header), shownColumns)] {
		columns = append(columns, input.Quote(strings.TrimSpace(name)))
	}
	if len(header) > len(columns) {
		columns = append(columns, fmt.Sprintf("and %d more", len(header)-len(columns)))
	}
	return "a table without a column called text, title or mention: it has " + strings.Join(columns, ", ")
}
