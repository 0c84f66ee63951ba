package measure

import "strings"

// Table is a table of GitHub Flavored Markdown, whose first columns hold words and the
// others figures.
func Table(header []string, words int, rows [][]string) string {
	rule := make([]string, len(header))
	for i := range rule {
		if rule[i] = "---:"; i < words {
			rule[i] = "---"
		}
	}
	var b strings.Builder
	for _, row := range append([][]string{header, rule}, rows...) {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	return b.String()
}
