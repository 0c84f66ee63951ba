package link

import (
	"errors"
	"fmt"
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

// contextFile is an open index/contexts.parquet, of which linking reads a sixth: whose
// the rows are.
type contextFile struct {
	*os.File
	parquet *parquet.File
}

func openContexts(path string) (*contextFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	file, err := parquet.OpenFile(f, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return &contextFile{f, file}, nil
}

// readConcepts reads whose the rows are.
func (f *contextFile) readConcepts(dict *ctxnorm.Dictionary) (rowConcepts, error) {
	rows, err := readRowConcepts(f.parquet, dict)
	if err != nil {
		return rowConcepts{}, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return rows, nil
}

// readExemplars reads all that writeContexts wrote, on all cores.
func (f *contextFile) readExemplars() ([]ctxnorm.Exemplar, error) {
	var c contextColumns
	if err := readColumns(f.parquet, c.columns()); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	contexts, err := c.exemplars()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return contexts, nil
}
