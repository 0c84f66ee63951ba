package table

import (
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/ctxnorm/ctxnorm/files"
)

// maxGrowth is the memory of decoded XML as a multiple of its size: a string of one letter takes 19 bytes of XML and
// some hundred bytes of memory.
const maxGrowth = 64

// Worksheet is an open sheet of an Excel workbook. Its [Rows] are the non-blank rows.
type Worksheet struct {
	Name   string
	Others []string // names of the other sheets that have cells

	file   *excelize.File
	limits files.Limits
	rows   *excelize.Rows // with cells as stored
	number int

	shown       *excelize.Rows // with cells as shown; nil until a row has numbers
	shownNumber int

	scanned
	filling map[int]filling // column -> merged cells that the current row may be part of
}

// filling is the text of merged cells, and their last row.
type filling struct {
	text string
	last int
}

// OpenWorksheet opens a sheet of the workbook in r, or the first one with cells if name is empty. The unpacked size of
// the workbook is bounded by the limit for data in memory. Parts larger than a 64th of that limit are unpacked to
// temporary files, which Close removes.
func OpenWorksheet(r io.Reader, name string, limits files.Limits) (*Worksheet, error) {
	limits = limits.WithDefaults()
	packed, err := io.ReadAll(io.LimitReader(r, min(limits.InMemory, 1<<62)+1))
	if err != nil {
		return nil, err
	}
	archive, unpacked, err := check(packed, limits)
	if err != nil {
		return nil, err
	}
	file, err := excelize.OpenReader(bytes.NewReader(packed), excelize.Options{
		UnzipSizeLimit: max(unpacked, 1), UnzipXMLSizeLimit: max(1, min(unpacked, limits.InMemory/maxGrowth)),
	})
	if err != nil {
		return nil, fmt.Errorf("not an Excel workbook: %w", err)
	}
	s := &Worksheet{file: file, limits: limits, filling: make(map[int]filling)}
	if err = s.open(name); err == nil {
		err = s.scan(archive)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return s, nil
}

// scan finds the merged cells and the long numbers of the sheet.
func (s *Worksheet) scan(archive *zip.Reader) error {
	part := sheetPart(archive, s.Name)
	if part == nil {
		return nil
	}
	return readPart(part, func(content io.Reader) (err error) {
		s.scanned, err = scanSheet(content)
		return err
	})
}

// check opens a workbook and returns the total unpacked size of its parts. It reads all parts, because excelize ignores
// damaged ones.
func check(packed []byte, limits files.Limits) (archive *zip.Reader, unpacked int64, err error) {
	if err := limits.CheckInMemory("a workbook", int64(len(packed))); err != nil {
		return nil, 0, err
	}
	archive, err = zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return nil, 0, fmt.Errorf("not an Excel workbook, or a damaged one: %w", err)
	}
	if partOf(archive, "xl/workbook.xml") == nil {
		return nil, 0, errors.New("a zip archive that is not an Excel workbook (.xlsx): unpack it")
	}
	for _, part := range archive.File {
		unpacked += int64(min(part.UncompressedSize64, 1<<40)) // the sum does not overflow
		if err := limits.CheckInMemory("a workbook that unpacks to", unpacked); err != nil {
			return nil, 0, err
		}
		isXML := strings.HasSuffix(part.Name, ".xml")
		if err := readPart(part, func(r io.Reader) error { return checkPart(r, isXML, limits) }); err != nil {
			return nil, 0, err
		}
	}
	return archive, unpacked, nil
}

// readPart calls read with the content of a part, which has at most the size in its header.
func readPart(part *zip.File, read func(content io.Reader) error) error {
	content, err := part.Open()
	if err == nil {
		defer content.Close()
		err = read(content)
	}
	if err != nil {
		return fmt.Errorf("%s in the workbook: %w", part.Name, err)
	}
	return nil
}

// checkPart reads a part. For XML it returns an error for more rows or columns than Excel allows, which would take
// minutes to read, and for a long text between two tags, which would take several times its size in memory.
func checkPart(content io.Reader, isXML bool, limits files.Limits) error {
	r := bufio.NewReader(content)
	for rows, cells, size := 0, 0, int64(0); ; {
		passed, err := r.ReadSlice('<')
		size += int64(len(passed))
		if tooLong := limits.CheckRecord("a text in a sheet", size); tooLong != nil && isXML {
			return tooLong
		}
		switch tag, _ := r.Peek(2); {
		case err == io.EOF:
			return nil
		case err == bufio.ErrBufferFull:
			continue
		case err != nil:
			return err
		case string(tag) == "ro":
			rows, cells = rows+1, 0
		case rows > 0 && (string(tag) == "c " || string(tag) == "c/" || string(tag) == "c>"):
			cells++
		}
		if size = 0; isXML && (rows > excelize.TotalRows || cells > excelize.MaxColumns) {
			return fmt.Errorf("want at most %d rows of %d cells, as Excel has, got more", excelize.TotalRows, excelize.MaxColumns)
		}
	}
}

// open opens the sheet called name, or the first one with cells, trying visible sheets before hidden ones.
func (s *Worksheet) open(name string) error {
	var names, hidden []string
	for _, sheet := range s.file.GetSheetList() {
		if shown, err := s.file.GetSheetVisible(sheet); shown || err != nil {
			names = append(names, sheet)
		} else {
			hidden = append(hidden, sheet)
		}
	}
	names = append(names, hidden...)
	if name != "" && !slices.Contains(names, name) {
		return fmt.Errorf("the workbook has no sheet called %q, only %q", name, names)
	}
	var first error // for a sheet that cannot be opened, such as a chart
	for _, other := range names {
		isFilled, err := hasCells(s.file, other)
		first = errors.Join(first, err)
		switch {
		case err == nil && (other == name || name == "" && s.Name == "" && isFilled):
			s.Name = other
		case isFilled:
			s.Others = append(s.Others, other)
		}
	}
	switch {
	case s.Name != "":
		s.rows, first = s.file.Rows(s.Name)
	case first == nil:
		return errors.New("the workbook has no cells")
	}
	return first
}

// hasCells reports whether a sheet has a cell that is not empty.
func hasCells(file *excelize.File, name string) (bool, error) {
	rows, err := file.Rows(name)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	for rows.Next() {
		cells, err := rows.Columns()
		if err != nil || strings.Join(cells, "") != "" {
			return true, nil // reading the rows returns the error
		}
	}
	return false, nil
}

// Next implements [Rows]. A cell that is merged with a cell above it gets its text.
func (s *Worksheet) Next() (Row, error) {
	for s.rows.Next() {
		s.number++
		row, err := s.row()
		if err == nil {
			err = s.limits.CheckRecord("a row of a sheet", row.Bytes())
		}
		if err != nil {
			return Row{Line: s.number}, fmt.Errorf("row %d: %w", s.number, err)
		}
		if !row.IsBlank() {
			return row, nil
		}
	}
	if err := s.rows.Error(); err != nil {
		return Row{Line: s.number}, fmt.Errorf("row after that of number %d: %w", s.number, err)
	}
	return Row{Line: s.number}, io.EOF
}

// row reads the next row, whose number is s.number.
func (s *Worksheet) row() (Row, error) {
	row := Row{Line: s.number, Changed: make(map[int]string)}
	stored, err := s.rows.Columns(excelize.Options{RawCellValue: true})
	if err == nil && slices.ContainsFunc(stored, isNumeric) {
		err = s.show(stored, row.Changed)
	}
	for _, column := range s.blank[s.number] {
		stored = append(stored, make([]string, max(0, column+1-len(stored)))...)
		row.Changed[column] = "a formula without its value"
	}
	row.Cells = s.fill(stored)
	return row, err
}

// show replaces the stored cells of the row by the shown ones, and records what Excel changed.
func (s *Worksheet) show(cells []string, changed map[int]string) (err error) {
	if s.shown == nil {
		if s.shown, err = s.file.Rows(s.Name); err != nil {
			return err
		}
	}
	for s.shownNumber < s.number {
		if !s.shown.Next() {
			return s.shown.Error()
		}
		s.shownNumber++
	}
	shown, err := s.shown.Columns()
	if err != nil {
		return err
	}
	for i := range min(len(cells), len(shown)) {
		if cells[i], changed[i] = cellText(cells[i], shown[i]); s.long[cell{s.number, i}] {
			changed[i] = fmt.Sprintf("the number %s, and Excel keeps only 15 digits", shown[i])
		}
	}
	return nil
}

// fill fills cells of the row that are merged with cells above by their text, unless the whole row is empty.
func (s *Worksheet) fill(cells []string) []string {
	empty := strings.Join(cells, "") == ""
	for column, merged := range s.filling {
		if merged.last < s.number {
			delete(s.filling, column)
			continue
		}
		if empty {
			continue
		}
		for len(cells) <= column {
			cells = append(cells, "")
		}
		if cells[column] == "" {
			cells[column] = merged.text
		}
	}
	for _, merged := range s.merged[s.number] {
		if merged.column < len(cells) {
			s.filling[merged.column] = filling{cells[merged.column], merged.last}
		}
	}
	return cells
}

// IsNumber reports whether a column, from 0, has only numbers and empty cells from the last row returned by Next on.
func (s *Worksheet) IsNumber(column int) bool {
	return s.lastText != nil && s.number > s.lastText[column]
}

// Close removes the temporary files of the workbook.
func (s *Worksheet) Close() error {
	err := errors.Join(s.rows.Close(), s.file.Close())
	if s.shown != nil {
		err = errors.Join(s.shown.Close(), err)
	}
	return err
}
