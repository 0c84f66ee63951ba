package model

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/internal/parquetfile"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// contextRow is a row of index/contexts.parquet. Row i holds the exemplar whose vector
// is row i of index/contexts.npy. Offsets count Unicode code points of the text, as the
// metadata of the file says.
type contextRow struct {
	PMID     string       `parquet:"pmid,zstd"`
	Text     string       `parquet:"text,zstd"`
	Mention  int32        `parquet:"mention"` // position of the exemplar's mention in Mentions
	Mentions []mentionRow `parquet:"mentions,list"`
	Words    []string     `parquet:"words,list" parquet-element:",dict,zstd"` // see [sense.ContextWords]; none of hidden definitions
}

type mentionRow struct {
	Start    int32    `parquet:"start"`
	End      int32    `parquet:"end"`
	Name     string   `parquet:"name,zstd"`
	LongForm string   `parquet:"long_form,zstd"`
	Concepts []string `parquet:"concepts,list"`
}

// rowsPerWrite is the number of rows that are in memory while they are written.
const rowsPerWrite = 4096

// writeContexts writes contexts, with their words if asked.
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
						rows[i].Words = sense.ContextWords(&part[i].Query)
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
		concepts := make([]string, len(m.Concepts))
		for j, id := range m.Concepts {
			concepts[j] = string(id)
		}
		at := offsets.CodePoints(m.Span)
		row.Mentions[i] = mentionRow{int32(at.Start), int32(at.End), m.Name, m.LongForm, concepts}
		if m.Span == ex.Mention.Span {
			row.Mention = int32(i)
		}
	}
	return row
}

// contextFile is an open index/contexts.parquet. Linking reads only the concepts of its
// rows, an eighth of the file, and their words for a short form or an ordinary word.
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
	file, err := parquetfile.Open(f, info.Size())
	if err != nil {
		return nil, errors.Join(artifact.Damaged(path, "%v", err), f.Close())
	}
	return &contextFile{f, file}, nil
}

// readConcepts reads the concepts of each row.
func (f *contextFile) readConcepts(dict *kb.Dictionary) (rowConcepts, error) {
	rows, err := readRowConcepts(f.parquet, dict)
	if err != nil {
		return rowConcepts{}, artifact.Damaged(f.Name(), "%v", err)
	}
	return rows, nil
}

// readExemplars reads the whole file, its columns concurrently.
func (f *contextFile) readExemplars() ([]text.Exemplar, error) {
	var c contextColumns
	if err := readColumns(f.parquet, c.columns()); err != nil {
		return nil, artifact.Damaged(f.Name(), "%v", err)
	}
	contexts, err := c.exemplars()
	if err != nil {
		return nil, artifact.Damaged(f.Name(), "%v", err)
	}
	return contexts, nil
}

// contextWords holds the words of contexts, each word once.
type contextWords struct {
	numbers   wordValues
	ends      []int32  // row -> end of its words in numbers.values
	longForms []string // of the mentions that the rows are about
}

// of returns the words of a row.
func (w *contextWords) of(row int) []string {
	start := int32(0)
	if row > 0 {
		start = w.ends[row-1]
	}
	words := make([]string, w.ends[row]-start)
	for i, number := range w.numbers.values[start:w.ends[row]] {
		words[i] = w.numbers.words[number]
	}
	return words
}

// readWords reads the words and the long forms of the rows, of which there are n.
func (f *contextFile) readWords(n int) (*contextWords, error) {
	w := &contextWords{numbers: wordValues{number: make(map[string]int32)}}
	var mention, mentions, counts int32Values
	var longForms stringValues // by mention
	err := readColumns(f.parquet, []column{
		{mentionColumn, parquet.Int32, 0, &mention},
		{longFormColumn, parquet.ByteArray, 1, &listValues{&longForms, &mentions, 1}},
		{wordColumn, parquet.ByteArray, 1, &listValues{&w.numbers, &counts, 1}},
	})
	if err == nil && (len(mention) != n || len(mentions) != n || len(counts) != n) {
		err = fmt.Errorf("columns differ in length: %d, %d and %d rows, want %d", len(mention), len(mentions), len(counts), n)
	}
	if err != nil {
		return nil, artifact.Damaged(f.Name(), "%v", err)
	}
	end := int32(0)
	for row, nth := range mention {
		if nth < 0 || nth >= mentions[row] || int(mentions[row]) > len(longForms) {
			return nil, artifact.Damaged(f.Name(), "row %d: mention is %d, want 0 to %d", row, nth, mentions[row]-1)
		}
		w.longForms = append(w.longForms, strings.Clone(longForms[nth])) // most are empty, the rest shares memory
		longForms = longForms[mentions[row]:]
		end += counts[row]
		w.ends = append(w.ends, end)
	}
	if int(end) != len(w.numbers.values) {
		return nil, artifact.Damaged(f.Name(), "has %d words, and rows for %d", len(w.numbers.values), end)
	}
	return w, nil
}

// readRowConcepts reads the concepts of the mention that each row is about.
func readRowConcepts(file *parquet.File, dict *kb.Dictionary) (rowConcepts, error) {
	c := conceptColumnReader{dict: dict}
	if err := readColumns(file, []column{{mentionColumn, parquet.Int32, 0, &c.mention}}); err != nil {
		return rowConcepts{}, err
	}
	if err := readColumns(file, []column{{conceptColumn, parquet.ByteArray, 2, &c}}); err != nil {
		return rowConcepts{}, err
	}
	return c.rows, c.check()
}

// conceptColumnReader collects, from the column with the concepts of all mentions of a
// row, those of the mention that the row is about.
type conceptColumnReader struct {
	dict     *kb.Dictionary
	mention  int32Values // row -> position of its mention
	mentions int32Values // row -> number of its mentions
	rows     rowConcepts // -1 for a concept that is not in the dictionary
}

func (c *conceptColumnReader) grow(n int) {
	c.mentions.grow(min(n, len(c.mention)))
	c.rows.grow(min(n, len(c.mention)))
}

// add reads the levels as [listValues] does: repetition level 0 starts a row, and level
// 1 a mention of it.
func (c *conceptColumnReader) add(values []parquet.Value) {
	for _, v := range values {
		repetition, definition := v.RepetitionLevel(), v.DefinitionLevel()
		if repetition == 0 {
			c.mentions = append(c.mentions, 0)
			c.rows.add()
		}
		row := len(c.mentions) - 1
		if row < 0 || row >= len(c.mention) {
			continue // the file is damaged
		}
		if repetition <= 1 && definition >= 1 {
			c.mentions[row]++
		}
		if definition == 2 && c.mentions[row]-1 == c.mention[row] {
			i, known := c.dict.Index(kb.ConceptID(v.ByteArray()))
			if !known {
				i = -1
			}
			c.rows.concepts = append(c.rows.concepts, int32(i))
			c.rows.ends[row]++
		}
	}
}

// check returns an error for a row without a mention or with a concept that is not in
// the dictionary.
func (c *conceptColumnReader) check() error {
	if len(c.mention) != len(c.mentions) {
		return fmt.Errorf("columns differ in length: %d and %d rows", len(c.mention), len(c.mentions))
	}
	for row, nth := range c.mention {
		if nth < 0 || nth >= c.mentions[row] {
			return fmt.Errorf("row %d: mention is %d, want 0 to %d", row, nth, c.mentions[row]-1)
		}
		if slices.Contains(c.rows.of(int32(row)), -1) {
			return fmt.Errorf("row %d: a concept is not in the dictionary", row)
		}
	}
	return nil
}
