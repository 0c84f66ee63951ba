package formats

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
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

// tableRows are the rows of a table.
type tableRows interface {
	// next returns the cells of the next row and its number: see [rowReader.next].
	next() (cells []string, number int, err error)
}

// sheetRows are the rows of a sheet that have a cell.
type sheetRows struct {
	*file
	sheet  Sheet
	isRead func(column int) bool // nil for the header
}

// newSheetParser reads the header of a sheet, as of another table. It warns of the sheets that are not read.
func newSheetParser(f *file, sheet Sheet, o *Options) (*tableParser, error) {
	if others := sheet.OtherNames(); len(others) > 0 {
		f.note(0, fmt.Sprintf("the sheet %s is read, %d others are not: %q", input.Quote(sheet.Name()), len(others),
			others))
	}
	rows := &sheetRows{file: f, sheet: sheet}
	p, err := newRowsParser(f, rows, o)
	if unknown, ok := errors.AsType[*columnsError](err); ok {
		return nil, &UnknownError{f.name, withoutText("sheet", unknown.header)}
	}
	if err != nil {
		return nil, err
	}
	if numbers, ok := sheet.(interface{ IsNumber(column int) bool }); ok {
		p.isNumber = numbers.IsNumber
	}
	rows.isRead = func(column int) bool {
		for _, of := range p.roles {
			if of == column {
				return true
			}
		}
		return false
	}
	return p, nil
}

// next implements [tableRows]. It warns of cells that Excel has changed in the columns that have a role.
func (r *sheetRows) next() (cells []string, number int, err error) {
	for {
		cells, number, err = r.sheet.Next()
		if err != nil {
			return nil, number, err
		}
		if strings.TrimSpace(strings.Join(cells, "")) == "" {
			continue
		}
		for i := range cells {
			if r.isRead != nil && !r.isRead(i) {
				continue
			}
			if changed := r.sheet.Changed(i); changed != "" {
				r.note(number,
					fmt.Sprintf("cell %d is %s, and is read as it is shown: Excel has changed what was typed",
						i+1, changed))
			}
		}
		return cells, number, nil
	}
}
