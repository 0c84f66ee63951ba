package main

import (
	"fmt"

	"github.com/dustin/go-humanize/english"

	"github.com/ctxnorm/ctxnorm/internal/language"
)

// languageCheck counts the texts that appear to be in a language that --assertion supports.
type languageCheck struct{ texts, known int }

// checkedTexts is the number of texts to check.
const checkedTexts = 1000

// add counts a text.
func (c *languageCheck) add(text string) {
	if c.texts == checkedTexts {
		return
	}
	c.texts++
	if language.MayAssert(text) {
		c.known++
	}
}

// warn warns if most texts appear to be in an unsupported language.
func (c *languageCheck) warn(p *program) {
	var names []string
	for _, l := range language.Languages {
		if len(l.Assertion.Triggers) > 0 {
			names = append(names, l.Name)
		}
	}
	if other := c.texts - c.known; 2*other > c.texts {
		p.warn(fmt.Sprintf("seemingly not in %s, of which --assertion has the rules: %d of %s",
			english.WordSeries(names, "or"), other, plural(c.texts, "text")),
			"tables say nothing of the status there, and other formats are not to be relied on")
	}
}
