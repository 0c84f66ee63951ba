package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/ctxnorm/ctxnorm/eval"
)

// WriteText writes a report as aligned tables for a terminal. It leaves out the
// longest tables, which WriteMarkdown writes.
func WriteText(w io.Writer, r *eval.Report) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, fact := range facts(r) {
		fmt.Fprintf(t, "%s\t%s\n", fact[0], fact[1])
	}
	for _, table := range tables(r) {
		if table.long {
			continue
		}
		if err := t.Flush(); err != nil { // each table aligns its own columns
			return err
		}
		fmt.Fprintf(t, "\n%s\n\n%s\n", table.title, strings.Join(table.header, "\t"))
		for _, row := range table.rows {
			fmt.Fprintln(t, strings.Join(row, "\t"))
		}
	}
	return t.Flush()
}

// WriteMarkdown writes a report as tables of GitHub Flavored Markdown
// (https://github.github.com/gfm/#tables-extension-).
func WriteMarkdown(w io.Writer, r *eval.Report) error {
	b := bufio.NewWriter(w)
	for _, fact := range facts(r) {
		fmt.Fprintf(b, "- %s: %s\n", fact[0], escapeMarkdown(fact[1]))
	}
	for _, table := range tables(r) {
		fmt.Fprintf(b, "\n## %s\n\n", table.title)
		writeMarkdownRow(b, table.header)
		alignment := make([]string, len(table.header))
		for i := range alignment {
			alignment[i] = "---"
			if i >= table.firstNumber {
				alignment[i] = "---:"
			}
		}
		writeMarkdownRow(b, alignment)
		for _, row := range table.rows {
			writeMarkdownRow(b, row)
		}
	}
	return b.Flush()
}

func writeMarkdownRow(w io.Writer, cells []string) {
	escaped := make([]string, len(cells))
	for i, cell := range cells {
		escaped[i] = escapeMarkdown(cell)
	}
	fmt.Fprintf(w, "| %s |\n", strings.Join(escaped, " | "))
}

// escapeMarkdown escapes file names and linkers' names so that they are not
// interpreted as markup.
func escapeMarkdown(s string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "\n", " ").Replace(s)
}
