package formats

import (
	"encoding/json"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// maxPlainUnknown is the number of members without a meaning that a plain object may have.
const maxPlainUnknown = 8

// plainDocument decodes a line with a text whose other members are strings, numbers and a list of plain mentions, as
// most are, in a third of the time of encoding/json; p.unknown are then the names of those without a meaning. It
// returns false for any other line, which may be malformed.
func (p *jsonlParser) plainDocument(line string) (d documentJSON, ok bool) {
	p.unknown = p.unknown[:0]
	rest := input.PlainJSON(line)
	ok = rest.Record(func(name string) bool {
		var text string
		switch {
		case name == "id":
			d.ID, ok = plainScalar(&rest)
		case name == "text":
			text, ok = rest.String()
			d.Text = &text
		case name == "group":
			d.Group, ok = rest.String()
		case name == "mentions":
			d.plain = []mentionJSON{}
			ok = rest.List(func() bool {
				m, ok := plainMention(&rest)
				d.plain = append(d.plain, m)
				return ok
			})
		case len(p.unknown) == maxPlainUnknown:
			ok = false
		default:
			p.unknown = append(p.unknown, name)
			_, ok = plainScalar(&rest)
		}
		return ok
	})
	return d, ok && rest.End() && d.Text != nil
}

// plainMention decodes a mention that has offsets, strings, and strings as ids.
func plainMention(rest *input.PlainJSON) (m mentionJSON, ok bool) {
	var offsets [2]int
	var text string
	ok = rest.Record(func(name string) (ok bool) {
		switch name {
		case "start":
			offsets[0], ok = rest.Int()
			m.Start = &offsets[0]
		case "end":
			offsets[1], ok = rest.Int()
			m.End = &offsets[1]
		case "text":
			text, ok = rest.String()
			m.Text = &text
		case "type":
			m.Type, ok = rest.String()
		case "ids":
			m.IDs, ok = rest.Strings()
		}
		return ok
	})
	return m, ok
}

// plainScalar returns the JSON of a string or of a whole number.
func plainScalar(rest *input.PlainJSON) (raw json.RawMessage, ok bool) {
	start := strings.TrimLeft(string(*rest), " \t\r\n")
	if _, ok = rest.String(); !ok {
		*rest = input.PlainJSON(start)
		_, ok = rest.Int()
	}
	return json.RawMessage(start[:len(start)-len(*rest)]), ok
}
