package sheet

import (
	"io"

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

// The rows of files with more columns.
type (
	recognizedRow struct {
		parquetRow
		recognitionCells
	}
	assertedRow struct {
		parquetRow
		assertionCells
	}
	recognizedAssertedRow struct {
		parquetRow
		recognitionCells
		assertionCells
	}
)

// parquetWriter writes the rows compressed.
type parquetWriter[T any] struct {
	rows *parquet.GenericWriter[T]
	of   func(parquetRow, recognitionCells, assertionCells) T
}

// NewParquet returns a writer of Parquet to w. Of the options it takes Recognition and Assertion.
func NewParquet(w io.Writer, o formats.WriterOptions) formats.Writer {
	switch {
	case o.Recognition && o.Assertion:
		return newParquetWriter(w, func(row parquetRow, r recognitionCells, a assertionCells) recognizedAssertedRow {
			return recognizedAssertedRow{row, r, a}
		})
	case o.Recognition:
		return newParquetWriter(w, func(row parquetRow, r recognitionCells, _ assertionCells) recognizedRow { return recognizedRow{row, r} })
	case o.Assertion:
		return newParquetWriter(w, func(row parquetRow, _ recognitionCells, a assertionCells) assertedRow { return assertedRow{row, a} })
	}
	return newParquetWriter(w, func(row parquetRow, _ recognitionCells, _ assertionCells) parquetRow { return row })
}

func newParquetWriter[T any](w io.Writer, of func(parquetRow, recognitionCells, assertionCells) T) *parquetWriter[T] {
	rows := parquet.NewGenericWriter[T](w, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("ctxnorm", "", ""))
	return &parquetWriter[T]{rows, of}
}

// Write implements [formats.Writer].
func (p *parquetWriter[T]) Write(r *formats.Record, d *linked.Document) error {
	for _, row := range formats.Rows(r, d) {
		source := make(map[string]string, len(row.Source))
		for _, c := range row.Source {
			source[c.Name] = c.Value
		}
		_, err := p.rows.Write([]T{p.of(parquetRow{
			row.Document, int64(row.Start), int64(row.End), row.Text, row.ResolvedText, row.Type, row.ID,
			row.PreferredName, row.MatchedName, nonzero(row.Score), row.Probability, row.NIL, row.BestEvidence, source,
		}, recognitionCells{row.MentionSource, row.Recognition}, assertionCells(row.Assertion))})
		if err != nil {
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
func (p *parquetWriter[T]) Close() error { return p.rows.Close() }
