package input

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// PlainJSON is the unread rest of JSON of a form that the caller knows. Reading it takes a tenth of the time of
// encoding/json. A method that returns false has met another form, or an error, and encoding/json is to read the JSON
// from the start.
type PlainJSON string

// space skips white space and returns the rest.
func (p *PlainJSON) space() string {
	rest := string(*p)
	for rest != "" && (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r' || rest[0] == '\n') {
		rest = rest[1:]
	}
	*p = PlainJSON(rest)
	return rest
}

// Accept reads the character c and reports whether it was next.
func (p *PlainJSON) Accept(c byte) bool {
	rest := p.space()
	if rest == "" || rest[0] != c {
		return false
	}
	*p = PlainJSON(rest[1:])
	return true
}

// String reads a string.
func (p *PlainJSON) String() (s string, ok bool) {
	if !p.Accept('"') {
		return "", false
	}
	s, rest, closed := strings.Cut(string(*p), `"`)
	ascii := true
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\':
			return p.escaped()
		case c < ' ': // control characters must be escaped in JSON
			return "", false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	*p = PlainJSON(rest)
	return s, closed && (ascii || utf8.ValidString(s)) // encoding/json replaces what is not
}

// escaped is [PlainJSON.String] for a string with escapes, whose quotation mark was read.
func (p *PlainJSON) escaped() (s string, ok bool) {
	end := 0
	for end < len(*p) && (*p)[end] != '"' {
		if (*p)[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(*p) || json.Unmarshal([]byte(`"`+(*p)[:end+1]), &s) != nil {
		return "", false
	}
	*p = (*p)[end+1:]
	return s, true
}

// Strings reads a list of strings, which is not nil.
func (p *PlainJSON) Strings() (list []string, ok bool) {
	list = []string{}
	ok = p.List(func() bool {
		s, ok := p.String()
		list = append(list, s)
		return ok
	})
	return list, ok
}

// List reads a list; element reads each of its elements.
func (p *PlainJSON) List(element func() bool) bool {
	if !p.Accept('[') {
		return false
	}
	if p.Accept(']') {
		return true
	}
	for more := true; more; more = p.Accept(',') {
		if !element() {
			return false
		}
	}
	return p.Accept(']')
}

// Object reads an object; member reads the value of the member of a name.
func (p *PlainJSON) Object(member func(name string) bool) bool {
	if !p.Accept('{') {
		return false
	}
	if p.Accept('}') {
		return true
	}
	for more := true; more; more = p.Accept(',') {
		name, ok := p.String()
		if !ok || !p.Accept(':') || !member(name) {
			return false
		}
	}
	return p.Accept('}')
}

// maxRecord is the number of members that an object may have for [PlainJSON.Record].
const maxRecord = 16

// Record is [PlainJSON.Object] for an object of at most 16 members, none of which is there twice.
func (p *PlainJSON) Record(member func(name string) bool) bool {
	var names [maxRecord]string
	n := 0
	return p.Object(func(name string) bool {
		if n == len(names) || slices.Contains(names[:n], name) {
			return false
		}
		names[n] = name
		n++
		return member(name)
	})
}

// number returns the text of the number that is next, and reads it.
func (p *PlainJSON) number() string {
	rest := p.space()
	end := 0
	for end < len(rest) && strings.IndexByte("+-.0123456789Ee", rest[end]) >= 0 {
		end++
	}
	*p = PlainJSON(rest[end:])
	return rest[:end]
}

// Int reads a number of at most nine digits, without a sign.
func (p *PlainJSON) Int() (n int, ok bool) {
	digits := p.number()
	if digits == "" || len(digits) > 9 || digits[0] == '0' && len(digits) > 1 {
		return 0, false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return 0, false
		}
		n = 10*n + int(digits[i]-'0')
	}
	return n, true
}

// Float reads a number that begins with one digit, as the shares between 0 and 1 do.
func (p *PlainJSON) Float() (f float64, ok bool) {
	digits := p.number()
	switch {
	case digits == "" || digits[0] < '0' || digits[0] > '9':
		return 0, false
	case len(digits) == 1:
		return float64(digits[0] - '0'), true
	case digits[1] != '.' || len(digits) == 2 || digits[2] < '0' || digits[2] > '9':
		return 0, false
	}
	if last := digits[len(digits)-1]; last < '0' || last > '9' { // a point or an exponent without digits
		return 0, false
	}
	f, err := strconv.ParseFloat(digits, 64)
	return f, err == nil
}

// End reports whether nothing but white space is left.
func (p *PlainJSON) End() bool { return p.space() == "" }
