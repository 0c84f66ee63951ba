package table

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// numbersKept is the smallest number whose digits a workbook does not keep: Excel keeps 15 digits, and ECMA-376 stores
// doubles.
const numbersKept = 1e15

var (
	exponent = regexp.MustCompile(`^-?\d(?:\.\d+)?[Ee]\+\d+$`)
	// Dates in workbooks look like 01-08-25, 1/8/2025, 1-Aug-25, 1-Aug, Aug-25, 2025-08-01 or 1/8, with or without a time.
	date = regexp.MustCompile(`^(?i:\d{1,2}[-/. ](?:[a-z]{3,9}|\d{1,2})[-/. ]\d{2,4}|\d{1,2}[-/ ][a-z]{3,9}|` +
		`[a-z]{3,9}[-/ ]\d{2,4}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}/\d{1,2})(?:[ T]\d{1,2}:\d{2}.*)?$`)
)

// lastDate is the serial number of 9999-12-31, the last day that a workbook can show.
const lastDate = 2958465

// isNumeric reports whether the stored content of a cell is a number, or text that looks like one.
func isNumeric(stored string) bool {
	if stored == "" || stored[0] > '9' {
		return false
	}
	_, err := strconv.ParseFloat(stored, 64)
	return err == nil
}

// cellText returns the text of a cell, given the content that the workbook stores and the content that it shows. If
// Excel changed what the user typed, changed describes the result.
func cellText(stored, shown string) (text, changed string) {
	value, err := strconv.ParseFloat(stored, 64)
	switch {
	case err != nil || stored == shown:
		return shown, ""
	case exponent.MatchString(shown) && value == math.Trunc(value):
		text = strconv.FormatFloat(value, 'f', 0, 64)
		if math.Abs(value) >= 1e15 || len(strings.TrimRight(text, "0")) <= maxMantissa { // "1E50" and "1E10" are codes
			return shown, "the number " + shown
		}
		return text, ""
	case quantity.MatchString(shown) && !date.MatchString(shown):
		return shown, fmt.Sprintf("the number %s, shown as %s", stored, shown)
	case value > 0 && value <= lastDate && date.MatchString(shown):
		return shown, "the date " + shown
	}
	return shown, ""
}

// maxMantissa is the maximum number of digits before the E in a code that looks like a number with an exponent.
const maxMantissa = 2

// quantity matches the shown form of a number that is a time, a fraction, a percentage or an amount of money.
var quantity = regexp.MustCompile(`^[$€£¥]|\d[:/]\d|%$|[€£¥]$`)

// cell is the position of a cell: its row, from 1, and its column, from 0.
type cell struct{ row, column int }

// mergedColumn describes merged cells in a column, from 0, down to the row last, from 1.
type mergedColumn struct{ column, last int }

// sheetPart returns the part of a workbook that contains the sheet with this name, or nil.
func sheetPart(archive *zip.Reader, name string) *zip.File {
	var workbook struct {
		Sheets []struct {
			Name string `xml:"name,attr"`
			ID   string `xml:"id,attr"`
		} `xml:"sheets>sheet"`
	}
	var relations struct {
		Relations []struct {
			ID     string `xml:"Id,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	if decodePart(archive, "xl/workbook.xml", &workbook) != nil ||
		decodePart(archive, "xl/_rels/workbook.xml.rels", &relations) != nil {
		return nil
	}
	for _, sheet := range workbook.Sheets {
		for _, r := range relations.Relations {
			if sheet.Name != name || sheet.ID != r.ID {
				continue
			}
			if !strings.HasPrefix(r.Target, "/") {
				r.Target = "/" + path.Join("xl", r.Target)
			}
			return partOf(archive, r.Target[1:])
		}
	}
	return nil
}

// partOf returns the part of an archive with this name, or nil. It ignores case (ECMA-376-2, section 9.1).
func partOf(archive *zip.Reader, name string) *zip.File {
	for _, part := range archive.File {
		if strings.EqualFold(part.Name, name) {
			return part
		}
	}
	return nil
}

// decodePart decodes an XML part.
func decodePart(archive *zip.Reader, name string, v any) error {
	part := partOf(archive, name)
	if part == nil {
		return fmt.Errorf("no part %s", name)
	}
	return readPart(part, func(content io.Reader) error { return xml.NewDecoder(content).Decode(v) })
}

// scanned holds data about the cells of a sheet that excelize does not provide.
type scanned struct {
	merged   map[int][]mergedColumn // first row -> cells that are merged with others below them
	long     map[cell]bool          // numbers whose digits Excel has not all kept
	blank    map[int][]int          // row -> columns of formulas that were never calculated
	lastText map[int]int            // column, from 0 -> the last row, from 1, whose cell is not a number
}

// scanSheet reads the data in [scanned] from a sheet.
func scanSheet(part io.Reader) (found scanned, err error) {
	found = scanned{make(map[int][]mergedColumn), make(map[cell]bool), make(map[int][]int), make(map[int]int)}
	decoder := xml.NewDecoder(part)
	for err == nil {
		var token xml.Token
		token, err = decoder.Token()
		switch start, _ := token.(xml.StartElement); start.Name.Local {
		case "c":
			err = found.cell(decoder, &start)
		case "mergeCell":
			err = found.merge(decoder, &start)
		}
	}
	if err == io.EOF {
		err = nil
	}
	return found, err
}

// cell reads a cell.
func (s *scanned) cell(decoder *xml.Decoder, start *xml.StartElement) error {
	var c struct {
		Name    string  `xml:"r,attr"`
		Type    string  `xml:"t,attr"`
		Value   *string `xml:"v"`
		Formula *string `xml:"f"`
	}
	if err := decoder.DecodeElement(&c, start); err != nil || c.Name == "" {
		return err
	}
	at, err := cellOf(c.Name)
	isText, value := c.Type != "" && c.Type != "n", ""
	if c.Value != nil {
		value = *c.Value
	}
	if isText {
		s.lastText[at.column] = max(s.lastText[at.column], at.row)
	}
	if c.Formula != nil && value == "" && (c.Value == nil || !isText) {
		s.blank[at.row] = append(s.blank[at.row], at.column)
	}
	if n, notNumber := strconv.ParseFloat(value, 64); !isText && notNumber == nil && math.Abs(n) >= numbersKept {
		s.long[at] = true
	}
	return err
}

// merge reads a range of merged cells.
func (s *scanned) merge(decoder *xml.Decoder, start *xml.StartElement) error {
	var merged struct {
		Cells string `xml:"ref,attr"`
	}
	if err := decoder.DecodeElement(&merged, start); err != nil {
		return err
	}
	from, to, isRange := strings.Cut(merged.Cells, ":")
	if !isRange {
		return nil
	}
	first, err := cellOf(from)
	if err != nil {
		return err
	}
	last, err := cellOf(to)
	if last.row > first.row {
		s.merged[first.row] = append(s.merged[first.row], mergedColumn{first.column, last.row})
	}
	return err
}

// cellOf returns the position of the cell with a name such as "B2".
func cellOf(name string) (cell, error) {
	column, row, err := excelize.CellNameToCoordinates(name)
	return cell{row, column - 1}, err
}
