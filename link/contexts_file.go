package link

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"

	"ctxnorm"
)

// contextRow is a row of index/contexts.parquet: row i is the exemplar whose
// vector is row i of index/contexts.npy. Offsets are bytes of the UTF-8 text.
type contextRow struct {
	PMID     string       `parquet:"pmid,zstd"`
	Text     string       `parquet:"text,zstd"`
	Mention  int32        `parquet:"mention"` // which of Mentions the exemplar is
	Mentions []mentionRow `parquet:"mentions,list"`
}

type mentionRow struct {
	Start    int32    `parquet:"start"`
	End      int32    `parquet:"end"`
	Name     string   `parquet:"name,zstd"`
	Concepts []string `parquet:"concepts,list"`
}

// rowsPerRead is how many rows are decoded at a time.
const rowsPerRead = 1024

func writeContexts(path string, contexts []ctxnorm.Exemplar) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := parquet.NewGenericWriter[contextRow](f)
	for i := range contexts {
		if _, err := w.Write([]contextRow{rowOf(&contexts[i])}); err != nil {
			return fmt.Errorf("%s: row %d: %w", path, i, err)
		}
	}
	return errors.Join(w.Close(), f.Close())
}

func rowOf(ex *ctxnorm.Exemplar) contextRow {
	row := contextRow{PMID: ex.ID, Text: ex.Text, Mentions: make([]mentionRow, len(ex.Mentions))}
	for i, m := range ex.Mentions {
		concepts := make([]string, len(m.Concepts))
		for j, id := range m.Concepts {
			concepts[j] = string(id)
		}
		row.Mentions[i] = mentionRow{int32(m.Start), int32(m.End), m.Name, concepts}
		if m.Span == ex.Mention.Span {
			row.Mention = int32(i)
		}
	}
	return row
}

func readContexts(path string) ([]ctxnorm.Exemplar, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	file, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r := parquet.NewGenericReader[contextRow](file)
	defer r.Close()
	contexts := make([]ctxnorm.Exemplar, 0, r.NumRows())
	rows := make([]contextRow, rowsPerRead)
	for {
		n, err := r.Read(rows)
		for i := range rows[:n] {
			ex, invalid := rows[i].exemplar()
			if invalid != nil {
				return nil, fmt.Errorf("%s: row %d: %w", path, len(contexts), invalid)
			}
			contexts = append(contexts, ex)
		}
		clear(rows[:n]) // the next read must not write into slices that exemplars keep
		if errors.Is(err, io.EOF) {
			return contexts, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
}

func (row *contextRow) exemplar() (ctxnorm.Exemplar, error) {
	if row.Mention < 0 || int(row.Mention) >= len(row.Mentions) {
		return ctxnorm.Exemplar{}, fmt.Errorf("mention %d of %d", row.Mention, len(row.Mentions))
	}
	doc := &ctxnorm.Document{ID: row.PMID, Text: row.Text, Mentions: make([]ctxnorm.Mention, len(row.Mentions))}
	for i, m := range row.Mentions {
		if m.Start < 0 || m.Start >= m.End || int(m.End) > len(row.Text) {
			return ctxnorm.Exemplar{}, fmt.Errorf("mention %d:%d of a text of %d bytes", m.Start, m.End, len(row.Text))
		}
		concepts := make([]ctxnorm.ConceptID, len(m.Concepts))
		for j, id := range m.Concepts {
			concepts[j] = ctxnorm.ConceptID(id)
		}
		doc.Mentions[i] = ctxnorm.Mention{Span: ctxnorm.Span{Start: int(m.Start), End: int(m.End)}, Name: m.Name, Concepts: concepts}
	}
	whole := ctxnorm.Span{Start: 0, End: len(doc.Text)}
	return ctxnorm.Exemplar{Query: ctxnorm.Query{Document: doc, Mention: doc.Mentions[row.Mention], Sentence: whole}}, nil
}
