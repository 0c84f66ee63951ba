package model

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// contextColumns holds the columns of index/contexts.parquet. Reading the file column by
// column takes a fifth of the time of reading it by rows, which parquet-go fills by
// reflection.
type contextColumns struct {
	pmid, text stringValues // by row
	mention    int32Values  // by row
	mentions   int32Values  // row -> number of its mentions
	start, end int32Values  // by mention: those of row 0, of row 1, …
	name       stringValues // by mention
	longForm   stringValues // by mention
	concepts   int32Values  // mention -> number of its concepts
	concept    stringValues // by concept: those of mention 0, of mention 1, …
}

const (
	mentionColumn  = "mention"
	wordColumn     = "words.list.element"
	longFormColumn = "mentions.list.element.long_form"
	conceptColumn  = "mentions.list.element.concepts.list.element"
)

// columns returns the columns that are read.
func (c *contextColumns) columns() []column {
	return []column{
		{"text", parquet.ByteArray, 0, &c.text},
		{"pmid", parquet.ByteArray, 0, &c.pmid},
		{mentionColumn, parquet.Int32, 0, &c.mention},
		{"mentions.list.element.start", parquet.Int32, 1, &listValues{&c.start, &c.mentions, 1}},
		{"mentions.list.element.end", parquet.Int32, 1, &c.end},
		{"mentions.list.element.name", parquet.ByteArray, 1, &c.name},
		{conceptColumn, parquet.ByteArray, 2, &listValues{&c.concept, &c.concepts, 2}},
		{longFormColumn, parquet.ByteArray, 1, &c.longForm},
	}
}

// readColumns reads columns of a file concurrently.
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
	return parallel.Do(tasks...)
}

// column describes a column of a file and where its values go.
type column struct {
	path  string // dot-separated
	kind  parquet.Kind
	depth int // number of nested lists
	to    columnValues
}

// columnValues collects the values of a column in their order. A null stands for an
// empty list and adds no value.
type columnValues interface {
	grow(n int) // makes room for about n more values
	add([]parquet.Value)
}

// maxGrow bounds the room made for the number of values that a file claims to have.
const maxGrow = 1 << 20 // values

func (c *column) read(file *parquet.File) error {
	leaf, ok := file.Schema().Lookup(strings.Split(c.path, ".")...)
	if !ok {
		return errors.New("is missing")
	}
	if got := leaf.Node.Type().Kind(); got != c.kind {
		return fmt.Errorf("is of type %v, want %v", got, c.kind)
	}
	// Equal levels mean that nothing is optional: only an empty list has a null.
	if leaf.MaxRepetitionLevel != c.depth || leaf.MaxDefinitionLevel != c.depth {
		return fmt.Errorf("has repetition level %d and definition level %d, want %d and %d",
			leaf.MaxRepetitionLevel, leaf.MaxDefinitionLevel, c.depth, c.depth)
	}
	for _, group := range file.RowGroups() {
		chunk := group.ColumnChunks()[leaf.ColumnIndex]
		c.to.grow(int(max(0, min(chunk.NumValues(), maxGrow))))
		if err := eachValues(chunk.Pages(), c.to.add); err != nil {
			return err
		}
	}
	return nil
}

// eachValues calls do with the values of pages, up to 256 at a time. It turns a panic of
// parquet-go v0.32.0 at a damaged page header into an error.
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

// exemplars assembles the columns into exemplars.
func (c *contextColumns) exemplars() ([]text.Exemplar, error) {
	nRows, nMentions := len(c.mention), len(c.start)
	if len(c.pmid) != nRows || len(c.text) != nRows || len(c.mentions) != nRows ||
		len(c.end) != nMentions || len(c.name) != nMentions || len(c.concepts) != nMentions ||
		len(c.longForm) != nMentions {
		return nil, fmt.Errorf("columns differ in length: %d, %d, %d and %d rows, %d, %d, %d, %d and %d mentions",
			nRows, len(c.pmid), len(c.text), len(c.mentions), nMentions, len(c.end), len(c.name), len(c.concepts),
			len(c.longForm))
	}
	concepts := make([]kb.ConceptID, len(c.concept))
	for i := range concepts {
		concepts[i] = kb.ConceptID(c.concept[i])
	}
	mentions := make([]text.Mention, nMentions)
	for i := range mentions {
		n := c.concepts[i]
		span := text.Span{Start: int(c.start[i]), End: int(c.end[i])}
		mentions[i] = text.Mention{Span: span, Name: c.name[i], Concepts: concepts[:n:n], LongForm: c.longForm[i]}
		concepts = concepts[n:]
	}
	docs := make([]text.Document, nRows)
	exemplars := make([]text.Exemplar, nRows)
	for i := range docs {
		n := c.mentions[i]
		docs[i] = text.Document{ID: c.pmid[i], Text: c.text[i], Mentions: mentions[:n:n]}
		mentions = mentions[n:]
		err := toByteOffsets(&docs[i])
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
		if exemplars[i], err = contextExemplar(&docs[i], int(c.mention[i])); err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
	}
	return exemplars, nil
}

// toByteOffsets replaces the code point offsets of the mentions by byte offsets.
func toByteOffsets(doc *text.Document) error {
	offsets := text.NewOffsets(doc.Text)
	for i := range doc.Mentions {
		m := &doc.Mentions[i]
		bytes, ok := offsets.Bytes(m.Span)
		if !ok {
			return fmt.Errorf("mention spans code points %d to %d of a text of %d code points", m.Start, m.End,
				offsets.Len())
		}
		m.Span = bytes
	}
	return nil
}

// contextExemplar returns the exemplar of the nth mention of a sentence, counted from 0.
func contextExemplar(doc *text.Document, nth int) (text.Exemplar, error) {
	if nth < 0 || nth >= len(doc.Mentions) {
		return text.Exemplar{}, fmt.Errorf("mention is %d, want 0 to %d", nth, len(doc.Mentions)-1)
	}
	for _, m := range doc.Mentions {
		if m.Start < 0 || m.Start >= m.End || m.End > len(doc.Text) {
			return text.Exemplar{}, fmt.Errorf("mention spans bytes %d to %d of a text of %d bytes", m.Start, m.End,
				len(doc.Text))
		}
	}
	whole := text.Span{Start: 0, End: len(doc.Text)}
	return text.Exemplar{Query: text.Query{Document: doc, Mention: doc.Mentions[nth], Sentence: whole}}, nil
}

// stringValues collects strings. Those of one call of add share an allocation.
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

// wordValues collects strings of which most are repeated, as numbers.
type wordValues struct {
	values []int32
	words  []string // by number
	number map[string]int32
}

func (w *wordValues) grow(n int) { w.values = slices.Grow(w.values, n) }

func (w *wordValues) add(values []parquet.Value) {
	for _, v := range values {
		if v.IsNull() {
			continue
		}
		number, known := w.number[string(v.ByteArray())]
		if !known {
			number = int32(len(w.words))
			word := string(v.ByteArray())
			w.words, w.number[word] = append(w.words, word), number
		}
		w.values = append(w.values, number)
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

// listValues collects the values of nested lists and the lengths of the innermost lists.
type listValues struct {
	columnValues
	lengths *int32Values
	depth   int // number of nested lists
}

func (l *listValues) grow(n int) {
	l.lengths.grow(n) // most lists have one value
	l.columnValues.grow(n)
}

// add also counts the lengths of lists. Levels are those of Dremel (Melnik et al., VLDB
// 2010): a value continues the list of its repetition level and exists down to its
// definition level.
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
