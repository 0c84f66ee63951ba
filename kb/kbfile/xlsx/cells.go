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
	cellTag   = regexp.MustCompile(`^\s*<(?:\w+:)?c\s[^>]*\br="([A-Z]+[0-9]+)"`)
	cellType  = regexp.MustCompile(`\st="([^"]*)"`)
	valueTag  = regexp.MustCompile(`^([^<]*)</(?:\w+:)?v$`)
	mergedTag = regexp.MustCompile(`^\s*<(?:\w+:)?mergeCell\s[^>]*\bref="([A-Z]+[0-9]+):([A-Z]+[0-9]+)"`)
)

// scanned is what the library does not say of the cells of a sheet.
type scanned struct {
	merged   []mergedColumn // cells that are merged with others below them
	long     map[cell]bool  // numbers of which Excel has not kept all digits
	lastText map[int]int    // of each column, from 0, the last row, from 1, whose cell is no number
}

// scanSheet scans a sheet. It looks for the tags alone, which is faster than to decode the XML.
func scanSheet(part io.Reader) (*scanned, error) {
	s := &scanned{long: make(map[cell]bool), lastText: make(map[int]int)}
	var number string // the cell that is open, if it is a number
	tags := bufio.NewScanner(part)
	tags.Buffer(nil, maxTag)
	tags.Split(splitTags)
	for tags.Scan() {
		tag := tags.Bytes()
		switch {
		case bytes.HasSuffix(tag, []byte("v")) && number != "" && len(tag) > len("</v")+len("1E+15"):
			value := valueTag.FindSubmatch(tag)
			if value == nil {
				continue
			}
			if n, err := strconv.ParseFloat(string(value[1]), 64); err == nil && math.Abs(n) >= numbersKept {
				column, row, err := excelize.CellNameToCoordinates(number)
				if err != nil {
					return nil, err
				}
				s.long[cell{row, column - 1}] = true
			}
		case bytes.Contains(tag, []byte("c ")):
			number = ""
			if name := cellTag.FindSubmatch(tag); name != nil {
				if kind := cellType.FindSubmatch(tag); kind == nil || string(kind[1]) == "n" {
					number = string(name[1])
					continue
				}
				column, row, err := excelize.CellNameToCoordinates(string(name[1]))
				if err != nil {
					return nil, err
				}
				s.lastText[column-1] = max(s.lastText[column-1], row)
			}
		case bytes.Contains(tag, []byte("mergeCell ")):
			name := mergedTag.FindSubmatch(tag)
			if name == nil {
				continue
			}
			column, first, err := excelize.CellNameToCoordinates(string(name[1]))
			if err != nil {
				return nil, err
			}
			_, last, err := excelize.CellNameToCoordinates(string(name[2]))
			if err != nil {
				return nil, err
			}
			if last > first {
				s.merged = append(s.merged, mergedColumn{column - 1, first, last})
			}
		}
	}
	return s, tags.Err()
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
