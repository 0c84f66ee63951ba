package sheet

import (
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"

	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// parquetRow is a row of the Parquet file.
type parquetRow struct {
	Document      string      `parquet:"document"`
	Start         int64       `parquet:"start"` // as the input counts
	End           int64       `parquet:"end"`
	Text          string      `parquet:"text"`
	ResolvedText  string      `parquet:"resolved_text"`
	Type          string      `parquet:"type,dict"`
	ID            string      `parquet:"id,dict"` // empty for NIL
	PreferredName string      `parquet:"preferred_name,dict"`
	MatchedName   string      `parquet:"matched_name,dict"`
	Score         *float64    `parquet:"score"`       // what the method ranks by; null for NIL
	Probability   *float64    `parquet:"probability"` // null for NIL, and from methods that return none
	NIL           bool        `parquet:"nil"`
	Broader       string      `parquet:"broader"` // empty unless NIL
	BestEvidence  string      `parquet:"best_evidence"`
	Source        sourceCells `parquet:"source"`
}

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

// recognitionCells say by what a mention was found.
type recognitionCells struct {
	MentionSource    string   `parquet:"mention_source,dict"`
	RecognitionScore *float64 `parquet:"recognition_score"` // null unless the mention was recognized
}

// assertionCells say what a text says of a mention.
type assertionCells struct {
	Negated      bool `parquet:"negated"`
	Uncertain    bool `parquet:"uncertain"`
	Historical   bool `parquet:"historical"`
	Hypothetical bool `parquet:"hypothetical"`
	OtherPerson  bool `parquet:"other_person"`
}

// xrefsCells are identifiers in other vocabularies.
type xrefsCells struct {
	Xrefs string `parquet:"xrefs,dict"` // with "|" between them
}

// otherCells are the candidates after the first.
type otherCells struct {
	OtherCandidates string `parquet:"other_candidates"` // with "|" between them
}

// parquetWriter writes the rows compressed.
type parquetWriter struct {
	rows    *parquet.GenericWriter[any]
	kind    reflect.Type    // of a row: the fields of parquetRow, and of the cells that the options add
	columns *parquet.Schema // of kind: the columns of the file, where sourceCells are marked as a map
	options formats.WriterOptions
}

// newParquet returns a writer of Parquet to w. Of the options it takes Recognition, Assertion, Xrefs and
// OtherCandidates.
func newParquet(w io.Writer, o formats.WriterOptions) formats.Writer {
	p := &parquetWriter{options: o}
	var fields []reflect.StructField
	for _, part := range p.parts(&formats.Row{}) {
		fields = append(fields, reflect.VisibleFields(reflect.TypeOf(part))...)
	}
	for i := range fields {
		fields[i] = reflect.StructField{Name: fields[i].Name, Type: fields[i].Type, Tag: fields[i].Tag}
	}
	p.kind = reflect.StructOf(fields)
	p.columns = parquet.SchemaOf(reflect.New(p.kind).Interface())
	for i := range fields {
		if fields[i].Type == reflect.TypeFor[sourceCells]() {
			fields[i].Type = reflect.TypeFor[map[string]string]()
		}
	}
	schema := parquet.NewSchema("parquetRow", parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface()))
	p.rows = parquet.NewGenericWriter[any](w, schema, parquet.Compression(&parquet.Zstd),
		parquet.CreatedBy("ctxnorm", "", ""))
	return p
}

// parts returns the structures whose fields are the cells of a row.
func (p *parquetWriter) parts(row *formats.Row) []any {
	var source sourceCells
	for _, c := range row.Source {
		source.Cells = append(source.Cells, sourceCell{c.Name, c.Value})
	}
	parts := []any{parquetRow{
		row.Document, int64(row.Start), int64(row.End), row.Text, row.ResolvedText, row.Type, row.ID,
		row.PreferredName, row.MatchedName, nonzero(row.Score), row.Probability, row.NIL, row.Broader, row.BestEvidence,
		source,
	}}
	if p.options.Recognition {
		parts = append(parts, recognitionCells{row.MentionSource, row.Recognition})
	}
	if p.options.Assertion {
		parts = append(parts, assertionCells(row.Assertion))
	}
	if p.options.Xrefs {
		parts = append(parts, xrefsCells{row.Xrefs})
	}
	if p.options.OtherCandidates {
		parts = append(parts, otherCells{row.Others})
	}
	return parts
}

// Write implements [formats.Writer].
func (p *parquetWriter) Write(r *formats.Record, d *linked.Document) error {
	for _, row := range formats.Rows(r, d) {
		cells, at := reflect.New(p.kind).Elem(), 0
		for _, part := range p.parts(&row) {
			for _, cell := range reflect.ValueOf(part).Fields() {
				cells.Field(at).Set(cell)
				at++
			}
		}
		if _, err := p.rows.WriteRows([]parquet.Row{p.columns.Deconstruct(nil, cells.Addr().Interface())}); err != nil {
			return err
		}
	}
	return nil
}

// nonzero returns a number as a cell; 0 is none.
func nonzero(x float64) *float64 {
	if x == 0 {
		return nil
	}
	return &x
}

// Close implements [formats.Writer].
func (p *parquetWriter) Close() error { return p.rows.Close() }
