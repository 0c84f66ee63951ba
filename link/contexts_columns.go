package link

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"ctxnorm"
)

// contextColumns are the columns of index/contexts.parquet. One by one they are read
// in a fifth of the time that rows take, which parquet-go fills by reflection.
type contextColumns struct {
	pmid, text stringValues // by row
	mention    int32Values  // by row
	mentions   int32Values  // row -> how many it has
	start, end int32Values  // by mention: those of row 0, of row 1, …
	name       stringValues // by mention
	concepts   int32Values  // mention -> how many it has
	concept    stringValues // those of mention 0, of mention 1, …
}

const (
	mentionColumn = "mention"
	conceptColumn = "mentions.list.element.concepts.list.element"
)

func (c *contextColumns) columns() []column {
	return []column{
		{"text", parquet.ByteArray, 0, &c.text},
		{"pmid", parquet.ByteArray, 0, &c.pmid},
		{mentionColumn, parquet.Int32, 0, &c.mention},
		{"mentions.list.element.start", parquet.Int32, 1, &listValues{&c.start, &c.mentions, 1}},
		{"mentions.list.element.end", parquet.Int32, 1, &c.end},
		{"mentions.list.element.name", parquet.ByteArray, 1, &c.name},
		{conceptColumn, parquet.ByteArray, 2, &listValues{&c.concept, &c.concepts, 2}},
	}
}

// readColumns reads columns of a file side by side.
func readColumns(file *parquet.File, columns []column) error {
	tasks := make([]func() error, len(columns))
	for i, column := range columns {
		tasks[i] = func() error {
			if err := column.read(file); err != nil {
				return fmt.Errorf("column %s: %w", column.path, err)
			}
			return nil
		}
	}
	return together(tasks...)
}

// column is a column of a file, in so many lists in each other, and where its values
// go, in their order.
type column struct {
	path  string
	kind  parquet.Kind
	depth int
	to    columnValues
}

// columnValues are those of a column. A null, in a list that is empty, is none.
type columnValues interface {
	grow(n int) // there will be about n more
	add([]parquet.Value)
}

// mostGrown bounds the room made for values that a file says it has.
const mostGrown = 1 << 20

func (c *column) read(file *parquet.File) error {
	leaf, ok := file.Schema().Lookup(strings.Split(c.path, ".")...)
	if !ok {
		return errors.New("is missing")
	}
	if got := leaf.Node.Type().Kind(); got != c.kind {
		return fmt.Errorf("is of type %v, want %v", got, c.kind)
	}
	// Equal levels say that nothing is optional: values are null in empty lists only.
	if leaf.MaxRepetitionLevel != c.depth || leaf.MaxDefinitionLevel != c.depth {
		return fmt.Errorf("has levels %d and %d, want %d and %d", leaf.MaxRepetitionLevel, leaf.MaxDefinitionLevel, c.depth, c.depth)
	}
	for _, group := range file.RowGroups() {
		chunk := group.ColumnChunks()[leaf.ColumnIndex]
		c.to.grow(int(max(0, min(chunk.NumValues(), mostGrown))))
		if err := eachValues(chunk.Pages(), c.to.add); err != nil {
			return err
		}
	}
	return nil
}

// eachValues gives the values of pages to do, some hundred at a time. A page header
// that is damaged makes parquet-go v0.32.0 panic.
func eachValues(pages parquet.Pages, do func([]parquet.Value)) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("is damaged: %v", p)
		}
		err = errors.Join(err, pages.Close())
	}()
	var values [256]parquet.Value
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for r := page.Values(); err == nil; {
			var n int
			n, err = r.ReadValues(values[:])
			do(values[:n])
		}
		parquet.Release(page)
		if !errors.Is(err, io.EOF) {
			return err
		}
	}
}

// exemplars puts the columns together.
func (c *contextColumns) exemplars() ([]ctxnorm.Exemplar, error) {
	rows, mentioned := len(c.mention), len(c.start)
	if len(c.pmid) != rows || len(c.text) != rows || len(c.mentions) != rows ||
		len(c.end) != mentioned || len(c.name) != mentioned || len(c.concepts) != mentioned {
		return nil, fmt.Errorf("columns of unequal length: %d, %d, %d and %d rows, %d, %d, %d and %d mentions",
			rows, len(c.pmid), len(c.text), len(c.mentions), mentioned, len(c.end), len(c.name), len(c.concepts))
	}
	concepts := make([]ctxnorm.ConceptID, len(c.concept))
	for i := range concepts {
		concepts[i] = ctxnorm.ConceptID(c.concept[i])
	}
	mentions := make([]ctxnorm.Mention, mentioned)
	for i := range mentions {
		n := c.concepts[i]
		span := ctxnorm.Span{Start: int(c.start[i]), End: int(c.end[i])}
		mentions[i] = ctxnorm.Mention{Span: span, Name: c.name[i], Concepts: concepts[:n:n]}
		concepts = concepts[n:]
	}
	docs := make([]ctxnorm.Document, rows)
	exemplars := make([]ctxnorm.Exemplar, rows)
	for i := range docs {
		n := c.mentions[i]
		docs[i] = ctxnorm.Document{ID: c.pmid[i], Text: c.text[i], Mentions: mentions[:n:n]}
		mentions = mentions[n:]
		var err error
		if exemplars[i], err = contextExemplar(&docs[i], int(c.mention[i])); err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
	}
	return exemplars, nil
}

// contextExemplar is the exemplar of the nth mention of a sentence.
func contextExemplar(doc *ctxnorm.Document, nth int) (ctxnorm.Exemplar, error) {
	if nth < 0 || nth >= len(doc.Mentions) {
		return ctxnorm.Exemplar{}, fmt.Errorf("mention %d of %d", nth, len(doc.Mentions))
	}
	for _, m := range doc.Mentions {
		if m.Start < 0 || m.Start >= m.End || m.End > len(doc.Text) {
			return ctxnorm.Exemplar{}, fmt.Errorf("mention %d:%d of a text of %d bytes", m.Start, m.End, len(doc.Text))
		}
	}
	whole := ctxnorm.Span{Start: 0, End: len(doc.Text)}
	return ctxnorm.Exemplar{Query: ctxnorm.Query{Document: doc, Mention: doc.Mentions[nth], Sentence: whole}}, nil
}

// stringValues are strings, some hundred of which share an allocation.
type stringValues []string

func (t *stringValues) grow(n int) { *t = slices.Grow(*t, n) }

func (t *stringValues) add(values []parquet.Value) {
	size := 0
	for _, v := range values {
		size += len(v.ByteArray())
	}
	var all strings.Builder
	all.Grow(size)
	for _, v := range values {
		if !v.IsNull() {
			start := all.Len()
			all.Write(v.ByteArray())
			*t = append(*t, all.String()[start:])
		}
	}
}

type int32Values []int32

func (n *int32Values) grow(more int) { *n = slices.Grow(*n, more) }

func (n *int32Values) add(values []parquet.Value) {
	for _, v := range values {
		if !v.IsNull() {
			*n = append(*n, v.Int32())
		}
	}
}

// listValues are values in lists, so many of which lie in each other, and the lengths of
// the innermost.
type listValues struct {
	columnValues
	lengths *int32Values
	depth   int
}

func (l *listValues) grow(n int) {
	l.lengths.grow(n) // of lists of one, as most are
	l.columnValues.grow(n)
}

// add also counts. Levels are Dremel's (Melnik et al., VLDB 2010): a value goes on with
// the list of its repetition level, and is there as deep as its definition level.
func (l *listValues) add(values []parquet.Value) {
	n := l.lengths
	for _, v := range values {
		if v.RepetitionLevel() < l.depth && v.DefinitionLevel() >= l.depth-1 {
			*n = append(*n, 0)
		}
		if v.RepetitionLevel() <= l.depth && v.DefinitionLevel() >= l.depth && len(*n) > 0 {
			(*n)[len(*n)-1]++
		}
	}
	l.columnValues.add(values)
}
