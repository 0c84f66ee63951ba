package normalize

import (
	"html"
	"regexp"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/text"
)

// Edit is a span of a text, and the text to read in its place.
type Edit struct {
	text.Span
	As string
}

// markup matches an HTML character reference, possibly escaped twice ("&amp;nbsp;"), or a tag, either between lines,
// blocks and cells or within a line.
var markup = regexp.MustCompile(`^(?:&(?:amp;)?(?:[A-Za-z]{2,8}[0-9]{0,2}|#[0-9]{2,6}|#[xX][0-9A-Fa-f]{2,5});|` +
	`(?i:</?(?:(br|hr|p|div|h[1-6]|[uod]l|li|d[td]|table|t(?:r|d|h|head|body)|pre|blockquote|center)|` +
	`i|b|u|s|a|em|sub|(sup)|small|strong|span|font|tt|code|mark)(?:\s[^<>]*)?/?>))`)

// superscript matches the beginning of a superscript number after a word that is longer than a chemical symbol.
var superscript = regexp.MustCompile(`^[a-z]{3}<(?i:sup)[^>]*>[0-9]$`)

// Markup returns the HTML tags and character references in a text that is not HTML, in order. A tag between lines is
// read as a line end, and one within a line as nothing, except that a superscript number is separated from the word
// before it: "flood<sup>3</sup>". If the text has no end tag, only <br> and <hr> count as tags: "a<b>c" has none.
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

// plainRune returns an ASCII space for any space except a line end. For an invisible character it returns -1, which
// strings.Map drops.
func plainRune(r rune) rune {
	switch {
	case IsInvisible(r):
		return -1
	case unicode.IsSpace(r) && r != '\n':
		return ' '
	}
	return r
}

// WithoutMarkup removes the markup from a name.
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
