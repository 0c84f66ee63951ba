package sentence

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/text"
)

// marker is the marker of a list item: "2.", "b.", "3)", "4.)", with or without a bullet before it.
type marker struct {
	start  int  // its position in the text
	number int  // letters count from 1
	letter rune // 'a' or 'A' if it is a letter, else 0
	bullet rune // 0 without a bullet
	sign   string
}

// follows reports whether m is the marker of the item after the one of first.
func (m *marker) follows(first *marker) bool {
	return m.number == first.number+1 && m.letter == first.letter && m.bullet == first.bullet && m.sign == first.sign
}

// Bullets are characters that begin a list item wherever they occur.
const Bullets = "•‣⁃▪●◦■"

// markerSigns are the signs after the number of an item, longest first.
var markerSigns = []string{".)", ".", ")"}

// trailingMarker returns the marker at the end of text[start:end], ignoring white space after it.
func trailingMarker(text string, start, end int) (m marker, ok bool) {
	s := strings.TrimRightFunc(text[start:end], unicode.IsSpace)
	for _, m.sign = range markerSigns {
		if rest, found := strings.CutSuffix(s, m.sign); found {
			s, ok = rest, true
			break
		}
	}
	at := len(s)
	for at > 0 && at > len(s)-maxMarker && isMarkerByte(s[at-1]) {
		at--
	}
	if !ok || !m.count(s[at:]) {
		return m, false
	}
	before, size := utf8.DecodeLastRuneInString(s[:at])
	if unbulleted := strings.TrimRight(s[:at], " "); unbulleted != "" {
		if r, n := utf8.DecodeLastRuneInString(unbulleted); strings.ContainsRune(Bullets, r) {
			m.bullet, at = r, len(unbulleted)-n
			before, size = utf8.DecodeLastRuneInString(s[:at])
		}
	}
	m.start = start + at
	return m, size == 0 || unicode.IsSpace(before)
}

// leadingMarker returns the marker at the start of s.
func leadingMarker(s string) (m marker, ok bool) {
	if r, size := utf8.DecodeRuneInString(s); strings.ContainsRune(Bullets, r) {
		m.bullet = r
		s = strings.TrimLeft(s[size:], " ")
	}
	at := 0
	for at < len(s) && at < maxMarker && isMarkerByte(s[at]) {
		at++
	}
	for _, m.sign = range markerSigns {
		if strings.HasPrefix(s[at:], m.sign) {
			return m, m.count(s[:at])
		}
	}
	return m, m.bullet != 0
}

// maxMarker is the maximum length of an item's number.
const maxMarker = 3

func isMarkerByte(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// count sets the number of a marker and reports whether label is a number or a single letter.
func (m *marker) count(label string) bool {
	if len(label) == 1 && label[0] > '9' {
		m.letter = 'A'
		if label[0] >= 'a' {
			m.letter = 'a'
		}
		m.number = int(rune(label[0])-m.letter) + 1
		return true
	}
	if label == "" || strings.Trim(label, "0123456789") != "" {
		return false
	}
	m.number, _ = strconv.Atoi(label)
	return true
}

// itemStart returns the start of the list item whose marker is at the end of text[start:end]. Then end is not a
// boundary: "1." alone, after a colon, or at the start of a line of body, or "2." in a sentence that begins with "1.".
func itemStart(body, text string, start, end int) (at int, ok bool) {
	m, ok := trailingMarker(text, start, end)
	if !ok || strings.ContainsAny(text[end-1:end], "\n\r") {
		return 0, false
	}
	before := strings.TrimRight(text[start:m.start], " ")
	if strings.TrimSpace(before) == "" {
		return start, true
	}
	if strings.HasSuffix(before, ":") {
		const i = 9 // "I.", the Roman numeral
		return start, m.number == 1 || m.letter == 'A' && m.number == i
	}
	item := strings.TrimLeft(before, " \n")
	first, ok := leadingMarker(item)
	if !ok {
		if _, after, found := strings.Cut(item, ": "); found {
			first, ok = leadingMarker(after)
		}
	}
	word := strings.ToLower(lastWord(before))
	begins := m.number == 1 && m.letter == 0 && strings.ContainsAny(body[start+len(before):m.start], "\n\r")
	return m.start, (begins || ok && m.follows(&first)) && !lang.BeforeLetter[word] && !lang.BeforeMarker[word]
}

// appendItems appends the sentence text[start:end] of body to spans. If it is a list without full stops, it appends the
// items: "1) First 2) Second", "• first • second". A capital must follow a number.
func appendItems(spans []text.Span, body, text string, start, end int) []text.Span {
	start += len(text[start:end]) - len(strings.TrimLeft(text[start:end], " "))
	m, ok := leadingMarker(text[start:end])
	for ok && (m.sign == ")" || m.bullet != 0) {
		next := " " + strconv.Itoa(m.number+1) + ") "
		switch {
		case m.bullet != 0:
			next = " " + string(m.bullet)
		case m.letter != 0:
			next = " " + string(m.letter+rune(m.number)) + ") "
		}
		i := strings.Index(text[start:end], next)
		if i < 0 || m.bullet == 0 && strings.IndexFunc(text[start+i+len(next):end], unicode.IsUpper) != 0 {
			break
		}
		spans = appendLimited(spans, body, start, start+i)
		start += i + 1
		m.number++
	}
	return appendLimited(spans, body, start, end)
}
