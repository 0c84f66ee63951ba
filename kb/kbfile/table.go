package kbfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// sampleRows is the number of rows from which the columns of a table without a header are
// inferred: a thousand rows show which cells repeat, and take no noticeable time.
const sampleRows = 1000

// readTable reads a TSV or CSV file, or a file of CTD, which is one of the two with the
// header in its comments.
func (c *collector) readTable(r *bufio.Reader) error {
	t, err := openTable(r, c)
	if err != nil {
		return err
	}
	return c.readRows(t)
}

// readRows determines the columns of a table and reads its rows.
func (c *collector) readRows(t *table) error {
	if len(c.opts.Columns) == 0 && c.report.Format != TSV && t.header == nil && t.width() == 1 {
		return t.readColumn()
	}
	cols, err := t.dictionaryColumns()
	if err != nil {
		return err
	}
	described := t.describe(cols)
	c.report.Columns = described
	t.floatIDs = t.vocabulary == nil && areFloats(t.sample, cols)
	if v := t.vocabulary; v != nil {
		if c.report.Vocabulary = v.name; v.refused != "" {
			return v.errRefused()
		}
		if err := t.checkSnapshot(); err != nil {
			return err
		}
	}
	err = t.each(func(r row) error {
		c.report.Rows++
		return t.addRow(r, cols, described)
	})
	if err != nil {
		return err
	}
	if !cols.has(roleSynonyms) && !cols.has(rolePreferred) {
		c.unmarkRepeated()
	}
	return nil
}

// unmarkRepeated removes the marks of preferred names if the table has a name a row and
// several rows for a concept: none of them is marked.
func (c *collector) unmarkRepeated() {
	if !c.concepts.repeated() {
		return
	}
	for concept := range c.concepts.all() {
		concept.Synonyms, concept.Name = concept.Names(), ""
	}
}

// skipTitle removes the rows of one cell above a header from the sample, as the title of a sheet is.
func (t *table) skipTitle() {
	for i, r := range t.sample[:min(maxTitleRows, len(t.sample))] {
		cells := slices.DeleteFunc(slices.Clone(r.cells),
			func(cell string) bool { return strings.TrimSpace(cell) == "" })
		if len(cells) == 1 {
			continue
		}
		if rolesOf(r.cells).areNamed() || knownVocabulary(r.cells, false) != nil {
			t.sample = t.sample[i:]
		}
		return
	}
}

// maxTitleRows is the greatest number of rows that a title has.
const maxTitleRows = 10

// dictionaryColumns returns the columns of a dictionary: those that were chosen, those of
// the header, or those that its rows show.
func (t *table) dictionaryColumns() (columns, error) {
	t.completeHeader()
	if choices := t.c.opts.Columns; len(choices) > 0 {
		first := t.header
		if first == nil && len(t.sample) > 0 {
			first = t.sample[0].cells
		}
		cols, headed, err := chooseColumns(first, choices)
		if err == nil && t.header == nil && (headed || isHeader(t.sample, cols.first(roleID))) {
			t.header, t.sample = first, t.sample[1:]
		}
		return cols, err
	}
	if t.header == nil {
		t.skipTitle()
	}
	if cols := t.vocabularyColumns(); cols != nil {
		return cols, nil
	}
	cols, headed := t.columns(columns.areNamed)
	switch {
	case headed:
		return cols, nil
	case t.c.report.Format == JSONL, t.c.report.Format == JSON:
		return nil, newHeaderError(slices.Concat([]row{{cells: t.header}}, t.sample), inferColumns(t.sample))
	case t.c.report.Format == CTD:
		return nil, fmt.Errorf("the file has no header line such as %q", "# DiseaseName\tDiseaseID\tAltDiseaseIDs")
	}
	if bad := t.c.report.Errors; len(bad) > 0 && len(t.sample) == 1 {
		return nil, bad[0] // the first row is a header, and no other can be read
	}
	t.header = nil
	cols = inferColumns(t.sample)
	if isHeader(t.sample, cols.first(roleID)) {
		return nil, newHeaderError(t.sample, cols)
	}
	if t.c.report.Format == CSV && isProse(t.sample) {
		return nil, errors.New("want a dictionary, got text: lines end as sentences do, and none begins with an id")
	}
	if t.isWide() {
		return nil, newHeaderError(t.sample, cols)
	}
	return cols[:max(2, min(len(cols), t.width()))], nil
}

// isWide reports whether each row of a table without a header has more cells than an id, a name and synonyms: what they
// have is not guessed.
func (t *table) isWide() bool {
	return len(t.sample) > 0 && !slices.ContainsFunc(t.sample, func(r row) bool { return len(r.cells) <= 3 })
}

// isProse reports whether the rows of a table without a header are lines of a text that were split at its commas: half
// of them end as a sentence does, and no cell in the columns of identifiers and names looks like an identifier.
func isProse(sample []row) bool {
	sentences := 0
	for _, r := range sample {
		last := strings.TrimSpace(r.cells[len(r.cells)-1])
		if strings.Contains(last, " ") && strings.IndexByte(".?!", last[len(last)-1]) >= 0 {
			sentences++
		}
	}
	ids := statsOf(sample, 0).idLikeCells + statsOf(sample, 1).idLikeCells
	return sentences > 0 && 2*sentences >= len(sample) && ids == 0
}

// HeaderError is the error for a table with a header whose names are not known.
type HeaderError struct {
	Rows     [][]string // the header and the rows after it, at most 3
	ID, Name int        // the columns, from 1, whose cells look like identifiers and names
}

func newHeaderError(sample []row, cols columns) *HeaderError {
	e := &HeaderError{ID: cols.first(roleID) + 1, Name: cols.first(roleName) + 1}
	for _, r := range sample[:min(3, len(sample))] {
		e.Rows = append(e.Rows, r.cells)
	}
	return e
}

func (e *HeaderError) Error() string {
	var after []string
	for _, cells := range e.Rows[1:] {
		after = append(after, fmt.Sprintf("%q", cells))
	}
	return fmt.Sprintf("want a header that names a column of ids and one of names, got %q, then %s",
		e.Rows[0], strings.Join(after, " and "))
}

// width returns the number of cells of the widest row of the sample.
func (t *table) width() int {
	width := 0
	for _, r := range t.sample {
		width = max(width, len(r.cells))
	}
	return width
}

// describe returns the columns of the table for the report, as many as its widest row has.
func (t *table) describe(cols columns) []Column {
	width := max(len(cols), len(t.header))
	if t.header == nil {
		width = t.width()
	}
	described := make([]Column, width)
	for i := range described {
		if i < len(t.header) {
			described[i].Name = strings.TrimSpace(t.header[i])
		}
		if i < len(cols) {
			described[i].Role = roleLabels[cols[i]]
			described[i].Separator = t.separator(i, cols[i])
			if t.vocabulary == nil && cols[i] == roleSynonyms && described[i].Separator == "" {
				t.c.report.Commas += t.countCells(i, ", ")
			}
		}
	}
	return described
}

// countCells returns the number of cells of a column of the sample that contain a text.
func (t *table) countCells(column int, text string) int {
	n := 0
	for _, r := range t.sample {
		if column < len(r.cells) && strings.Contains(r.cells[column], text) {
			n++
		}
	}
	return n
}

// separator returns what separates several names in the cells of a column, or "". A cell
// of synonyms is a list, or has bars; if no cell of the sample has one, it has semicolons (with a space
// or without), line breaks or ideographic commas. The cells of other columns have one
// name, unless the options say otherwise.
func (t *table) separator(column int, role role) string {
	if chosen := t.c.opts.Separator; chosen != "" && role.names() {
		return chosen
	}
	if role != roleSynonyms {
		return ""
	}
	if t.vocabulary != nil {
		return t.vocabulary.separator
	}
	if column < len(t.header) && isQueryVariable(strings.TrimSuffix(t.header[column], "AltLabel"), t.header) {
		return ", "
	}
	for _, r := range t.sample {
		if column < len(r.cells) && listIn(r.cells[column]) != nil {
			return listSeparator
		}
	}
	for _, separator := range cellSeparators {
		if t.countCells(column, separator) > 0 {
			return separator
		}
	}
	return ""
}

// cellSeparators are what separates the names in a cell, the most certain first.
var cellSeparators = []string{"|", ";", "；", "\n", "、"}

// listSeparator is the separator, in a report, of cells that are lists as JSON and Python write them.
const listSeparator = `["…", "…"]`

// listItem is an item of such a list, in either kind of quotes, and what follows it.
var listItem = regexp.MustCompile(`^\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*[,\]]`)

// listIn returns the items of a cell that is a list of strings, or nil.
func listIn(cell string) []string {
	rest, isList := strings.CutPrefix(strings.TrimSpace(cell), "[")
	if !isList || !strings.HasSuffix(rest, "]") {
		return nil
	}
	var items []string
	escape := strings.NewReplacer(`\'`, "'", `\"`, `\"`, `"`, `\"`) // what strconv unquotes
	for rest != "" {
		item := listItem.FindStringSubmatch(rest)
		if item == nil {
			return nil
		}
		inner := item[1][1 : len(item[1])-1]
		if unquoted, err := strconv.Unquote(`"` + escape.Replace(inner) + `"`); err == nil {
			inner = unquoted
		}
		items = append(items, inner)
		rest = rest[len(item[0]):]
	}
	return items
}

// namesIn returns the names in a cell.
func namesIn(cell, separator string) []string {
	if separator == "" {
		separator = cellSeparators[0] // no cell of the sample has it
	}
	var names []string
	start, at := 0, 0
	for {
		length := strings.Index(cell[at:], separator)
		if length < 0 {
			return append(names, cell[start:])
		}
		end := at + length
		at = end + len(separator)
		if separator == ";" && endsInEntity(cell[start:end]) {
			continue // "R&amp;D" is one name
		}
		names = append(names, cell[start:end])
		start = at
	}
}

// endsInEntity reports whether text ends in an XML entity without its semicolon: "&amp".
func endsInEntity(text string) bool {
	at := strings.LastIndexByte(text, '&')
	if at < 0 || at == len(text)-1 {
		return false
	}
	return strings.IndexFunc(text[at+1:], func(r rune) bool {
		return r != '#' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) < 0
}

// rowContent is what a row says of its concepts.
type rowContent struct {
	ids       []kb.ConceptID // each is a concept
	concept   kb.Concept     // with the first identifier
	preferred string         // in the column of preferred names; empty if there is none
	use       rowUse
}

// addRow adds the concepts of one row: each of its identifiers is a concept with its
// names. A retired row is counted.
func (t *table) addRow(r row, cols columns, described []Column) error {
	if input.IsRepeatedHeader(r.cells, t.header) || t.isComment(r, cols) {
		return nil
	}
	if bad := t.checkCells(r, cols); bad != nil {
		return t.c.reject(r.line, bad)
	}
	content := t.contentOf(r, cols, described)
	if len(content.ids) == 0 && t.vocabulary != nil { // a block of codes
		t.c.report.NoID++
		return nil
	}
	if bad := t.checkIDs(r, cols, &content); bad != nil {
		return t.c.reject(r.line, bad)
	}
	if content.use == useRow && !t.wantsLanguage(cols.firstCell(r, roleLanguage)) {
		return nil
	}
	content.concept.ID = content.ids[0]
	t.interpret(r, &content)
	switch content.use {
	case useRow:
		t.addConcepts(cols, &content)
	case retiredRow:
		t.retire(r, cols, &content)
	case otherScope:
		t.c.report.OtherScope++
	}
	return nil
}

// isComment reports whether a row is taken out by a # before its id, in a table whose first id has none.
func (t *table) isComment(r row, cols columns) bool {
	return cols.first(roleID) == 0 && strings.HasPrefix(r.cells[0], "#") && len(t.sample) > 0 &&
		!strings.HasPrefix(t.sample[0].cells[0], "#")
}

// checkCells reports what is wrong with the cells of a row before they are read.
func (t *table) checkCells(r row, cols columns) *input.LineError {
	if least := 1 + max(cols.first(roleID), cols.first(roleName)); len(r.cells) < least {
		got := fmt.Sprintf("%d: %s", len(r.cells), input.Quote(strings.Join(r.cells, "\t")))
		return &input.LineError{Want: fmt.Sprintf("at least %d columns", least), Got: got}
	}
	if made := r.checkMade(cols); made != nil {
		return made
	}
	if t.isCutInside(r, cols) {
		want := "quotes around a cell with the delimiter in it"
		got := fmt.Sprintf("%d cells: %s", len(r.cells), input.Quote(strings.Join(r.cells, t.c.report.Delimiter)))
		return &input.LineError{Want: want, Got: got}
	}
	for i, cell := range r.cells[:min(len(r.cells), len(cols))] {
		if (cols[i] == roleID || cols[i].names()) && excelErrors[cell] && !missingValues[cell] {
			return &input.LineError{Want: fmt.Sprintf("a value in column %d", i+1), Got: "the error " + cell}
		}
	}
	if t.floatIDs && floatID.MatchString(strings.TrimSpace(cols.firstCell(r, roleID))) {
		got := fmt.Sprintf("%s, as pandas writes a column of numbers with empty cells: read it as text (dtype=str)",
			cols.firstCell(r, roleID))
		return &input.LineError{Want: "the id as it was", Got: got}
	}
	return nil
}

// isCutInside reports whether a row of a table without tabs has a text cut at a comma or another delimiter, as in
//
//	id,name
//	D1,Fever, river
//
// It has more cells than the header, not as more synonyms at its end, or spaces before later cells alone.
func (t *table) isCutInside(r row, cols columns) bool {
	if _, isCSV := t.rows.(*csvRows); !isCSV || t.vocabulary != nil {
		return false
	}
	known := len(t.header)
	if known == 0 {
		known = min(2, len(cols))
	}
	if len(r.cells) <= known || strings.TrimSpace(strings.Join(r.cells[known:], "")) == "" {
		return false
	}
	last := len(t.header) - 1
	if last >= 0 && (last >= len(cols) || cols[last] != roleSynonyms) {
		return true
	}
	spaced := func(cell string) bool { return strings.HasPrefix(cell, " ") }
	return !spaced(r.cells[1]) && slices.ContainsFunc(r.cells[2:], spaced)
}

// contentOf returns what the cells of a row say.
func (t *table) contentOf(r row, cols columns, described []Column) rowContent {
	concept := kb.Concept{
		AltIDs:  splitIDs(strings.Join(cols.cells(r, roleAltIDs), "|")),
		Xrefs:   slices.DeleteFunc(splitIDs(strings.Join(cols.cells(r, roleXrefs), "|")), isNone[kb.ConceptID]),
		Parents: splitIDs(strings.Join(cols.cells(r, roleParents), "|")),
	}
	for _, cell := range cols.cells(r, roleTypes) {
		for name := range strings.SplitSeq(cell, "|") {
			concept.Types = append(concept.Types, strings.TrimSpace(name))
		}
	}
	content := rowContent{concept: concept, ids: splitIDs(cols.firstCell(r, roleID))}
	for i, cell := range r.cells {
		switch {
		case i < len(cols):
			t.addCell(&content, cols[i], &described[i], cell)
		case i >= len(described) && strings.TrimSpace(cell) != "":
			t.c.report.ExtraCells++
		}
	}
	if name := content.concept.Name; !cols.has(roleID) && name != "" {
		content.ids = []kb.ConceptID{kb.ConceptID(name)} // see chooseColumns
	}
	if by := kb.ConceptID(cols.firstCell(r, roleReplacedBy)); t.vocabulary == nil && by != "" &&
		!missingValues[string(by)] && !isNone(by) && !slices.Contains(content.ids, by) {
		content.use = retiredRow
	}
	if t.vocabulary == nil {
		concept := &content.concept
		for _, list := range []*[]kb.ConceptID{&content.ids, &concept.AltIDs, &concept.Xrefs, &concept.Parents} {
			*list = slices.DeleteFunc(*list, func(id kb.ConceptID) bool { return missingValues[string(id)] })
		}
	}
	return content
}

// addCell adds what a cell says of names, and of whether the row is in use.
func (t *table) addCell(content *rowContent, role role, column *Column, cell string) {
	if role == roleStatus && isRetired(column.Name, cell) {
		content.use = retiredRow
	}
	cell = strings.TrimSpace(cell)
	if !role.names() || cell == "" || t.vocabulary == nil && missingValues[cell] {
		return
	}
	if len(content.ids) > 0 && isUnlabeled(string(content.ids[0]), cell) {
		return
	}
	names := []string{cell}
	switch {
	case column.Separator == listSeparator:
		if items := listIn(cell); items != nil || cell == "[]" {
			names = items
		}
	case t.vocabulary == nil || column.Separator != "":
		names = namesIn(cell, column.Separator)
	}
	concept := &content.concept
	switch role {
	case roleName:
		concept.Name = strings.TrimSpace(names[0])
		concept.Synonyms = append(names[1:], concept.Synonyms...)
	case rolePreferred:
		if content.preferred == "" && !isNone(cell) {
			content.preferred = strings.TrimSpace(names[0])
		}
	case roleSynonyms:
		if cell != "-" {
			concept.Synonyms = append(concept.Synonyms, names...)
		}
	}
}

// checkIDs reports what is wrong with the identifiers of a row.
func (t *table) checkIDs(r row, cols columns, content *rowContent) *input.LineError {
	if len(content.ids) == 0 {
		return r.lacksID(cols)
	}
	concept := &content.concept
	if bad := checkIDs(content.ids, concept.AltIDs, concept.Xrefs, concept.Parents); bad != nil {
		return bad
	}
	if other := t.otherScheme(r, cols, content.ids); other != "" {
		got := fmt.Sprintf("%s of %s", input.Quote(string(content.ids[0])), input.Quote(cols.firstCell(r, roleScheme)))
		return &input.LineError{Want: fmt.Sprintf("ids of one scheme, %s as in rows above", input.Quote(other)),
			Got: got}
	}
	return nil
}

// lacksID returns the error of a row without an identifier.
func (r row) lacksID(cols columns) *input.LineError {
	at := cols.first(roleID)
	if at < 0 {
		at = cols.first(roleName) // the names are ids
	}
	want := fmt.Sprintf("an id in column %d", at+1)
	return &input.LineError{Want: want, Got: input.Quote(strings.Join(r.cells, "\t"))}
}

// interpret reads the other columns of a known vocabulary, and the semantic tags of names in any other table.
func (t *table) interpret(r row, content *rowContent) {
	v := t.vocabulary
	if v == nil {
		addUntagged(content.concept.Name, &content.concept.Synonyms, &content.concept.Types)
		return
	}
	if v.read == nil || content.use != useRow {
		return
	}
	read := content.concept // a copy, since this one goes to the heap
	content.use = v.read(func(column string) string { return t.cell(r, column) }, &read)
	if content.use == useRow {
		t.mark(r, &read)
		content.ids[0] = read.ID
	}
	content.concept = read
}

// retire counts a retired row, and keeps what replaces its concepts.
func (t *table) retire(r row, cols columns, content *rowContent) {
	c := t.c
	c.report.Obsolete++
	c.replace(content.ids[0], content.concept.ID)
	for _, id := range content.ids {
		c.replace(id, kb.ConceptID(cols.firstCell(r, roleReplacedBy)))
	}
	if v := t.vocabulary; v != nil && !v.names {
		c.retire(content.ids...)
	}
}

// addConcepts adds the concepts of a row that is in use.
func (t *table) addConcepts(cols columns, content *rowContent) {
	concept := content.concept
	if concept.Name == "" && cols.has(roleName) {
		t.c.report.EmptyNames++
	}
	if content.preferred != "" {
		concept.Synonyms = append([]string{concept.Name}, concept.Synonyms...)
		concept.Name = content.preferred
	}
	for _, concept.ID = range content.ids {
		if isNone(concept.ID) {
			t.c.report.NoID++
		} else {
			t.c.add(concept)
		}
	}
}

// otherScheme returns the scheme of the rows above with one of the identifiers, if the row is of another one, or "".
func (t *table) otherScheme(r row, cols columns, ids []kb.ConceptID) string {
	scheme := cols.firstCell(r, roleScheme)
	if scheme == "" {
		return ""
	}
	if t.schemes == nil {
		t.schemes = make(map[kb.ConceptID]string)
	}
	for _, id := range ids {
		switch before, known := t.schemes[id]; {
		case !known:
			t.schemes[id] = scheme
			t.c.charge(mapEntrySize, string(id), scheme)
		case before != scheme:
			return before
		}
	}
	return ""
}

// wantsLanguage reports whether names are wanted whose language is this one, as the table has it, and counts them if
// not.
func (t *table) wantsLanguage(language string) bool {
	if t.vocabulary != nil {
		if code, known := t.vocabulary.languages[language]; known {
			language = code
		}
	}
	return language == "" || t.c.wants(language)
}

// cell returns the cell of a row of a known vocabulary in the column with this name, in lower case, or "".
func (t *table) cell(r row, column string) string {
	if i, found := t.at[column]; found && i < len(r.cells) {
		return strings.TrimSpace(r.cells[i])
	}
	return ""
}

// table is an open table, after its comments and a sample of its rows have been read.
type table struct {
	c      *collector
	rows   rowReader
	sample []row
	header []string // from the comments, or nil

	vocabulary *vocabulary             // that is known, or nil
	schemes    map[kb.ConceptID]string // of the identifiers of rows, where a column has them
	at         map[string]int          // of a vocabulary: name of a column, in lower case -> its position

	floatIDs bool // the ids are written as numbers with a fraction of 0: see areFloats

	err error // the error that ended reading, to be returned after the sample
}

// isUnlabeled reports whether a cell is what the label service of Wikidata writes for an item without a label: its
// number.
func isUnlabeled(id, cell string) bool {
	number, isItem := strings.CutPrefix(id, "http://www.wikidata.org/entity/")
	return isItem && number == cell
}

// missingValues are what programs write into a cell of a name or an id that has no value.
var missingValues = map[string]bool{
	"nan": true, "NaN": true, "NULL": true, "null": true, "None": true, "<NA>": true, "#N/A": true, "N/A": true,
	`\N`: true,
}

// floatID is a number of four digits or more that was written as one with a fraction.
var floatID = regexp.MustCompile(`^\d{4,}\.0$`)

// areFloats reports whether all ids of the sample are numbers with a fraction of 0, of which a vocabulary has none.
func areFloats(sample []row, cols columns) bool {
	floats := 0
	for _, r := range sample {
		switch id := strings.TrimSpace(cols.firstCell(r, roleID)); {
		case floatID.MatchString(id):
			floats++
		case id != "" && !missingValues[id]:
			return false
		}
	}
	return floats > 0
}

// endsWithCR reports whether the lines at the start of a file end with CR alone, as those of old Macs.
func endsWithCR(head string) bool {
	return !strings.Contains(head, "\n") && strings.Contains(strings.TrimRight(head, "\r"), "\r")
}

// openTable reads the comments and a sample of the rows. The header of CTD is in the line
// after "# Fields:"; the last comment with an identifier column among its cells counts as
// the header.
func openTable(r *bufio.Reader, c *collector) (*table, error) {
	if head, _ := r.Peek(r.Size()); endsWithCR(string(head)) {
		return nil, errors.New("want lines that end with LF or CRLF, got CR alone")
	}
	t, lines := &table{c: c}, input.NewLines(r, c.opts.Limits)
	var comments []string
	var bytes int64 // of the comments
	for {
		if head, err := r.Peek(1); err != nil || head[0] != '#' {
			break
		}
		comment, err := c.nextLine(lines)
		if err != nil {
			return nil, err
		}
		comments = append(comments, strings.TrimSpace(strings.TrimLeft(comment, "#")))
		bytes += stringSize + int64(len(comment))
		if err := c.opts.Limits.CheckRecord("the comments above the rows", bytes); err != nil {
			return nil, fmt.Errorf("line %d: %w", lines.Number(), err)
		}
	}
	delimiter := input.SeparatorLine(firstLine(r))
	if delimiter != "" {
		if _, err := c.nextLine(lines); err != nil {
			return nil, err
		}
	}
	if c.opts.Delimiter != "" || delimiter == "" {
		var err error
		if delimiter, err = delimiterOf(r, c, comments); err != nil {
			return nil, err
		}
	}
	c.report.Delimiter = delimiter
	if delimiter == "\t" {
		t.rows = &tsvRows{lines: lines}
	} else {
		t.rows = newCSVRows(r, rune(delimiter[0]), lines.Number(), c.opts.Limits)
	}
	for _, comment := range comments {
		cells := strings.Split(comment, delimiter)
		if len(cells) > 1 && (rolesOf(cells).has(roleID) || knownVocabulary(cells, false) != nil) {
			t.header = cells
		}
	}
	t.readSample()
	return t, nil
}

// firstLine returns the line that is next, as far as it is in the buffer of r.
func firstLine(r *bufio.Reader) string {
	head, _ := r.Peek(r.Size())
	line, _, _ := strings.Cut(string(head[:min(len(head), 16)]), "\n")
	return strings.TrimSuffix(line, "\r")
}

// readSample reads the first rows, from which the columns are inferred.
func (t *table) readSample() {
	var bytes int64
	for len(t.sample) < sampleRows && t.err == nil && bytes < t.c.opts.Limits.Record {
		r, err := t.read()
		if err == nil && t.header == nil && len(t.sample) == 0 && len(t.c.report.Errors) > 0 { // the header, perhaps
			err = t.c.report.Errors[0]
		}
		if t.err = err; err == nil {
			t.sample = append(t.sample, r)
			bytes += r.bytes()
		}
	}
}

// delimiterOf returns the delimiter of the cells: the one that the options name, a tab in
// TSV and where the first row or a comment has one, and otherwise the one that the rows
// show.
func delimiterOf(r *bufio.Reader, c *collector, comments []string) (string, error) {
	switch {
	case c.opts.Delimiter != "":
		return c.opts.Delimiter, nil
	case c.report.Format == TSV:
		return "\t", nil
	}
	for _, comment := range comments {
		if delimiter := headerDelimiter(comment); delimiter != "" {
			return delimiter, nil
		}
	}
	head, _ := r.Peek(r.Size())
	if c.report.Format == CTD && strings.Contains(strings.Join(comments, "\n")+firstRow(head), "\t") {
		return "\t", nil
	}
	char, err := sniffDelimiter(head)
	return string(char), err
}

// read returns the next row. Rows that cannot be parsed are malformed rows and skipped.
func (t *table) read() (row, error) {
	for {
		r, err := t.rows.next()
		bad, ok := err.(*input.LineError)
		if !ok {
			return r, err
		}
		t.c.report.Rows++
		if err := t.c.reject(r.line, bad); err != nil {
			return r, err
		}
	}
}

// columns returns the columns of the header, and reports whether there is a header whose
// columns are enough. If the first row is the header, columns removes it from the sample.
func (t *table) columns(enough func(columns) bool) (columns, bool) {
	header := t.header
	if header == nil && len(t.sample) > 0 {
		header = t.sample[0].cells
	}
	cols := rolesOf(header)
	if !enough(cols) {
		return nil, false
	}
	if t.header == nil {
		t.header, t.sample = header, t.sample[1:]
	}
	return cols, true
}

// haveAll returns a function that reports whether columns have all the roles.
func haveAll(roles ...role) func(columns) bool {
	return func(c columns) bool {
		return !slices.ContainsFunc(roles, func(want role) bool { return !c.has(want) })
	}
}

// each calls do for each row.
func (t *table) each(do func(row) error) error {
	charged := func(r row) error {
		t.c.rowBytes = r.bytes()
		if err := do(r); err != nil {
			return err
		}
		if t.c.full != nil {
			return fmt.Errorf("line %d: %w", r.line, t.c.full)
		}
		return nil
	}
	for _, r := range t.sample {
		if err := charged(r); err != nil {
			return err
		}
	}
	for t.err == nil {
		r, err := t.read()
		if err != nil {
			t.err = err
			break
		}
		if err := charged(r); err != nil {
			return err
		}
	}
	if t.err == io.EOF {
		return nil
	}
	return t.err
}
