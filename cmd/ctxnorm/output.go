package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"text/tabwriter"
)

// output is standard output. It keeps the first error of a write, which run reports, so
// that a command that prints need not check each write.
//
// A closed pipe is no such error: SIGPIPE ends the program when it writes to one as
// standard output, quietly, as other programs of a pipeline end.
type output struct {
	w   io.Writer
	err error // of the first write that failed
}

func (o *output) Write(data []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(data)
	if err != nil {
		if path, ok := errors.AsType[*fs.PathError](err); ok {
			err = path.Err // without "write /dev/stdout", a name that may be another file's
		}
		o.err = fmt.Errorf("standard output: %w", err)
	}
	return n, o.err
}

// printRows prints rows in columns.
func (p *program) printRows(rows [][]string) error {
	t := newTable(p.stdout)
	for _, row := range rows {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	return t.Flush()
}

// newTable returns a writer of columns, which are aligned when it is flushed.
func newTable(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }
