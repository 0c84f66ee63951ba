package dictionary

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"ctxnorm"
	"ctxnorm/corpus/internal/input"
)

// Options say how a dictionary is read. The zero value suits most files.
type Options struct {
	// Format forces a format; empty recognises it by content.
	Format Format
	// Strict makes the first bad row the error of Read. Otherwise bad rows are
	// counted in the report and left out.
	Strict bool
	// Language is the LAT of the MRCONSO rows that are read. Empty is "ENG",
	// "*" is all.
	Language string
	// MaxErrors is how many bad rows the report lists. 0 is 20.
	MaxErrors int
}

const (
	defaultLanguage  = "ENG"
	defaultMaxErrors = 20
)

// Read reads the dictionary at path, "-" for stdin. A file without a single
// concept in it is an error. The report is never nil: with an error it counts
// what was read before it.
func Read(path string, opts Options) (*ctxnorm.Dictionary, *Report, error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, &Report{}, err
	}
	defer file.Close()
	return read(file.Reader, input.Name(path), opts)
}

func read(r *bufio.Reader, name string, opts Options) (*ctxnorm.Dictionary, *Report, error) {
	c := newCollector(name, opts)
	if err := c.read(r); err != nil {
		return nil, &c.report, c.wrap(err)
	}
	d := c.dictionary()
	if d.Len() == 0 {
		return nil, &c.report, c.nothing()
	}
	return d, &c.report, nil
}

// read recognises the format and reads all rows.
func (c *collector) read(r *bufio.Reader) error {
	format := c.opts.Format
	if format == "" {
		head, err := r.Peek(r.Size())
		if err != nil && err != io.EOF {
			return err
		}
		if len(head) == 0 {
			return errors.New("the file is empty")
		}
		if format = detect(head); format == "" {
			return fmt.Errorf("format not recognised by its first line %s: want one of %v", quote(firstRow(head)), Formats())
		}
	}
	c.report.Format = format
	lines := input.NewLines(r)
	switch format {
	case TSV, CSV, CTD:
		return c.readTable(r, lines)
	case OBO:
		return c.readOBO(lines)
	case MRCONSO:
		return c.readMRCONSO(lines)
	case BioSyn:
		return c.readBioSyn(lines)
	case JSONL:
		return c.readJSONL(lines)
	case JSON:
		return c.readJSON(r)
	}
	return fmt.Errorf("dictionary format %q: want one of %v", format, Formats())
}
