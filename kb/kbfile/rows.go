package kbfile

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/table"
)

type row = table.Row

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

// dumpEnd ends the rows in the dumps of NCBI, which have a bar between two tabs.
const dumpEnd = "\t|"

// dialectOf returns how a table is split at a delimiter, given its first line, and whether its cells are terms of RDF, as
// in results of SPARQL, whose header has variables such as "?item" alone.
func dialectOf(delimiter, first string) (d table.Dialect, terms bool) {
	switch {
	case delimiter != "\t":
		return table.Dialect{Delimiter: delimiter}, false
	case strings.HasSuffix(first, dumpEnd):
		return table.Dialect{Delimiter: dumpEnd + "\t", Plain: true, End: dumpEnd}, false
	}
	terms = true
	for cell := range strings.SplitSeq(first, "\t") {
		terms = terms && len(cell) > 1 && cell[0] == '?'
	}
	return table.Dialect{Delimiter: delimiter, Plain: terms}, terms
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
