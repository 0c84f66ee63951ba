package formats

import (
	"errors"
	"fmt"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/table"
)

// Sheet is an open sheet of an Excel workbook: see [Options.OpenWorkbook]. It may have a method
//
//	IsNumber(column int) bool // whether the column has numbers alone from the row that Next returned last on
type Sheet interface {
	// Name returns the name of the sheet, and OtherNames those of the others that have cells.
	Name() string
	OtherNames() []string
	// Next returns the cells of the next row as the sheet shows them, and its number, from 1. The error at the end is
	// [io.EOF].
	Next() (cells []string, number int, err error)
	// Changed returns what Excel made of what was typed into a cell of the row that Next returned last, such as
	// "the date 1-Aug", or "". Columns are counted from 0.
	Changed(column int) string
	Close() error
}

// newSheetParser reads the header of a sheet, as of another table. It warns of the sheets that are not read.
func newSheetParser(f *file, sheet Sheet, o *Options) (*tableParser, error) {
	if others := sheet.OtherNames(); len(others) > 0 {
		f.note(0, fmt.Sprintf("the sheet %s is read, %d others are not: %q", input.Quote(sheet.Name()), len(others),
			others))
	}
	p, err := newRowsParser(f, table.SheetRows(sheet, f.limits), o)
	if unknown, ok := errors.AsType[*columnsError](err); ok {
		return nil, &UnknownError{f.name, withoutText("sheet", unknown.header)}
	}
	if err != nil {
		return nil, err
	}
	if numbers, ok := sheet.(interface{ IsNumber(column int) bool }); ok {
		p.isNumber = numbers.IsNumber
	}
	return p, nil
}
