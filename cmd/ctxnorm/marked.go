package main

import (
	"strings"

	"github.com/ctxnorm/ctxnorm/text"
)

// marked is the text of a document with "[ENT] … [/ENT]" around its mentions.
func marked(doc *text.Document) string {
	var b strings.Builder
	end := 0
	for _, m := range doc.Mentions {
		if m.Start < end { // inside the mention before it
			continue
		}
		b.WriteString(doc.Text[end:m.Start])
		b.WriteString("[ENT] ")
		b.WriteString(m.Of(doc.Text))
		b.WriteString(" [/ENT]")
		end = m.End
	}
	b.WriteString(doc.Text[end:])
	return b.String()
}
