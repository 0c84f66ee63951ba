package kbfile

import (
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// readBioSyn reads the dictionary format of BioSyn (Sung et al., ACL 2020,
// https://github.com/dmis-lab/BioSyn): one concept per line, with its identifier and any
// alternative ones separated by |, then ||, and its names separated by |, the preferred one
// first.
func (c *collector) readBioSyn(lines *input.Lines) error {
	const want = `"id|altid||name|synonym"`
	return c.eachLine(lines, func(text string, line int) error {
		left, right, found := strings.Cut(text, "||")
		ids := splitIDs(left)
		if !found || len(ids) == 0 {
			return c.badRow(line, want, input.Quote(text))
		}
		names := strings.Split(right, "|")
		return c.addChecked(line, kb.Concept{ID: ids[0], Name: names[0], Synonyms: names[1:], AltIDs: ids[1:]})
	})
}
