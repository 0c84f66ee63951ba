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

// parquetWriter writes the rows compressed.
type parquetWriter struct {
	rows *parquet.GenericWriter[parquetRow]
}

// NewParquet returns a writer of Parquet to w.
func NewParquet(w io.Writer) formats.Writer {
	return &parquetWriter{parquet.NewGenericWriter[parquetRow](w, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("ctxnorm", "", ""))}
}

// Write implements [formats.Writer].
func (p *parquetWriter) Write(r *formats.Record, d *linked.Document) error {
	for _, row := range formats.Rows(r, d) {
		source := make(map[string]string, len(row.Source))
		for _, c := range row.Source {
			source[c.Name] = c.Value
		}
		_, err := p.rows.Write([]parquetRow{{
			row.Document, int64(row.Start), int64(row.End), row.Text, row.ResolvedText, row.Type, row.ID,
			row.PreferredName, row.MatchedName, nonzero(row.Score), row.Probability, row.NIL, row.BestEvidence, source,
		}})
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
func (p *parquetWriter) Close() error { return p.rows.Close() }
