package kbfile

import (
	"encoding/csv"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// separator returns the separator of several names in the cells of a column, or "". A cell of synonyms is a list, or
// has bars; if no cell of the sample has one, the separator is a semicolon (with or without a space), a line break or
// an ideographic comma. A column called names has bars. Cells of other columns have one name unless the options say
// otherwise. sorted is the sorted header.
func (t *tableFile) separator(column int, role role, sorted []string) string {
	if chosen := t.c.opts.Separator; chosen != "" && role.names() {
		return chosen
	}
	if role != roleSynonyms {
		objects, ok := t.rows.(*objectRows)
		isList := ok && objects.lists[column] || column < len(t.header) && inList("several names", t.header[column])
		if t.vocabulary == nil && role.names() && isList {
			return cellSeparators[0]
		}
		return ""
	}
	if t.vocabulary != nil {
		return t.vocabulary.separator
	}
	if column < len(t.header) && isQueryVariable(strings.TrimSuffix(t.header[column], "AltLabel"), sorted) {
		return ", "
	}
	for _, r := range t.sample {
		if column < len(r.Cells) && listIn(r.Cells[column]) != nil {
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

// cellSeparators are the possible separators of names in a cell, the most reliable first.
var cellSeparators = []string{"|", ";", "；", "\n", "、", " /// ", " // ", " • "}

// listSeparator stands, in a report, for cells that are lists in the notation of JSON or Python.
const listSeparator = `["…", "…"]`

// listItem matches an item of such a list, in either kind of quotes, and the comma or bracket after it.
var listItem = regexp.MustCompile(`^\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*[,\]]`)

// listIn returns the items of a cell that is a list of strings or a PostgreSQL array ({RF,"river fever"}), or nil.
func listIn(cell string) []string {
	cell = strings.TrimSpace(cell)
	if array, isArray := strings.CutPrefix(cell, "{"); isArray && strings.HasSuffix(array, "}") {
		items, err := csv.NewReader(strings.NewReader(strings.TrimSuffix(array, "}"))).Read()
		if err != nil {
			return nil
		}
		return items
	}
	rest, isList := strings.CutPrefix(cell, "[")
	if !isList || !strings.HasSuffix(rest, "]") {
		return nil
	}
	var items []string
	escape := strings.NewReplacer(`\'`, "'", `\"`, `\"`, `"`, `\"`) // to the form that strconv unquotes
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
