package dictionary

import "strings"

// plainRow reads a row [name, [id, …]] or [name, id] as nearly all are written:
// strings, and no escapes in them. It is ten times as fast as encoding/json,
// which decides where ok is false.
func plainRow(text string) (name string, ids []jsonID, ok bool) {
	p := plainJSON(text)
	if !p.take('[') || !p.string(&name) || !p.take(',') {
		return "", nil, false
	}
	several := p.take('[')
	for more := true; more; more = several && p.take(',') {
		var id string
		if !p.string(&id) {
			return "", nil, false
		}
		ids = append(ids, jsonID(id))
	}
	if several && !p.take(']') {
		return "", nil, false
	}
	return name, ids, p.take(']') && p.space() == ""
}

// plainJSON is what is left to read of a line.
type plainJSON string

// space passes over white space and gives what follows.
func (p *plainJSON) space() string {
	*p = plainJSON(strings.TrimLeft(string(*p), " \t\r\n"))
	return string(*p)
}

// take reads the mark c, if it comes next.
func (p *plainJSON) take(c byte) bool {
	rest := p.space()
	if rest == "" || rest[0] != c {
		return false
	}
	*p = plainJSON(rest[1:])
	return true
}

// string reads a string, if one comes next that has no escapes.
func (p *plainJSON) string(s *string) bool {
	if !p.take('"') {
		return false
	}
	var closed bool
	var rest string
	*s, rest, closed = strings.Cut(string(*p), `"`)
	for i := range len(*s) {
		if c := (*s)[i]; c == '\\' || c < ' ' { // JSON wants control characters escaped
			return false
		}
	}
	*p = plainJSON(rest)
	return closed
}
