package kbfile

import (
	"bufio"
	"fmt"

	"github.com/ctxnorm/ctxnorm/internal/table"
)

// readXLSX reads the dictionary in a sheet of a workbook.
func (c *collector) readXLSX(r *bufio.Reader) error {
	sheet, err := table.OpenWorksheet(r, c.opts.Sheet, c.opts.Limits)
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
	return c.readRows(t)
}
