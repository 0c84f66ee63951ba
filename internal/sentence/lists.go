package sentence

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/text"
)

// Bullets are characters that begin a list item wherever they occur.
const Bullets = "•‣⁃▪●◦■"

// marker is the marker of a list item: "2.", "b.", "3)", "4.)", with or without a bullet before it.
type marker struct {
	number int  // letters count from 1
	letter rune // 'a' or 'A' if it is a letter, else 0
	bullet string
	sign   string
}

// Patterns of markers: their groups are the bullet, the number or the letter, and the sign.
var (
	bullet         = `(?:([` + Bullets + `]) *)?`
	label          = `(?:(\d{1,3})|([A-Za-z]))(\.\)|\.|\))`
	trailingMarker = regexp.MustCompile(`(?:^|\s)` + bullet + label + `$`)
	leadingMarker  = regexp.MustCompile(`^` + bullet + `(?:` + label + `)?`)
)

// newMarker returns the marker with the groups of a match, or false if there is none.
func newMarker(groups []string) (m marker, ok bool) {
	if groups == nil || groups[1]+groups[4] == "" {
		return m, false
	}
	m.bullet, m.sign = groups[1], groups[4]
	m.number, _ = strconv.Atoi(groups[2])
	if letter := groups[3]; letter != "" {
		m.letter = 'A'
		if letter >= "a" {
			m.letter = 'a'
		}
		m.number = int(rune(letter[0])-m.letter) + 1
	}
	return m, true
}

// follows reports whether m is the marker of the item after the one of first.
func (m *marker) follows(first *marker) bool {
	return m.number == first.number+1 && m.letter == first.letter && m.bullet == first.bullet && m.sign == first.sign
}

// itemStart returns the start of the list item whose marker is at the end of text[start:end]. Then end is not a
// boundary: "1." alone, after a colon, or at the start of a line of body, or "2." in a sentence that begins with "1.".
func itemStart(body, text string, start, end int) (at int, ok bool) {
	const longest = 12 // bytes of a marker
	s := strings.TrimRightFunc(text[start:end], unicode.IsSpace)
	if n := len(s); n > 2 && s[n-1] == '.' && unicode.IsLower(rune(s[n-3])) { // the usual case
		return 0, false
	}
	found := trailingMarker.FindStringSubmatch(s[max(0, len(s)-longest):])
	m, ok := newMarker(found)
	if !ok || strings.ContainsAny(text[end-1:end], "\n\r") {
		return 0, false
	}
	at = start + len(s) - len(strings.TrimSpace(found[0]))
	before := strings.TrimRight(text[start:at], " ")
	if strings.TrimSpace(before) == "" {
		return start, true
	}
	if strings.HasSuffix(before, ":") {
		return start, m.number == 1 || m.letter == 'A' && m.number == int('I'-'A')+1 // the Roman numeral
	}
	item := strings.TrimLeft(before, " \n")
	first, ok := newMarker(leadingMarker.FindStringSubmatch(item))
	if !ok {
		if _, after, found := strings.Cut(item, ": "); found {
			first, ok = newMarker(leadingMarker.FindStringSubmatch(after))
		}
	}
	word := strings.ToLower(lastWord(before))
	begins := m.number == 1 && m.letter == 0 && strings.ContainsAny(body[start+len(before):at], "\n\r")
	return at, (begins || ok && m.follows(&first)) && !lang.BeforeLetter[word] && !lang.BeforeMarker[word]
}

// appendItems appends the sentence text[start:end] of body to spans. If it is a list without full stops, it appends the
// items: "1) First 2) Second", "• first • second". A capital must follow a number.
func appendItems(spans []text.Span, body, text string, start, end int) []text.Span {
	start += len(text[start:end]) - len(strings.TrimLeft(text[start:end], " "))
	m, ok := newMarker(leadingMarker.FindStringSubmatch(text[start:end]))
	for ok && (m.sign == ")" || m.bullet != "") {
		next := " " + strconv.Itoa(m.number+1) + ") "
		switch {
		case m.bullet != "":
			next = " " + m.bullet
		case m.letter != 0:
			next = " " + string(m.letter+rune(m.number)) + ") "
		}
		i := strings.Index(text[start:end], next)
		if i < 0 || m.bullet == "" && strings.IndexFunc(text[start+i+len(next):end], unicode.IsUpper) != 0 {
			break
		}
		spans = appendLimited(spans, body, start, start+i)
		start += i + 1
		m.number++
	}
	return appendLimited(spans, body, start, end)
}
