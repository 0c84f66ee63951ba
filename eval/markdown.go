package eval

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// WriteMarkdown writes the report as tables of GitHub Flavored Markdown
// (https://github.github.com/gfm/#tables-extension-).
func WriteMarkdown(w io.Writer, r *Report) error {
	b := bufio.NewWriter(w)
	for _, fact := range facts(r) {
		fmt.Fprintf(b, "- %s: %s\n", fact[0], escapeMarkdown(fact[1]))
	}
	for _, part := range tables(r) {
		fmt.Fprintf(b, "\n## %s\n\n", part.title)
		markdownRow(b, part.header)
		rule := make([]string, len(part.header))
		for i := range rule {
			rule[i] = "---"
			if i >= part.number {
				rule[i] = "---:"
			}
		}
		markdownRow(b, rule)
		for _, row := range part.rows {
			markdownRow(b, row)
		}
	}
	return b.Flush()
}

func markdownRow(w io.Writer, cells []string) {
	escaped := make([]string, len(cells))
	for i, cell := range cells {
		escaped[i] = escapeMarkdown(cell)
	}
	fmt.Fprintf(w, "| %s |\n", strings.Join(escaped, " | "))
}

// escapeMarkdown keeps file names and linkers' names from being read as markup.
func escapeMarkdown(text string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "\n", " ").Replace(text)
}
