package eval

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// WriteText writes a complete report as aligned tables.
func (r *Report) WriteText(w io.Writer) error { return writeText(w, facts(r), tables(r), "") }

// writeText writes facts, tables, each with its own columns, and a note, which may be empty.
func writeText(w io.Writer, about []fact, tables []table, note string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, fact := range about {
		fmt.Fprintf(t, "%s\t%s\n", fact.label, fact.value)
	}
	for _, table := range tables {
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintf(t, "\n%s\n\n%s\n", table.title, strings.Join(table.header, "\t"))
		for _, row := range table.rows {
			fmt.Fprintln(t, strings.Join(row, "\t"))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if note == "" {
		return nil
	}
	_, err := fmt.Fprintf(w, "\n%s\n", note)
	return err
}

// WriteMarkdown writes a report as tables of GitHub Flavored Markdown
// (https://github.github.com/gfm/#tables-extension-).
func (r *Report) WriteMarkdown(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, fact := range facts(r) {
		fmt.Fprintf(b, "- %s: %s\n", fact.label, escapeMarkdown(fact.value))
	}
	for _, table := range tables(r) {
		fmt.Fprintf(b, "\n## %s\n\n", table.title)
		writeMarkdownRow(b, table.header)
		writeMarkdownRow(b, slices.Concat(slices.Repeat([]string{"---"}, table.firstNumber),
			slices.Repeat([]string{"---:"}, len(table.header)-table.firstNumber)))
		for _, row := range table.rows {
			writeMarkdownRow(b, row)
		}
	}
	return b.Flush()
}

func writeMarkdownRow(w io.Writer, cells []string) {
	for _, cell := range cells {
		fmt.Fprintf(w, "| %s ", escapeMarkdown(cell))
	}
	fmt.Fprintln(w, "|")
}

// escapeMarkdown escapes file names and linkers' names so that they are not interpreted as markup.
func escapeMarkdown(s string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "\n", " ").Replace(s)
}
