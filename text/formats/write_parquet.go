package formats

import (
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"

	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// sourceCells are the cells of a table's row in order, which a Go map would not keep. In the file they are a map: a
// repeated group with this name (https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#maps).
type sourceCells struct {
	Cells []sourceCell `parquet:"key_value"`
}

// sourceCell is a cell and the name of its column.
type sourceCell struct {
	Column string `parquet:"key"`
	Value  string `parquet:"value"`
}

// parquetFile writes compressed rows.
type parquetFile struct {
	*parquet.GenericWriter[any]
	kind    reflect.Type    // of a row: a field per column, and one for sourceCells after rowColumns
	columns *parquet.Schema // schema of kind. The file's own schema marks sourceCells as a map
}

// newParquet returns a writer of Parquet to w. It uses only those options that add columns.
func newParquet(w io.Writer, o WriterOptions) Writer {
	o.Lost = nil // a cell holds every text
	columns := columnsOf(&o)
	kind := parquetRow(columns, reflect.TypeFor[sourceCells]())
	shown := parquetRow(columns, reflect.TypeFor[map[string]string]())
	schema := parquet.NewSchema("parquetRow", parquet.SchemaOf(reflect.New(shown).Interface()))
	rows := parquet.NewGenericWriter[any](w, schema, parquet.Compression(&parquet.Zstd),
		parquet.CreatedBy("ctxnorm", "", ""))
	t := newTableWriter(&parquetFile{rows, kind, parquet.SchemaOf(reflect.New(kind).Interface())}, &o)
	t.mapped = true
	return t
}

// parquetRow returns the struct type of a row, with the given type for the cells of the source.
func parquetRow(columns []tableColumn, source reflect.Type) reflect.Type {
	var fields []reflect.StructField
	add := func(name string, of reflect.Type) {
		tag := reflect.StructTag(fmt.Sprintf("parquet:%q", name))
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", len(fields)), Type: of, Tag: tag})
	}
	empty := tableRow{linkedRecord: &linkedRecord{Record: NewRecord(&text.Document{})}, Mention: &linked.Mention{}}
	for i, cell := range cellsOf(columns, &empty) {
		if i == len(rowColumns) {
			add("source", source)
		}
		name := columns[i].name
		if columns[i].repeats {
			name += ",dict"
		}
		if _, isInt := cell.(int); isInt {
			cell = int64(0)
		}
		add(name, reflect.TypeOf(cell))
	}
	return reflect.StructOf(fields)
}

func (p *parquetFile) row(_ string, source []Column, values []any) error {
	cells := reflect.New(p.kind).Elem()
	for i, value := range values {
		if i >= len(rowColumns) {
			i++
		}
		cells.Field(i).Set(reflect.ValueOf(value).Convert(cells.Field(i).Type()))
	}
	var kept sourceCells
	for _, c := range source {
		kept.Cells = append(kept.Cells, sourceCell{c.Name, c.Value})
	}
	cells.Field(len(rowColumns)).Set(reflect.ValueOf(kept))
	_, err := p.WriteRows([]parquet.Row{p.columns.Deconstruct(nil, cells.Addr().Interface())})
	return err
}

func (p *parquetFile) begin([]string) error { return nil } // the schema has the names
func (p *parquetFile) flush() error         { return nil } // groups of rows are large
