package formats

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// maxPlainUnknown is the number of members without a meaning that a plain object may have.
const maxPlainUnknown = 8

// plainDocument decodes a line with a text whose other members are strings, numbers and a list of plain mentions, as
// most are, in a third of the time of encoding/json; p.unknown are then the names of those without a meaning. It returns
// false for any other line, which may be malformed.
func (p *jsonlParser) plainDocument(line string) (d documentJSON, ok bool) {
	p.unknown = p.unknown[:0]
	var seen members
	rest := input.PlainJSON(line)
	ok = rest.Object(func(name string) bool {
		var text string
		switch {
		case !seen.add(name):
			ok = false
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
	var seen members
	var offsets [2]int
	var text string
	ok = rest.Object(func(name string) bool {
		ok := seen.add(name)
		switch {
		case !ok:
		case name == "start":
			offsets[0], ok = rest.Int()
			m.Start = &offsets[0]
		case name == "end":
			offsets[1], ok = rest.Int()
			m.End = &offsets[1]
		case name == "text":
			text, ok = rest.String()
			m.Text = &text
		case name == "type":
			m.Type, ok = rest.String()
		case name == "ids":
			m.IDs, ok = rest.Strings()
		default:
			ok = false
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

// members are the names of the members of an object.
type members struct {
	names [maxPlainUnknown + 8]string
	n     int
}

// add adds a name, and reports whether it is new and there is room for it.
func (s *members) add(name string) bool {
	if s.n == len(s.names) || slices.Contains(s.names[:s.n], name) {
		return false
	}
	s.names[s.n] = name
	s.n++
	return true
}
