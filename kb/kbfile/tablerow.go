package kbfile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// rowContent is what a row says of its concepts.
type rowContent struct {
	ids       []kb.ConceptID // each is a concept
	concept   kb.Concept     // with the first identifier
	preferred string         // in the column of preferred names; empty if there is none
	use       rowUse
}

// addRow adds the concepts of one row: each of its identifiers is a concept with its
// names. A retired row is counted.
func (t *tableFile) addRow(r row, cols columns) error {
	if bad := t.checkCells(r, cols); bad != nil {
		return t.c.reject(r.Line, bad)
	}
	if t.plain && !t.wantsLanguage(cols.firstCell(r, roleLanguage)) { // as most rows of UMLS
		return nil
	}
	content := t.contentOf(r, cols)
	if len(content.ids) == 0 && t.vocabulary != nil { // a block of codes
		t.c.report.Counts[rowsWithoutID]++
		return nil
	}
	if bad := t.checkIDs(r, cols, &content); bad != nil {
		return t.c.reject(r.Line, bad)
	}
	if !t.plain && content.use == useRow && !t.wantsLanguage(cols.firstCell(r, roleLanguage)) {
		return nil
	}
	content.concept.ID = content.ids[0]
	t.interpret(r, &content)
	switch content.use {
	case useRow:
		t.addConcepts(r, cols, &content)
	case retiredRow:
		t.retire(r, cols, &content)
	case otherScope:
		t.c.report.Counts[otherNames]++
	}
	return nil
}

// checkCells reports what is wrong with the cells of a row before they are read.
func (t *tableFile) checkCells(r row, cols columns) *input.LineError {
	least := 1 + max(cols.first(roleID), cols.first(roleName))
	if t.vocabulary != nil && t.vocabulary.format != "" {
		least = len(t.header)
	}
	if len(r.Cells) < least {
		got := fmt.Sprintf("%d: %s", len(r.Cells), input.Quote(strings.Join(r.Cells, "\t")))
		return &input.LineError{Want: fmt.Sprintf("at least %d columns", least), Got: got}
	}
	if t.plain { // which no spreadsheet has written
		return nil
	}
	if made := checkMade(r, cols); made != nil {
		return made
	}
	if t.isCutInside(r, cols) {
		want := "quotes around a cell with the delimiter in it"
		got := fmt.Sprintf("%d cells: %s", len(r.Cells), input.Quote(strings.Join(r.Cells, t.c.report.Delimiter)))
		return &input.LineError{Want: want, Got: got}
	}
	for i, cell := range r.Cells[:min(len(r.Cells), len(cols))] {
		isMissing := missingValues[cell] && t.c.report.Sheet == ""
		if (cols[i] == roleID || cols[i].names()) && excelErrors[cell] && !isMissing {
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
func (t *tableFile) isCutInside(r row, cols columns) bool {
	if delimiter := t.c.report.Delimiter; delimiter == "" || delimiter == "\t" || t.vocabulary != nil {
		return false
	}
	known := len(t.header)
	if known == 0 {
		known = min(2, len(cols))
	}
	if len(r.Cells) <= known || strings.TrimSpace(strings.Join(r.Cells[known:], "")) == "" {
		return false
	}
	last := len(t.header) - 1
	if last >= 0 && (last >= len(cols) || cols[last] != roleSynonyms) {
		return true
	}
	spaced := func(cell string) bool { return strings.HasPrefix(cell, " ") }
	return !spaced(r.Cells[1]) && slices.ContainsFunc(r.Cells[2:], spaced)
}

// contentOf returns what the cells of a row say.
func (t *tableFile) contentOf(r row, cols columns) rowContent {
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
	for i, cell := range r.Cells {
		switch {
		case i < len(cols):
			t.addCell(&content, i, cell)
		case !t.plain && i >= len(t.described) && strings.TrimSpace(cell) != "":
			t.c.report.Counts[extraCells]++
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
func (t *tableFile) addCell(content *rowContent, at int, cell string) {
	role, separator := t.cols[at], t.described[at].Separator
	if role == roleStatus && isRetired(t.states[at], cell, t.last) {
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
	case separator == listSeparator:
		if items := listIn(cell); items != nil || cell == "[]" || cell == "{}" {
			names = items
		}
	case t.vocabulary == nil || separator != "":
		names = namesIn(cell, separator)
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
func (t *tableFile) checkIDs(r row, cols columns, content *rowContent) *input.LineError {
	if len(content.ids) == 0 {
		return lacksID(r, cols)
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
func lacksID(r row, cols columns) *input.LineError {
	at := cols.first(roleID)
	if at < 0 {
		at = cols.first(roleName) // the names are ids
	}
	want := fmt.Sprintf("an id in column %d", at+1)
	return &input.LineError{Want: want, Got: input.Quote(strings.Join(r.Cells, "\t"))}
}

// interpret reads the other columns of a known vocabulary.
func (t *tableFile) interpret(r row, content *rowContent) {
	v := t.vocabulary
	if v == nil || content.use != useRow {
		return
	}
	read := content.concept // a copy, since this one goes to the heap
	content.use = v.use(func(column string) string { return t.cell(r, column) }, &read)
	if content.use == useRow {
		t.mark(r, &read)
		if _, has := t.at[v.target.column]; has && !v.target.isMet(func(column string) string { return t.cell(r, column) }) {
			t.c.charge(idCost)
			t.c.report.Sources[kb.ConceptID(strings.Clone(string(read.ID)))] = true
		}
		content.ids[0] = read.ID
	}
	content.concept = read
}

// retire counts a retired row, and keeps what replaces its concepts.
func (t *tableFile) retire(r row, cols columns, content *rowContent) {
	c := t.c
	c.report.Counts[obsoleteTerms]++
	c.replace(content.ids[0], content.concept.ID)
	for _, id := range content.ids {
		c.replace(id, kb.ConceptID(cols.firstCell(r, roleReplacedBy)))
	}
	if v := t.vocabulary; v != nil && !v.names {
		c.retire(content.ids...)
	}
}

// addConcepts adds the concepts of a row that is in use.
func (t *tableFile) addConcepts(r row, cols columns, content *rowContent) {
	concept := content.concept
	if t.plain { // of which the rest is not kept
		concept.Name = strings.Clone(concept.Name)
		copyTexts(concept.Synonyms)
		copyTexts(concept.Types)
		copyTexts(content.ids)
		copyTexts(concept.Parents)
	}
	if concept.Name == "" && cols.has(roleName) {
		t.c.report.Counts[emptyNames]++
	}
	if t.marked && !isMarked(r, cols) && concept.Name != "" {
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
		if t.c.edgesOnly {
			for _, number := range splitIDs(cols.firstCell(r, roleTreeNumbers)) {
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

// markCells are what cells have, in lower case, that mark the preferred name of a concept: "yes", or the kinds of names
// of UMLS and MeSH.
var markCells = []string{"1", "true", "t", "yes", "y", "p", "pt", "pn", "mh", "preferred", "preferred term", "primary"}

// isMarked reports whether a row has the preferred name of its concept, by a column that says so.
func isMarked(r row, cols columns) bool {
	return slices.Contains(markCells, strings.ToLower(cols.firstCell(r, roleMark)))
}

// otherScheme returns the scheme of the rows above with one of the identifiers, if the row is of another one, or "".
func (t *tableFile) otherScheme(r row, cols columns, ids []kb.ConceptID) string {
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
		case before != scheme:
			return before
		}
	}
	return ""
}

// wantsLanguage reports whether names are wanted whose language is this one, as the table has it, and counts them if
// not.
func (t *tableFile) wantsLanguage(language string) bool {
	if t.vocabulary != nil {
		if code, known := t.vocabulary.languages[language]; known {
			language = code
		}
	}
	return language == "" || t.c.wants(language)
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

// excelErrors are what a cell shows whose formula failed.
var excelErrors = map[string]bool{
	"#N/A": true, "#REF!": true, "#NAME?": true, "#VALUE!": true, "#DIV/0!": true, "#NULL!": true, "#NUM!": true,
}

// spreadsheetDate and spreadsheetNumber are what spreadsheets write to a text file in place of the identifiers 1-8 and
// 900000000000207008, say.
var (
	spreadsheetDate   = regexp.MustCompile(`^\d{1,2}-(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:-\d{2,4})?$`)
	spreadsheetNumber = regexp.MustCompile(`^\d(?:\.\d+)?E\+\d{2,}$`)
)

// madeOf returns what a spreadsheet made of a cell with a name or an identifier, or "".
func madeOf(r row, column int, isID bool) string {
	if changed := r.Changed[column]; changed != "" {
		return changed
	}
	switch cell := r.Cells[column]; {
	case len(cell) < 5 || cell[0] < '0' || cell[0] > '9':
	case spreadsheetDate.MatchString(cell):
		return "the date " + cell
	case isID && spreadsheetNumber.MatchString(cell):
		return fmt.Sprintf("the number %s, of which a spreadsheet keeps 15 digits", cell)
	}
	return ""
}

// checkMade returns the error for the first cell with a name or an identifier that a spreadsheet has changed, or nil.
func checkMade(r row, cols columns) *input.LineError {
	for i := range min(len(cols), len(r.Cells)) {
		isID := cols[i] == roleID || cols[i] == roleAltIDs || cols[i] == roleXrefs || cols[i] == roleParents
		if !isID && !cols[i].names() {
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

// literal is a string of RDF with its language or type, as in https://www.w3.org/TR/sparql11-results-csv-tsv/.
var literal = regexp.MustCompile(`^"(.*)"(?:@[A-Za-z0-9-]+|\^\^<[^>]*>)?$`)

// literalEscapes are the escapes in strings of RDF.
var literalEscapes = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\t`, " ", `\n`, " ", `\r`, " ")

// termText returns the text of a term of RDF, an IRI in angle brackets or a literal, or of a variable.
func termText(cell string) string {
	switch parts := literal.FindStringSubmatch(cell); {
	case parts != nil:
		return literalEscapes.Replace(parts[1])
	case strings.HasPrefix(cell, "<") && strings.HasSuffix(cell, ">"):
		return cell[1 : len(cell)-1]
	}
	return strings.TrimPrefix(cell, "?")
}
