package dictionary

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"ctxnorm"
	"ctxnorm/corpus/internal/input"
)

// collector gathers the concepts of one file and counts what is left out.
type collector struct {
	file     string
	opts     Options
	report   Report
	concepts []ctxnorm.Concept
	given    int // names that are not empty, repeated ones included
}

func newCollector(file string, opts Options) *collector {
	if opts.Language == "" {
		opts.Language = defaultLanguage
	}
	if opts.MaxErrors == 0 {
		opts.MaxErrors = defaultMaxErrors
	}
	return &collector{file: file, opts: opts}
}

// add takes a concept, or more names of one.
func (c *collector) add(concept ctxnorm.Concept) {
	for _, name := range concept.Names() {
		if strings.TrimSpace(name) == "" {
			c.report.EmptyNames++
		} else {
			c.given++
		}
	}
	c.concepts = append(c.concepts, concept)
}

// addNames takes a concept whose preferred name is the first that is not empty.
func (c *collector) addNames(id ctxnorm.ConceptID, names []string, altIDs ...ctxnorm.ConceptID) {
	for i, name := range names {
		if strings.TrimSpace(name) != "" {
			c.report.EmptyNames += i
			c.add(ctxnorm.Concept{ID: id, Name: name, Synonyms: names[i+1:], AltIDs: altIDs})
			return
		}
	}
	c.add(ctxnorm.Concept{ID: id, Synonyms: names, AltIDs: altIDs})
}

// bad counts a bad row. The error is the row's own where the options are
// strict, and nil where reading goes on.
func (c *collector) bad(line int, want, got string) error {
	row := &RowError{File: c.file, Line: line, Want: want, Got: got}
	c.report.BadRows++
	if len(c.report.Errors) < c.opts.MaxErrors {
		c.report.Errors = append(c.report.Errors, row)
	}
	if c.opts.Strict {
		return row
	}
	return nil
}

// next is the next line that can be read: those that cannot are bad rows.
func (c *collector) next(lines *input.Lines) (string, error) {
	for {
		text, err := lines.Next()
		bad, ok := err.(*input.LineError)
		if !ok {
			return text, err
		}
		c.report.Rows++
		if err := c.bad(lines.Number(), bad.Want, bad.Got); err != nil {
			return "", err
		}
	}
}

// eachLine calls row with every line that is not blank.
func (c *collector) eachLine(lines *input.Lines, row func(text string, line int) error) error {
	for {
		text, err := c.next(lines)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		c.report.Rows++
		if err := row(text, lines.Number()); err != nil {
			return err
		}
	}
}

// dictionary is what was gathered; the report is complete with it.
func (c *collector) dictionary() *ctxnorm.Dictionary {
	d := ctxnorm.NewDictionary(c.concepts)
	c.report.Concepts = d.Len()
	c.report.Names = d.CountNames()
	c.report.DuplicateNames = c.given - c.report.Names
	for i := range d.Len() {
		c.report.AltIDs += len(d.At(i).AltIDs)
	}
	return d
}

// wrap names the file in an error that does not name it yet.
func (c *collector) wrap(err error) error {
	var named *RowError
	if err == nil || errors.As(err, &named) {
		return err
	}
	return fmt.Errorf("%s: %w", c.file, err)
}

// nothing is the error for a file without a concept.
func (c *collector) nothing() error {
	err := fmt.Errorf("%s: no concept in %d rows of %s", c.file, c.report.Rows, c.report.Format)
	if len(c.report.Errors) > 0 {
		err = fmt.Errorf("%w; the first bad row is %w", err, c.report.Errors[0])
	}
	return err
}

// isNone reports whether a cell says that there is nothing to put in it.
func isNone[T ~string](cell T) bool { return cell == "-" || cell == "-1" }

// splitIDs takes the identifiers out of a cell: "D001|D002".
func splitIDs(cell string) []ctxnorm.ConceptID {
	var ids []ctxnorm.ConceptID
	for id := range strings.SplitSeq(cell, "|") {
		if id = strings.TrimSpace(id); id != "" {
			ids = append(ids, ctxnorm.ConceptID(id))
		}
	}
	return ids
}

// quote shows a text in an error, cut to a length that fits in a line.
func quote(text string) string {
	const most = 60 // characters
	if runes := []rune(text); len(runes) > most {
		return fmt.Sprintf("%q…", string(runes[:most]))
	}
	return fmt.Sprintf("%q", text)
}
