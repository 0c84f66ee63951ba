package xlsx

import (
	"archive/zip"
	"bufio"
	"bytes"
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

// numbersKept is the least number of which a workbook does not keep all digits: Excel keeps 15, and ECMA-376 stores
// doubles.
const numbersKept = 1e15

var (
	exponent = regexp.MustCompile(`^-?\d(?:\.\d+)?[Ee]\+\d+$`)
	// Dates as workbooks show them: 01-08-25, 1/8/2025, 1-Aug-25; 1-Aug; Aug-25; 2025-08-01; 1/8; with a time or
	// without.
	date = regexp.MustCompile(`^(?i:\d{1,2}[-/. ](?:[a-z]{3,9}|\d{1,2})[-/. ]\d{2,4}|\d{1,2}[-/ ][a-z]{3,9}|` +
		`[a-z]{3,9}[-/ ]\d{2,4}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}/\d{1,2})(?:[ T]\d{1,2}:\d{2}.*)?$`)
)

// lastDate is the number of the day 9999-12-31, the last that a workbook can show.
const lastDate = 2958465

// isNumeric reports whether the content of a cell as it is stored is a number, or a text that looks like one.
func isNumeric(stored string) bool {
	if stored == "" || stored[0] > '9' {
		return false
	}
	_, err := strconv.ParseFloat(stored, 64)
	return err == nil
}

// cellText returns the text of a cell, given what the workbook stores and what it shows of it, and what Excel made of
// what was typed, or "".
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

// maxMantissa is the number of digits of a code like a number with an exponent, before the E.
const maxMantissa = 2

// quantity is what is shown of a number that is a time, a fraction, a percentage or an amount.
var quantity = regexp.MustCompile(`^[$€£¥]|\d[:/]\d|%$|[€£¥]$`)

// cell is the place of a cell: its row, from 1, and its column, from 0.
type cell struct{ row, column int }

// mergedColumn is the cells of a column that are merged with each other.
type mergedColumn struct {
	column      int // from 0
	first, last int // rows, from 1
}

// sheetPart returns the part of a workbook with the sheet of this name, or nil.
func sheetPart(archive *zip.Reader, name string) *zip.File {
	var workbook struct {
		Sheets []struct {
			Name string     `xml:"name,attr"`
			IDs  []xml.Attr `xml:",any,attr"`
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
		if sheet.Name != name {
			continue
		}
		for _, attr := range sheet.IDs {
			for _, r := range relations.Relations {
				if attr.Name.Local == "id" && attr.Value == r.ID {
					target := r.Target
					if !strings.HasPrefix(target, "/") {
						target = path.Join("xl", target)
					}
					return partOf(archive, strings.TrimPrefix(target, "/"))
				}
			}
		}
	}
	return nil
}

// partOf returns the part of an archive with this name, or nil. The case is ignored (ECMA-376-2, section 9.1).
func partOf(archive *zip.Reader, name string) *zip.File {
	for _, part := range archive.File {
		if strings.EqualFold(part.Name, name) {
			return part
		}
	}
	return nil
}

// decodePart decodes a part of XML.
func decodePart(archive *zip.Reader, name string, v any) error {
	part := partOf(archive, name)
	if part == nil {
		return fmt.Errorf("no part %s", name)
	}
	content, err := part.Open()
	if err != nil {
		return err
	}
	defer content.Close()
	return xml.NewDecoder(content).Decode(v)
}

// maxTag is the greatest length in bytes of a tag and the text before it: a cell has at most 32,767 characters.
const maxTag = 1 << 20

// The tags of a sheet that scanSheet reads, without their last bracket.
var (
	cellTag    = regexp.MustCompile(`^\s*<(?:\w+:)?c\s[^>]*\br="([A-Z]+[0-9]+)"`)
	cellType   = regexp.MustCompile(`\st="([^"]*)"`)
	valueTag   = regexp.MustCompile(`^([^<]*)</(?:\w+:)?v$`)
	formulaTag = regexp.MustCompile(`</(?:\w+:)?f$|^\s*<(?:\w+:)?f\s[^>]*/$`)
	cellEnd    = regexp.MustCompile(`^\s*</(?:\w+:)?c$`)
	mergedTag  = regexp.MustCompile(`^\s*<(?:\w+:)?mergeCell\s[^>]*\bref="([A-Z]+[0-9]+):([A-Z]+[0-9]+)"`)
)

// scanned is what the library does not say of the cells of a sheet.
type scanned struct {
	merged   []mergedColumn // cells that are merged with others below them
	long     map[cell]bool  // numbers of which Excel has not kept all digits
	blank    map[int][]int  // row -> columns of formulas without a value, as programs write them that do not calculate
	lastText map[int]int    // of each column, from 0, the last row, from 1, whose cell is no number
}

// scanSheet scans a sheet. It looks for the tags alone, which is faster than to decode the XML.
func scanSheet(part io.Reader) (*scanned, error) {
	s := &scanner{found: &scanned{long: make(map[cell]bool), blank: make(map[int][]int), lastText: make(map[int]int)}}
	tags := bufio.NewScanner(part)
	tags.Buffer(nil, maxTag)
	tags.Split(splitTags)
	for tags.Scan() {
		if err := s.tag(tags.Bytes()); err != nil {
			return nil, err
		}
	}
	return s.found, tags.Err()
}

// scanner scans the tags of a sheet.
type scanner struct {
	found    *scanned
	open     string // the name of the cell that is open
	isNumber bool   // and whether it is a number
	formula  bool   // and whether it has a formula, and no value yet
}

// tag reads a tag and the text before it.
func (s *scanner) tag(tag []byte) error {
	endsEmpty := bytes.HasSuffix(tag, []byte("/"))
	switch {
	case bytes.HasSuffix(tag, []byte("v")) && (s.formula || s.isNumber && len(tag) > len("</v")+len("1E+15")):
		return s.value(tag)
	case s.open != "" && (endsEmpty || bytes.HasSuffix(tag, []byte("f"))) && formulaTag.Match(tag):
		s.formula = true
	case s.formula && cellEnd.Match(tag):
		s.formula = false
		at, err := cellOf(s.open)
		s.found.blank[at.row] = append(s.found.blank[at.row], at.column)
		return err
	case bytes.Contains(tag, []byte("c ")):
		return s.cell(tag)
	case bytes.Contains(tag, []byte("mergeCell ")):
		name := mergedTag.FindSubmatch(tag)
		if name == nil {
			return nil
		}
		first, err := cellOf(string(name[1]))
		if err != nil {
			return err
		}
		last, err := cellOf(string(name[2]))
		if last.row > first.row {
			s.found.merged = append(s.found.merged, mergedColumn{first.column, first.row, last.row})
		}
		return err
	}
	return nil
}

// cell begins a cell.
func (s *scanner) cell(tag []byte) error {
	s.open, s.isNumber, s.formula = "", false, false
	name := cellTag.FindSubmatch(tag)
	if name == nil {
		return nil
	}
	s.open = string(name[1])
	if kind := cellType.FindSubmatch(tag); kind == nil || string(kind[1]) == "n" {
		s.isNumber = true
		return nil
	}
	at, err := cellOf(s.open)
	s.found.lastText[at.column] = max(s.found.lastText[at.column], at.row)
	return err
}

// value reads the end of a value.
func (s *scanner) value(tag []byte) error {
	value := valueTag.FindSubmatch(tag)
	if value == nil {
		return nil
	}
	s.formula = s.formula && s.isNumber && len(value[1]) == 0
	if n, err := strconv.ParseFloat(string(value[1]), 64); err != nil || !s.isNumber || math.Abs(n) < numbersKept {
		return nil
	}
	at, err := cellOf(s.open)
	s.found.long[at] = true
	return err
}

// cellOf returns the place of the cell with a name such as "B2".
func cellOf(name string) (cell, error) {
	column, row, err := excelize.CellNameToCoordinates(name)
	return cell{row, column - 1}, err
}

// splitTags is a [bufio.SplitFunc] of what stands before each ">".
func splitTags(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, '>'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF {
		return len(data), nil, nil
	}
	return 0, nil, nil
}
