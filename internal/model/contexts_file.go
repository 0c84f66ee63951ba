package model

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/internal/parquetfile"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// contextRow is a row of index/contexts.parquet. Row i holds the exemplar whose vector is row i of index/contexts.npy.
// Offsets count Unicode code points of the text, as the metadata of the file says.
type contextRow struct {
	PMID     string       `parquet:"pmid,zstd"`
	Text     string       `parquet:"text,zstd"`
	Mention  int32        `parquet:"mention"` // position of the exemplar's mention in Mentions
	Mentions []mentionRow `parquet:"mentions,list"`
	contextWords
}

type mentionRow struct {
	Start    int32          `parquet:"start"`
	End      int32          `parquet:"end"`
	Name     string         `parquet:"name,zstd"`
	LongForm string         `parquet:"long_form,zstd"`
	Concepts []kb.ConceptID `parquet:"concepts,list"`
}

// contextWords are the columns used to link short forms and ordinary words.
type contextWords struct {
	LongForm string `parquet:"long_form,dict,zstd"` // of the exemplar's mention
	Words    string `parquet:"words,zstd"`          // see [sense.ContextWords], with spaces; empty for hidden definitions
}

// rowsPerWrite is the number of rows held in memory while writing.
const rowsPerWrite = 4096

// writeContexts writes contexts, with their words if withWords is set.
func writeContexts(path string, contexts []text.Exemplar, withWords bool) error {
	return artifact.Write(path, func(file io.Writer) error {
		w := parquet.NewGenericWriter[contextRow](file, parquet.KeyValueMetadata("offsets", "unicode code points"))
		for first := 0; first < len(contexts); first += rowsPerWrite {
			part := contexts[first:min(first+rowsPerWrite, len(contexts))]
			rows := make([]contextRow, len(part))
			parallel.Ranges(len(part), 0, func(start, end int) {
				for i := start; i < end; i++ {
					rows[i] = rowOf(&part[i])
					if withWords {
						rows[i].Words = strings.Join(sense.ContextWords(&part[i].Query), " ")
					}
				}
			})
			if _, err := w.Write(rows); err != nil {
				return fmt.Errorf("rows from %d: %w", first, err)
			}
		}
		return w.Close()
	})
}

func rowOf(ex *text.Exemplar) contextRow {
	offsets := text.NewOffsets(ex.Text)
	row := contextRow{PMID: ex.ID, Text: ex.Text, Mentions: make([]mentionRow, len(ex.Mentions))}
	for i, m := range ex.Mentions {
		at := offsets.CodePoints(m.Span)
		row.Mentions[i] = mentionRow{int32(at.Start), int32(at.End), m.Name, m.LongForm, m.Concepts}
		if m.Span == ex.Mention.Span {
			row.Mention, row.LongForm = int32(i), m.LongForm
		}
	}
	return row
}

// readContexts reads the whole file.
func readContexts(f *os.File) (all []text.Exemplar, err error) {
	for row, err := range parquetfile.Rows[contextRow](f, 0, -1) {
		if err != nil {
			return nil, err
		}
		ex, err := row.exemplar()
		if err != nil {
			return nil, artifact.Damaged(f.Name(), "row %d: %v", len(all), err)
		}
		all = append(all, ex)
	}
	return all, nil
}

// exemplar returns the exemplar of a row.
func (r *contextRow) exemplar() (text.Exemplar, error) {
	doc, offsets := &text.Document{ID: r.PMID, Text: r.Text}, text.NewOffsets(r.Text)
	for _, m := range r.Mentions {
		bytes, ok := offsets.Bytes(text.Span{Start: int(m.Start), End: int(m.End)})
		if !ok || bytes.Start >= bytes.End {
			return text.Exemplar{}, fmt.Errorf("mention spans code points %d to %d of a text of %d code points", m.Start,
				m.End, offsets.Len())
		}
		doc.Mentions = append(doc.Mentions, text.Mention{Span: bytes, Name: m.Name, LongForm: m.LongForm, Concepts: m.Concepts})
	}
	if r.Mention < 0 || int(r.Mention) >= len(doc.Mentions) {
		return text.Exemplar{}, fmt.Errorf("mention is %d, want 0 to %d", r.Mention, len(doc.Mentions)-1)
	}
	whole := text.Span{Start: 0, End: len(doc.Text)}
	return text.Exemplar{Query: text.Query{Document: doc, Mention: doc.Mentions[r.Mention], Sentence: whole}}, nil
}
