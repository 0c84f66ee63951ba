package formats

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/text"
)

// linkedRoles are the columns of [RowColumns] from which the links of a table that a [Writer] wrote are read.
var linkedRoles = map[string]string{
	ColumnID: "document", ColumnStart: "start", ColumnEnd: "end", ColumnMention: "text", ColumnType: "type",
	ColumnIDs: "id",
}

// chooseLinked finds the columns of a table that a [Writer] wrote, of which some may have been taken out since, and
// reports whether it is one: it has an identifier for the document and another one for the concept.
func (p *tableParser) chooseLinked() bool {
	for _, name := range []string{"document", "text", "id", "preferred_name"} {
		if !slices.Contains(p.header, name) {
			return false
		}
	}
	for role, name := range linkedRoles {
		if i := slices.Index(p.header, name); i >= 0 {
			p.roles[role] = i
		}
	}
	p.linked = true
	return true
}

// linkedRecord returns the record of a row of a table that a [Writer] wrote: see [Options.Candidates]. A row without a
// mention is a record without a text. A non-empty reason says what is wrong with the row.
func (p *tableParser) linkedRecord(cells []string) (r *Record, reason string) {
	cell := func(role string) string {
		content, _ := p.cell(cells, role)
		if quoted, ok := strings.CutPrefix(content, "'"); ok && isFormula(quoted) { // see [WriterOptions].SpreadsheetSafe
			return quoted
		}
		return content
	}
	doc := &text.Document{ID: cell(ColumnID), Text: cell(ColumnMention)}
	var b builder
	if strings.TrimSpace(doc.Text) != "" {
		m := text.Mention{Span: text.Span{End: len(doc.Text)}, Type: cell(ColumnType)}
		ids := strings.Split(cell(ColumnIDs), "|")
		m.Concepts, m.Composite = conceptIDs(ids), len(ids) > 1
		start, end := strings.TrimSpace(cell(ColumnStart)), strings.TrimSpace(cell(ColumnEnd))
		var a Annotation
		var errStart, errEnd error
		if start != "" {
			a.Start, errStart = strconv.Atoi(start)
		}
		a.End = a.Start + p.unit.count(doc.Text)
		if end != "" {
			a.End, errEnd = strconv.Atoi(end)
		}
		if errStart != nil || errEnd != nil {
			return nil, notOffsets(start, end)
		}
		b.add(m, a)
	}
	return b.record(doc, nil), ""
}
