// Package xlsx reads the sheets of Excel workbooks for package kbfile. It is a package of
// its own so that programs which read only text need not have its library.
//
// Set [kbfile.Options.OpenWorksheet] to [Open].
package xlsx

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
)

// maxGrowth is the memory that XML takes once it is decoded, as a multiple of its size: a
// string of one letter takes 19 bytes of XML and some hundred bytes of memory.
const maxGrowth = 64

// sheet is an open sheet.
type sheet struct {
	file   *excelize.File
	name   string
	others []string
	rows   *excelize.Rows
	number int
}

// Open implements [kbfile.OpenWorksheet]. The workbook may not unpack to more than the limit
// for what is kept in memory. Parts beyond a 64th of it are unpacked to temporary files, which
// Close removes.
func Open(r io.Reader, name string, limits files.Limits) (kbfile.Worksheet, error) {
	limits = limits.WithDefaults()
	packed, err := io.ReadAll(io.LimitReader(r, min(limits.InMemory, 1<<62)+1))
	if err != nil {
		return nil, err
	}
	unpacked, err := check(packed, limits)
	if err != nil {
		return nil, err
	}
	file, err := excelize.OpenReader(bytes.NewReader(packed), excelize.Options{
		UnzipSizeLimit: max(unpacked, 1), UnzipXMLSizeLimit: max(1, min(unpacked, limits.InMemory/maxGrowth)),
	})
	if err != nil {
		return nil, fmt.Errorf("not an Excel workbook: %w", err)
	}
	s := &sheet{file: file}
	if err := s.open(name); err != nil {
		file.Close()
		return nil, err
	}
	return s, nil
}

// check returns the size of all parts of a workbook unpacked. It reads them all, since the
// library passes over parts that are damaged.
func check(packed []byte, limits files.Limits) (unpacked int64, err error) {
	if err := limits.CheckInMemory("a workbook", int64(len(packed))); err != nil {
		return 0, err
	}
	archive, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return 0, fmt.Errorf("not an Excel workbook, or a damaged one: %w", err)
	}
	isWorkbook := func(part *zip.File) bool { return strings.EqualFold(part.Name, "xl/workbook.xml") }
	if !slices.ContainsFunc(archive.File, isWorkbook) {
		return 0, errors.New("a zip archive that is not an Excel workbook (.xlsx)")
	}
	for _, part := range archive.File {
		if size := part.UncompressedSize64; size > uint64(limits.InMemory) {
			return 0, limits.CheckInMemory("a workbook that unpacks to", limits.InMemory+1)
		}
		unpacked += int64(part.UncompressedSize64)
		if err := limits.CheckInMemory("a workbook that unpacks to", unpacked); err != nil {
			return 0, err
		}
		content, err := part.Open()
		if err == nil {
			_, err = io.Copy(io.Discard, content) // at most the size that it states
			content.Close()
		}
		if err != nil {
			return 0, fmt.Errorf("%s in the workbook: %w", part.Name, err)
		}
	}
	return unpacked, nil
}

// open opens the sheet called name, or the first one that has cells.
func (s *sheet) open(name string) error {
	names := s.file.GetSheetList()
	if name != "" && !slices.Contains(names, name) {
		return fmt.Errorf("the workbook has no sheet called %q, only %q", name, names)
	}
	var first error // of a sheet that cannot be opened, such as a chart
	for _, other := range names {
		rows, err := s.file.Rows(other)
		switch {
		case err != nil:
			first = errors.Join(first, err)
		case other == name, name == "" && s.rows == nil && hasCells(s.file, other):
			s.name, s.rows = other, rows
			continue
		case hasCells(s.file, other):
			s.others = append(s.others, other)
		}
		if err == nil {
			rows.Close()
		}
	}
	switch {
	case s.rows != nil:
		return nil
	case first != nil:
		return first
	}
	return errors.New("the workbook has no cells")
}

// hasCells reports whether a sheet has a cell that is not empty.
func hasCells(file *excelize.File, name string) bool {
	rows, err := file.Rows(name)
	if err != nil {
		return false
	}
	defer rows.Close()
	for rows.Next() {
		cells, err := rows.Columns()
		if err != nil || strings.Join(cells, "") != "" {
			return true // the reader of the rows says the error
		}
	}
	return false
}

// Name implements [kbfile.Worksheet].
func (s *sheet) Name() string { return s.name }

// OtherNames implements [kbfile.Worksheet].
func (s *sheet) OtherNames() []string { return s.others }

// Next implements [kbfile.Worksheet].
func (s *sheet) Next() ([]string, int, error) {
	if !s.rows.Next() {
		if err := s.rows.Error(); err != nil {
			return nil, s.number, fmt.Errorf("row after that of number %d: %w", s.number, err)
		}
		return nil, s.number, io.EOF
	}
	s.number++
	cells, err := s.rows.Columns()
	if err != nil {
		return nil, s.number, fmt.Errorf("row %d: %w", s.number, err)
	}
	return cells, s.number, nil
}

// Close implements [kbfile.Worksheet].
func (s *sheet) Close() error { return errors.Join(s.rows.Close(), s.file.Close()) }
