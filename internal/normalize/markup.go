package normalize

import (
	"html"
	"regexp"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/text"
)

// An Edit is a span of a text, and what is read in its place.
type Edit struct {
	text.Span
	As string
}

// markup is a character reference of HTML, perhaps written twice ("&amp;nbsp;"), or a tag: between lines, blocks and
// cells, or within a line.
var markup = regexp.MustCompile(`^(?:&(?:amp;)?(?:[A-Za-z]{2,8}[0-9]{0,2}|#[0-9]{2,6}|#[xX][0-9A-Fa-f]{2,5});|` +
	`(?i:</?(?:(br|hr|p|div|h[1-6]|[uod]l|li|d[td]|table|t(?:r|d|h|head|body)|pre|blockquote|center)|` +
	`i|b|u|s|a|em|sub|(sup)|small|strong|span|font|tt|code|mark)(?:\s[^<>]*)?/?>))`)

// superscript is the beginning of a number above the line behind a word, which is longer than the symbol of an element.
var superscript = regexp.MustCompile(`^[a-z]{3}<(?i:sup)[^>]*>[0-9]$`)

// Markup returns the tags and character references of HTML in a text that is no HTML, in order. A tag between lines is
// read as a line end, one within a line as nothing, but a superscript number behind a word as apart from it:
// "flood<sup>3</sup>". Without an end tag in the text only <br> and <hr> are tags: "a<b>c" is none.
func Markup(s string) []Edit {
	var all []Edit
	hasEnds := strings.Contains(s, "</")
	for at := 0; ; {
		next := strings.IndexAny(s[at:], "<&")
		if next < 0 {
			return all
		}
		at += next
		groups := markup.FindStringSubmatch(s[at:])
		if groups == nil {
			at++
			continue
		}
		e := Edit{Span: text.Span{Start: at, End: at + len(groups[0])}}
		at = e.End
		block := strings.ToLower(groups[1])
		switch {
		case groups[0][0] == '&':
			e.As = html.UnescapeString(html.UnescapeString(groups[0]))
			if e.As == groups[0] {
				continue // no character has this name
			}
			e.As = strings.Map(plainRune, e.As)
		case block != "br" && block != "hr" && !hasEnds:
			continue
		case block != "" && !strings.HasPrefix(s[at:], "\n") && !strings.HasPrefix(s[at:], "\r"):
			e.As = "\n"
		case groups[2] != "" && superscript.MatchString(s[max(0, e.Start-3):min(at+1, len(s))]):
			e.As = " "
		}
		all = append(all, e)
	}
}

// plainRune returns an ASCII space for any space but a line end, and -1, which strings.Map drops, for an invisible character.
func plainRune(r rune) rune {
	switch {
	case IsInvisible(r):
		return -1
	case unicode.IsSpace(r) && r != '\n':
		return ' '
	}
	return r
}

// WithoutMarkup returns a name without the markup in it.
func WithoutMarkup(name string) string {
	var out strings.Builder
	done := 0
	for _, e := range Markup(name) {
		out.WriteString(name[done:e.Start])
		out.WriteString(strings.ReplaceAll(e.As, "\n", " "))
		done = e.End
	}
	return out.String() + name[done:]
}
