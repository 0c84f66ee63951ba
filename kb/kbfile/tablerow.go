package kbfile

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// rowContent is a row with the concept read from it.
type rowContent struct {
	row
	kb.Concept                // ID is the first identifier, or the replacement of a retired concept
	ids        []kb.ConceptID // each of them is a concept
	preferred  string         // in the column of preferred names; empty if there is none
	use        rowUse
	table      *tableFile
}

// cell returns the cell in a known vocabulary's column, named in lower case, or "".
func (r *rowContent) cell(column string) string {
	if i, found := r.table.at[column]; found && i < len(r.Cells) {
		return strings.TrimSpace(r.Cells[i])
	}
	return ""
}

// addRow adds the concepts of a row: each of its identifiers is a concept with all its names. A retired row is only
// counted.
func (t *tableFile) addRow(r row) error {
	if bad := t.checkCells(r); bad != nil {
		return t.c.reject(r.Line, bad)
	}
	if t.plain && !t.wantsLanguage(t.cols.firstCell(r, roleLanguage)) { // most rows of UMLS
		return nil
	}
	content := t.contentOf(r)
	if len(content.ids) == 0 && t.vocabulary != nil { // a block of codes
		t.c.report.Counts[rowsWithoutID]++
		return nil
	}
	if bad := t.checkIDs(content); bad != nil {
		return t.c.reject(r.Line, bad)
	}
	if !t.plain && content.use == useRow && !t.wantsLanguage(t.cols.firstCell(r, roleLanguage)) {
		return nil
	}
	content.ID = content.ids[0]
	if t.vocabulary != nil && content.use == useRow {
		t.vocabulary.complete(content)
	}
	switch content.use {
	case useRow:
		t.addConcepts(content)
	case retiredRow:
		t.retire(content)
	case otherScope:
		t.c.report.Counts[otherNames]++
	}
	return nil
}

// checkCells returns an error for malformed cells of a row, before they are interpreted.
func (t *tableFile) checkCells(r row) *input.LineError {
	least := 1 + max(t.cols.first(roleID), t.cols.first(roleName))
	if t.vocabulary != nil && t.vocabulary.format != "" {
		least = len(t.header)
	}
	if len(r.Cells) < least {
		got := fmt.Sprintf("%d: %s", len(r.Cells), input.Quote(strings.Join(r.Cells, "\t")))
		return &input.LineError{Want: fmt.Sprintf("at least %d columns", least), Got: got}
	}
	if t.plain { // not from a spreadsheet
		return nil
	}
	if made := t.cols.checkMade(r); made != nil {
		return made
	}
	if t.isCutInside(r) {
		want := "quotes around a cell with the delimiter in it"
		got := fmt.Sprintf("%d cells: %s", len(r.Cells), input.Quote(strings.Join(r.Cells, t.c.report.Delimiter)))
		return &input.LineError{Want: want, Got: got}
	}
	for i, cell := range r.Cells[:min(len(r.Cells), len(t.cols))] {
		isMissing := missingValues[cell] && t.c.report.Sheet == ""
		if (t.cols[i] == roleID || t.cols[i].names()) && excelErrors[cell] && !isMissing {
			return &input.LineError{Want: fmt.Sprintf("a value in column %d", i+1), Got: "the error " + cell}
		}
	}
	if t.floatIDs && floatID.MatchString(strings.TrimSpace(t.cols.firstCell(r, roleID))) {
		got := fmt.Sprintf("%s, as pandas writes a column of numbers with empty cells: read it as text (dtype=str)",
			t.cols.firstCell(r, roleID))
		return &input.LineError{Want: "the id as it was", Got: got}
	}
	return nil
}

// isCutInside reports whether a row of a table without tabs has a text that was cut at its delimiter, as in
//
//	id,name
//	D1,Fever, river
//
// It has more cells than the header. If these may be synonyms, a later cell must begin with a space.
func (t *tableFile) isCutInside(r row) bool {
	if delimiter := t.c.report.Delimiter; delimiter == "" || delimiter == "\t" || t.vocabulary != nil {
		return false
	}
	known := len(t.header)
	if known == 0 {
		known = min(2, len(t.cols))
	}
	if len(r.Cells) <= known || strings.TrimSpace(strings.Join(r.Cells[known:], "")) == "" {
		return false
	}
	last := len(t.header) - 1
	if len(t.cols) == 1 || last >= 0 && (last >= len(t.cols) || t.cols[last] != roleSynonyms) {
		return true
	}
	spaced := func(cell string) bool { return strings.HasPrefix(cell, " ") }
	return !spaced(r.Cells[1]) && slices.ContainsFunc(r.Cells[2:], spaced)
}

// contentOf interprets the cells of a row.
func (t *tableFile) contentOf(r row) *rowContent {
	content := &rowContent{row: r, ids: t.idsIn(t.cols.firstCell(r, roleID)), table: t}
	for i, cell := range r.Cells {
		switch cell = strings.TrimSpace(cell); {
		case i < len(t.cols):
			t.addCell(content, i, cell)
		case !t.plain && i >= len(t.described) && cell != "":
			t.c.report.Counts[extraCells]++
		}
	}
	if !t.cols.has(roleID) && content.Name != "" {
		content.ids = []kb.ConceptID{t.idOf(content.Name)} // see chooseColumns
	}
	by := t.cols.firstCell(r, roleReplacedBy)
	if t.vocabulary == nil && by != "" && !missingValues[by] && !isNone(by) && !slices.Contains(content.ids, kb.ConceptID(by)) {
		content.use = retiredRow
	}
	return content
}

// idsIn returns the identifiers in a cell.
func (t *tableFile) idsIn(cell string) []kb.ConceptID {
	return slices.DeleteFunc(splitIDs(cell), func(id kb.ConceptID) bool { return t.vocabulary == nil && missingValues[string(id)] })
}

// addCell interprets a cell with names, other identifiers, or the state of the row.
func (t *tableFile) addCell(content *rowContent, at int, cell string) {
	switch role := t.cols[at]; role {
	case roleStatus:
		if isRetired(t.states[at], cell, t.last) {
			content.use = retiredRow
		}
	case roleAltIDs:
		content.AltIDs = append(content.AltIDs, t.idsIn(cell)...)
	case roleXrefs:
		content.Xrefs = append(content.Xrefs, slices.DeleteFunc(t.idsIn(cell), isNone[kb.ConceptID])...)
	case roleParents:
		content.Parents = append(content.Parents, t.idsIn(cell)...)
	case roleTypes:
		for name := range strings.SplitSeq(cell, "|") {
			content.Types = append(content.Types, strings.TrimSpace(name))
		}
	case roleName, rolePreferred, roleSynonyms:
		t.addNames(content, at, cell)
	}
}

// addNames adds the names in a cell.
func (t *tableFile) addNames(content *rowContent, at int, cell string) {
	if !t.cols.has(roleID) { // a list item
		cell = strings.TrimPrefix(cell, "- ")
	}
	if cell == "" || t.vocabulary == nil && missingValues[cell] ||
		len(content.ids) > 0 && string(content.ids[0]) == "http://www.wikidata.org/entity/"+cell { // an item without a label
		return
	}
	names, separator := []string{cell}, t.described[at].Separator
	switch {
	case separator == listSeparator:
		if items := listIn(cell); items != nil || cell == "[]" || cell == "{}" {
			names = items
		}
	case separator != "" || t.vocabulary == nil && t.cols[at] == roleSynonyms: // no cell of the sample has a separator
		names = namesIn(cell, cmp.Or(separator, cellSeparators[0]))
	}
	switch t.cols[at] {
	case roleName:
		content.Name = strings.TrimSpace(names[0])
		content.Synonyms = append(names[1:], content.Synonyms...)
	case rolePreferred:
		if content.preferred == "" && !isNone(cell) {
			content.preferred = strings.TrimSpace(names[0])
		}
	case roleSynonyms:
		if cell != "-" {
			content.Synonyms = append(content.Synonyms, names...)
		}
	}
}

// checkIDs returns an error for malformed identifiers of a row.
func (t *tableFile) checkIDs(content *rowContent) *input.LineError {
	if len(content.ids) == 0 {
		at := cmp.Or(t.cols.first(roleID)+1, t.cols.first(roleName)+1) // names may be ids
		return &input.LineError{Want: fmt.Sprintf("an id in column %d", at), Got: input.Quote(strings.Join(content.Cells, "\t"))}
	}
	if bad := checkIDs(content.ids, content.AltIDs, content.Xrefs, content.Parents); bad != nil {
		return bad
	}
	scheme := t.cols.firstCell(content.row, roleScheme)
	if scheme == "" {
		return nil
	}
	for _, id := range content.ids {
		if other, isOther := t.c.otherScheme(id, scheme); isOther {
			return &input.LineError{Want: fmt.Sprintf("ids of one scheme, %s as in rows above", input.Quote(other)),
				Got: fmt.Sprintf("%s of %s", input.Quote(string(id)), input.Quote(scheme))}
		}
	}
	return nil
}

// retire counts a retired row, and records the replacements of its concepts.
func (t *tableFile) retire(content *rowContent) {
	c := t.c
	c.report.Counts[obsoleteTerms]++
	c.replace(content.ids[0], content.ID)
	for _, id := range content.ids {
		c.replace(id, kb.ConceptID(t.cols.firstCell(content.row, roleReplacedBy)))
	}
	if v := t.vocabulary; v != nil && !v.names {
		c.retire(content.ids...)
	}
}

// addConcepts adds the concepts of a row that is in use.
func (t *tableFile) addConcepts(content *rowContent) {
	concept := content.Concept
	if v := t.vocabulary; v != nil {
		content.ids[0] = concept.ID
		t.mark(content, &concept)
		target := v.conditions["target"]
		if _, has := t.at[target.column]; has && !target.isMet(content.cell) {
			t.c.charge(idCost)
			t.c.report.Sources[kb.ConceptID(strings.Clone(string(concept.ID)))] = true
		}
	}
	if t.plain { // the rest of the row is not kept
		concept.Name = strings.Clone(concept.Name)
		copyTexts(concept.Synonyms)
		copyTexts(concept.Types)
		copyTexts(content.ids)
		copyTexts(concept.Parents)
	}
	if concept.Name == "" && t.cols.has(roleName) {
		t.c.report.Counts[emptyNames]++
	}
	if t.marked && !t.cols.isMarked(content.row) && concept.Name != "" {
		concept.Name, concept.Synonyms = "", append([]string{concept.Name}, concept.Synonyms...)
	}
	if content.preferred != "" {
		concept.Synonyms = append([]string{concept.Name}, concept.Synonyms...)
		concept.Name = content.preferred
	}
	for _, concept.ID = range content.ids {
		if isNone(concept.ID) {
			t.c.report.Counts[rowsWithoutID]++
			continue
		}
		t.c.add(concept)
		if t.c.opts.edgesOnly {
			for _, number := range splitIDs(t.cols.firstCell(content.row, roleTreeNumbers)) {
				t.c.positions = append(t.c.positions, treePosition{concept.ID, string(number)})
			}
		}
	}
}

func copyTexts[T ~string](texts []T) {
	for i, text := range texts {
		texts[i] = T(strings.Clone(string(text)))
	}
}

// markCells are the values, in lower case, that mark the preferred name of a concept: "yes" and the like, or name types
// of UMLS and MeSH.
var markCells = []string{"1", "true", "t", "yes", "y", "p", "pt", "pn", "mh", "preferred", "preferred term", "primary"}

// isMarked reports whether a column marks the row's name as the preferred name of its concept.
func (c columns) isMarked(r row) bool {
	return slices.Contains(markCells, strings.ToLower(c.firstCell(r, roleMark)))
}

// wantsLanguage reports whether names in this language, in the table's notation, are wanted. If not, it counts the
// name.
func (t *tableFile) wantsLanguage(language string) bool {
	if t.vocabulary != nil {
		if code, known := t.vocabulary.languages[language]; known {
			language = code
		}
	}
	return language == "" || t.c.wants(language)
}

// missingValues are values that programs write for a missing name or id.
var missingValues = map[string]bool{
	"nan": true, "NaN": true, "NULL": true, "null": true, "None": true, "<NA>": true, "#N/A": true, "N/A": true,
	`\N`: true,
}

// excelErrors are the values that Excel shows if a formula fails.
var excelErrors = map[string]bool{
	"#N/A": true, "#REF!": true, "#NAME?": true, "#VALUE!": true, "#DIV/0!": true, "#NULL!": true, "#NUM!": true,
}

// spreadsheetDate and spreadsheetNumber match what spreadsheets make, in text files, of identifiers such as 1-8 and
// 900000000000207008.
var (
	spreadsheetDate   = regexp.MustCompile(`^\d{1,2}-(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:-\d{2,4})?$`)
	spreadsheetNumber = regexp.MustCompile(`^\d(?:\.\d+)?E\+\d{2,}$`)
)

// madeOf describes what a spreadsheet turned a name or identifier into, or returns "" if it is unchanged.
func madeOf(r row, column int, isID bool) string {
	if changed := r.Changed[column]; changed != "" {
		return changed
	}
	switch cell := r.Cells[column]; {
	case len(cell) < 5 || cell[0] < '0' || cell[0] > '9':
	case spreadsheetDate.MatchString(cell):
		return "the date " + cell
	case isID && spreadsheetNumber.MatchString(cell):
		return fmt.Sprintf("the number %s, and spreadsheets keep only 15 digits", cell)
	}
	return ""
}

// checkMade returns the error for the first name or identifier that a spreadsheet has changed, or nil.
func (c columns) checkMade(r row) *input.LineError {
	for i := range min(len(c), len(r.Cells)) {
		isID := c[i] == roleID || c[i] == roleAltIDs || c[i] == roleXrefs || c[i] == roleParents
		if !isID && !c[i].names() {
			continue
		}
		if made := madeOf(r, i, isID); made != "" {
			want := "what was typed"
			if i < 26 {
				want = fmt.Sprintf("what was typed in cell %c%d", 'A'+i, r.Line)
			}
			return &input.LineError{Want: want, Got: made + ": format the column as text, and type it again"}
		}
	}
	return nil
}

// literal matches an RDF string with its language or type, as in https://www.w3.org/TR/sparql11-results-csv-tsv/.
var literal = regexp.MustCompile(`^"(.*)"(?:@[A-Za-z0-9-]+|\^\^<[^>]*>)?$`)

// literalEscapes decodes the escapes in RDF strings.
var literalEscapes = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\t`, " ", `\n`, " ", `\r`, " ")

// termText returns the text of an RDF term (an IRI in angle brackets or a literal), or the name of a variable.
func termText(cell string) string {
	switch parts := literal.FindStringSubmatch(cell); {
	case parts != nil:
		return literalEscapes.Replace(parts[1])
	case strings.HasPrefix(cell, "<") && strings.HasSuffix(cell, ">"):
		return cell[1 : len(cell)-1]
	}
	return strings.TrimPrefix(cell, "?")
}
