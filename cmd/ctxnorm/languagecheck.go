package main

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/dustin/go-humanize/english"

	"github.com/ctxnorm/ctxnorm/internal/language"
)

// languageCheck counts the texts that seem to be in English, the language of the rules of --assertion.
type languageCheck struct{ texts, english int }

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
		if language.English.Frequent[strings.ToLower(word)] {
			c.english++
			return
		}
	}
}

// warn warns if most texts seem to be in another language.
func (c *languageCheck) warn(p *program) {
	if other := c.texts - c.english; 2*other > c.texts {
		p.warn(fmt.Sprintf("seemingly not in %s, of which --assertion has the rules: %d of %s", language.English.Name,
			other, english.Plural(c.texts, "text", "")),
			"what it says of other texts is not to be relied on")
	}
}
