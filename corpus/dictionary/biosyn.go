package dictionary

import (
	"strings"

	"ctxnorm/corpus/internal/input"
)

// readBioSyn reads the dictionaries of BioSyn (Sung et al., ACL 2020,
// https://github.com/dmis-lab/BioSyn): one concept a line, its identifier and
// any number of alternative ones set apart by a bar, two bars, and its names set
// apart by a bar.
func (c *collector) readBioSyn(lines *input.Lines) error {
	const want = `"id|altid||name|synonym"`
	return c.eachLine(lines, func(text string, line int) error {
		left, right, found := strings.Cut(text, "||")
		ids := splitIDs(left)
		if !found || len(ids) == 0 {
			return c.bad(line, want, quote(text))
		}
		c.addNames(ids[0], strings.Split(right, "|"), ids[1:]...)
		return nil
	})
}
