package assertion

import (
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// section holds the status that a heading gives the mentions below or after it, up to the next heading:
//
//	Past medical history:          Family history: stroke. Diabetes.
//	1. Hypertension                Assessment: pneumonia
//	2. Asthma
//
// The zero value is no section, or one without a status.
type section struct {
	values [dimensions]value
	line   bool // the section ends with its line
	begun  bool // something has followed the heading
}

// mayHead reports whether a segment may be a heading: it ends with a colon, fills a line, or begins with a label.
func mayHead(body string, s text.Span) bool {
	const maxHeading = 60 // bytes
	segment := s.Of(body)
	segment = segment[:min(len(segment), maxHeading)]
	return strings.Contains(segment, ":") || s.Len() < maxHeading && fillsLine(body, s)
}

// fillsLine reports whether a segment is a line of its own.
func fillsLine(body string, s text.Span) bool {
	before, after := strings.TrimRight(body[:s.Start], " \t"), strings.TrimLeft(body[s.End:], " \t")
	return (before == "" || strings.HasSuffix(before, "\n")) && after != "" && strings.ContainsAny(after[:1], "\r\n")
}

// leaveSection leaves the current section if gap and the segment after it end it: a heading begins another section, a
// blank line ends a list, and a new line ends a section that is the rest of a line.
func (c *classifier) leaveSection(gap, segment string) {
	if c.section == (section{}) {
		return
	}
	breaks := strings.Count(gap, "\n")
	switch {
	case breaks > 1 && c.section.begun,
		c.section.line && (breaks > 0 || hasClause(segment)),
		breaks > 0 && (lang.Headings[strings.ToLower(segment)] || labeled(segment)), beginsWithHeading(segment):
		c.section = section{}
	default:
		c.section.begun = true
	}
}

// beginsWithHeading reports whether a segment begins with the heading of another section within a line: "Social
// history:", "NEURO:".
func beginsWithHeading(segment string) bool {
	const maxShortHeading = 6 // maximum length of a heading that is known by its capitals: "NEURO:"
	label, _, found := strings.Cut(segment, ":")
	isShort := len(label) > 1 && len(label) <= maxShortHeading && label == strings.ToUpper(label) && labeled(segment)
	return found && (lang.Headings[strings.ToLower(label)] || isShort)
}

// labeled reports whether a segment begins with a label without an answer: "Assessment: fever", but not "Stroke: no".
func labeled(segment string) bool {
	i := strings.IndexByte(segment, ':')
	if i <= 0 || !endsLabel(segment, i) || strings.Count(segment[:i], " ") >= maxLabelWords {
		return false
	}
	_, _, answered := answerAt(segment[i+1:])
	return !answered
}

// enterSection enters the section of which a segment is the heading. reach holds the scopes at the end of the segment.
func (c *classifier) enterSection(body string, s text.Span, reach [dimensions]scope) {
	segment := s.Of(body)
	if strings.HasSuffix(segment, ":") || fillsLine(body, s) && triggers().effects[normalize.Normal(segment)] != nil {
		for d := range reach {
			c.section.values[d] = reach[d].value
		}
		c.section.line, c.section.begun = false, false
		return
	}
	i := strings.IndexByte(segment, ':')
	if i <= 0 || !endsLabel(segment, i) {
		return
	}
	if e := triggers().effects[normalize.Normal(segment[:i])]; e != nil {
		c.section = section{values: e.after, line: true}
	}
}

// hasClause reports whether a segment is more than an item of a list.
func hasClause(segment string) bool {
	return slices.ContainsFunc(strings.Fields(segment), func(word string) bool { return lang.ClauseWords[strings.ToLower(word)] })
}
