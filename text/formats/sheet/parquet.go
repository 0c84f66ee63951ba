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
	Document      string            `parquet:"document"`
	Start         int64             `parquet:"start"` // as the input counts
	End           int64             `parquet:"end"`
	Text          string            `parquet:"text"`
	ResolvedText  string            `parquet:"resolved_text"`
	Type          string            `parquet:"type,dict"`
	ID            string            `parquet:"id,dict"` // empty for NIL
	PreferredName string            `parquet:"preferred_name,dict"`
	MatchedName   string            `parquet:"matched_name,dict"`
	Score         *float64          `parquet:"score"`       // what the method ranks by; null for NIL
	Probability   *float64          `parquet:"probability"` // null for NIL, and from methods that return none
	NIL           bool              `parquet:"nil"`
	Broader       string            `parquet:"broader"` // empty unless NIL
	BestEvidence  string            `parquet:"best_evidence"`
	Source        map[string]string `parquet:"source"` // the cells of a table's row, by column
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
	kind    reflect.Type // of a row: the fields of parquetRow, and of the cells that the options add
	options formats.WriterOptions
}

// newParquet returns a writer of Parquet to w. Of the options it takes Recognition, Assertion, Xrefs and
// OtherCandidates.
func newParquet(w io.Writer, o formats.WriterOptions) formats.Writer {
	p := &parquetWriter{options: o}
	var fields []reflect.StructField
	for _, part := range p.parts(&formats.Row{}, nil) {
		fields = append(fields, reflect.VisibleFields(reflect.TypeOf(part))...)
	}
	for i := range fields {
		fields[i] = reflect.StructField{Name: fields[i].Name, Type: fields[i].Type, Tag: fields[i].Tag}
	}
	p.kind = reflect.StructOf(fields)
	schema := parquet.NewSchema("parquetRow", parquet.SchemaOf(reflect.New(p.kind).Interface()))
	p.rows = parquet.NewGenericWriter[any](w, schema, parquet.Compression(&parquet.Zstd),
		parquet.CreatedBy("ctxnorm", "", ""))
	return p
}

// parts returns the structures whose fields are the cells of a row.
func (p *parquetWriter) parts(row *formats.Row, source map[string]string) []any {
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
		source := make(map[string]string, len(row.Source))
		for _, c := range row.Source {
			source[c.Name] = c.Value
		}
		cells, at := reflect.New(p.kind).Elem(), 0
		for _, part := range p.parts(&row, source) {
			for _, cell := range reflect.ValueOf(part).Fields() {
				cells.Field(at).Set(cell)
				at++
			}
		}
		if _, err := p.rows.Write([]any{cells.Addr().Interface()}); err != nil {
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
