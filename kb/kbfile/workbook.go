package kbfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/table"
)

// Worksheet is an open sheet of an Excel workbook. Package kbfile/xlsx has one; it is not
// part of this package, so that programs which read only text need not have its library.
type Worksheet interface {
	// Name returns the name of the sheet, and OtherNames those of the other sheets of the
	// workbook that have cells.
	Name() string
	OtherNames() []string
	// Next returns the cells of the next row as the sheet shows them, and its number, from
	// 1. A cell that is merged with one above it has its text. A row without a cell may be left
	// out. The error at the end is [io.EOF].
	Next() (cells []string, number int, err error)
	// Changed returns what Excel made of what was typed into a cell of the row that Next
	// returned last, such as "the date 1-Aug", or "". Columns are counted from 0.
	Changed(column int) string
	Close() error
}

// OpenWorksheet opens a sheet of the workbook in r, the first one if name is empty.
type OpenWorksheet func(r io.Reader, name string, limits files.Limits) (Worksheet, error)

// readXLSX reads the dictionary in a sheet of a workbook.
func (c *collector) readXLSX(r *bufio.Reader) error { return c.withSheet(r, c.readRows) }

// withSheet passes a sheet of a workbook to read, as a table.
func (c *collector) withSheet(r io.Reader, read func(*tableFile) error) error {
	if c.opts.OpenWorksheet == nil {
		return errors.New("an Excel workbook is not read here: save it as CSV")
	}
	sheet, err := c.opts.OpenWorksheet(r, c.opts.Sheet, c.opts.Limits)
	if err != nil {
		return err
	}
	defer sheet.Close()
	c.report.Sheet = sheet.Name()
	others := sheet.OtherNames()
	if len(others) > 0 {
		c.note("reading sheet %q, ignoring %q", sheet.Name(), others)
	}
	t := &tableFile{c: c, rows: table.SheetRows(sheet, c.opts.Limits)}
	t.readSample()
	if c.opts.Sheet == "" && len(c.opts.Columns) == 0 && len(others) > 0 && t.width() < 2 {
		return fmt.Errorf("want ids and names in the first sheet, got one column in %q, and other sheets: name the sheet to "+
			"read (DictionaryOptions.Sheet), %q or one of %q", sheet.Name(), sheet.Name(), others)
	}
	return read(t)
}
