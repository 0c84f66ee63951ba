package eval

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// WriteText writes the report as tables for a terminal, which is all but the
// longest of them.
func WriteText(w io.Writer, r *Report) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, fact := range facts(r) {
		fmt.Fprintf(t, "%s\t%s\n", fact[0], fact[1])
	}
	for _, part := range tables(r) {
		if part.long {
			continue
		}
		if err := t.Flush(); err != nil { // columns line up within a table
			return err
		}
		fmt.Fprintf(t, "\n%s\n\n%s\n", part.title, strings.Join(part.header, "\t"))
		for _, row := range part.rows {
			fmt.Fprintln(t, strings.Join(row, "\t"))
		}
	}
	return t.Flush()
}
