package sheet

import (
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"

	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// sourceCells are the cells of a table's row in their order, which a map of Go would not keep. In the file they are a
// map: a repeated group of this name (https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#maps).
type sourceCells struct {
	Cells []sourceCell `parquet:"key_value"`
}

// sourceCell is a cell and the name of its column.
type sourceCell struct {
	Column string `parquet:"key"`
	Value  string `parquet:"value"`
}

// parquetWriter writes the rows compressed.
type parquetWriter struct {
	rows    *parquet.GenericWriter[any]
	kind    reflect.Type    // of a row: a field for each column, and one for sourceCells
	columns *parquet.Schema // of kind: the columns of the file, where sourceCells are marked as a map
	table   *formats.Table
	source  int // the position of sourceCells: behind the columns that every table has
}

// newParquet returns a writer of Parquet to w. Of the options it takes those that add columns.
func newParquet(w io.Writer, o formats.WriterOptions) formats.Writer {
	p := &parquetWriter{table: formats.NewTable(&o), source: len(formats.RowColumns())}
	p.kind = p.structOf(reflect.TypeFor[sourceCells]())
	p.columns = parquet.SchemaOf(reflect.New(p.kind).Interface())
	shown := p.structOf(reflect.TypeFor[map[string]string]())
	schema := parquet.NewSchema("parquetRow", parquet.SchemaOf(reflect.New(shown).Interface()))
	p.rows = parquet.NewGenericWriter[any](w, schema, parquet.Compression(&parquet.Zstd),
		parquet.CreatedBy("ctxnorm", "", ""))
	return p
}

// structOf returns the type of a row whose cells of the source have a type.
func (p *parquetWriter) structOf(source reflect.Type) reflect.Type {
	var fields []reflect.StructField
	add := func(name string, of reflect.Type) {
		tag := reflect.StructTag(fmt.Sprintf("parquet:%q", name))
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", len(fields)), Type: of, Tag: tag})
	}
	for i, cell := range p.table.Empty() {
		if i == p.source {
			add("source", source)
		}
		name := p.table.Columns[i].Name
		if p.table.Columns[i].Repeats {
			name += ",dict"
		}
		if _, isInt := cell.(int); isInt {
			cell = int64(0)
		}
		add(name, reflect.TypeOf(cell))
	}
	if p.source == len(p.table.Columns) {
		add("source", source)
	}
	return reflect.StructOf(fields)
}

// Write implements [formats.Writer].
func (p *parquetWriter) Write(r *formats.Record, d *linked.Document) error {
	for _, row := range p.table.Rows(r, d) {
		cells := reflect.New(p.kind).Elem()
		for i, cell := range row.Cells {
			if i >= p.source {
				i++
			}
			cells.Field(i).Set(reflect.ValueOf(cell).Convert(cells.Field(i).Type()))
		}
		var source sourceCells
		for _, c := range row.Source {
			source.Cells = append(source.Cells, sourceCell{c.Name, c.Value})
		}
		cells.Field(p.source).Set(reflect.ValueOf(source))
		if _, err := p.rows.WriteRows([]parquet.Row{p.columns.Deconstruct(nil, cells.Addr().Interface())}); err != nil {
			return err
		}
	}
	return nil
}

// Close implements [formats.Writer].
func (p *parquetWriter) Close() error { return p.rows.Close() }
