package kbfile

import "strings"

// fastNameRow parses a row [name, [id, …]] or [name, id] of strings without escapes, as
// almost all rows are. It is ten times as fast as encoding/json, which must parse the row
// if ok is false.
func fastNameRow(text string) (name string, ids []jsonID, ok bool) {
	p := jsonCursor(text)
	if !p.accept('[') || !p.string(&name) || !p.accept(',') {
		return "", nil, false
	}
	several := p.accept('[')
	for more := true; more; more = several && p.accept(',') {
		var id string
		if !p.string(&id) {
			return "", nil, false
		}
		ids = append(ids, jsonID(id))
	}
	if several && !p.accept(']') {
		return "", nil, false
	}
	return name, ids, p.accept(']') && p.skipSpace() == ""
}

// jsonCursor is the unread rest of a line.
type jsonCursor string

// skipSpace skips white space and returns the rest.
func (p *jsonCursor) skipSpace() string {
	*p = jsonCursor(strings.TrimLeft(string(*p), " \t\r\n"))
	return string(*p)
}

// accept reads the character c and reports whether it was next.
func (p *jsonCursor) accept(c byte) bool {
	rest := p.skipSpace()
	if rest == "" || rest[0] != c {
		return false
	}
	*p = jsonCursor(rest[1:])
	return true
}

// string reads a string without escapes and reports whether one was next.
func (p *jsonCursor) string(s *string) bool {
	if !p.accept('"') {
		return false
	}
	var closed bool
	var rest string
	*s, rest, closed = strings.Cut(string(*p), `"`)
	for i := range len(*s) {
		if c := (*s)[i]; c == '\\' || c < ' ' { // control characters must be escaped in JSON
			return false
		}
	}
	*p = jsonCursor(rest)
	return closed
}
