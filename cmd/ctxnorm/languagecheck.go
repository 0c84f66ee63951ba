package main

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/dustin/go-humanize/english"

	"github.com/ctxnorm/ctxnorm/internal/language"
)

// languageCheck counts the texts that seem to be in a language of which --assertion has the rules.
type languageCheck struct{ texts, known int }

// checkedTexts is the number of texts that are looked at, and shortText the length in bytes of those that say too
// little.
const (
	checkedTexts = 1000
	shortText    = 60
)

// add counts a text.
func (c *languageCheck) add(text string) {
	if c.texts == checkedTexts || len(text) < shortText {
		return
	}
	c.texts++
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if language.Rules.Frequent[strings.ToLower(word)] {
			c.known++
			return
		}
	}
}

// warn warns if most texts seem to be in another language.
func (c *languageCheck) warn(p *program) {
	var names []string
	for _, l := range language.Languages {
		if len(l.Assertion.Triggers) > 0 {
			names = append(names, l.Name)
		}
	}
	if other := c.texts - c.known; 2*other > c.texts {
		p.warn(fmt.Sprintf("seemingly not in %s, of which --assertion has the rules: %d of %s",
			english.WordSeries(names, "or"), other, english.Plural(c.texts, "text", "")),
			"what it says of other texts is not to be relied on")
	}
}
