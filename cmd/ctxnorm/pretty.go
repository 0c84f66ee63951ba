package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// pretty is a human-readable format, which link writes to a terminal.
var pretty = formats.OutputFormat{
	Name: "pretty", Extensions: []string{".txt"}, Ambiguous: true, MIME: "text/plain; charset=utf-8",
	New: func(w io.Writer, _ formats.WriterOptions) formats.Writer { return &prettyWriter{w, widthOf(w)} },
}

// outputFormats returns the formats that link can write.
func outputFormats() formats.OutputFormats { return append(formats.Outputs(), pretty) }

// prettyWriter writes the identifier of a document, if it has one, and two lines for each mention: the text around the
// mention, which is in brackets, and its concept with the probability and one piece of evidence. A composite mention
// has a line for the concept of each sub-mention.
type prettyWriter struct {
	w     io.Writer
	width int // of a line, in code points
}

// Widths of a line, in code points.
const (
	minWidth     = 80
	defaultWidth = 120 // if not a terminal
	answerWidth  = 40  // of the concept and its probability, so that most evidence is aligned
)

// widthOf returns the width of the terminal that w writes to, or defaultWidth.
func widthOf(w io.Writer) int {
	if file := terminal(w); file != nil {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil {
			return max(width, minWidth)
		}
	}
	return defaultWidth
}

// terminal returns the terminal that w writes to, or nil.
func terminal(w io.Writer) *os.File {
	if stdout, ok := w.(*output); ok && stdout != nil {
		w = stdout.w
	}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return file
	}
	return nil
}

// Write implements [formats.Writer].
func (w *prettyWriter) Write(record *formats.Record, d *linked.Document) error {
	var b strings.Builder
	if !record.Unnamed && len(d.Mentions) > 0 {
		b.WriteString(onOneLine(d.ID) + "\n")
	}
	for i := range d.Mentions {
		m := &d.Mentions[i]
		surface := m.Span.Of(d.Text)
		if m.ResolvedText != "" {
			surface += " = " + m.ResolvedText
		}
		b.WriteString(inBrackets(d.Text, m.Span, surface, w.width) + "\n")
		for _, l := range m.Links() {
			b.WriteString(w.answer(m, &l) + "\n")
		}
	}
	_, err := io.WriteString(w.w, b.String())
	return err
}

// Close implements [formats.Writer].
func (w *prettyWriter) Close() error { return nil }

// answer returns the line for a candidate. If there is none, it is the line for NIL and the concept above it.
func (w *prettyWriter) answer(m *linked.Mention, l *linked.Link) string {
	const leastAbove = .3 // lowest probability of a concept shown above NIL: below it, few are right
	best, above := l.Best(), l.Broader
	line := " → NIL: no concept of the dictionary fits"
	switch {
	case best == nil && above != nil && above.Probability >= leastAbove:
		line += onOneLine(fmt.Sprintf("; perhaps a kind of %s %s, %.2f", above.Concept, above.Name, above.Probability))
	case best != nil:
		line = onOneLine(fmt.Sprintf(" → %s %s", best.Concept, best.Name))
		if best.Probability > 0 {
			line += fmt.Sprintf(", %.2f", best.Probability)
		}
		for _, c := range l.Tied() {
			line += onOneLine(fmt.Sprintf(" or %s %s", c.Concept, c.Name))
		}
	}
	says := m.Attributes()
	if m.Source == linked.SourceRecognized {
		says = append([]string{fmt.Sprintf("recognized %.2f", m.RecognitionScore)}, says...)
	}
	if len(says) > 0 {
		line += " (" + strings.ReplaceAll(strings.Join(says, ", "), "_", " ") + ")"
	}
	if best == nil {
		return line
	}
	line += strings.Repeat(" ", max(0, answerWidth-utf8.RuneCountInString(line))) + " · "
	return line + evidenceOf(best, w.width-utf8.RuneCountInString(line))
}

// evidenceOf returns one piece of evidence for a candidate: a sentence, or else the name most similar to the mention.
func evidenceOf(c *linked.Candidate, width int) string {
	if len(c.Evidence) == 0 {
		return onOneLine("name: " + c.MatchedName)
	}
	if e := sentenceOf(c.Evidence); e != nil {
		prefix := onOneLine(e.PMID + ": ")
		return prefix + inBrackets(e.Text, e.Span, e.Span.Of(e.Text), width-utf8.RuneCountInString(prefix))
	}
	nearest := &c.Evidence[0]
	if nearest.Source != "" {
		return onOneLine(fmt.Sprintf("name found in the corpus: %s (%s)", nearest.Text, nearest.Source))
	}
	return onOneLine("name: " + nearest.Text)
}

// sentenceOf returns the most similar sentence among the evidence, or nil if there is none. If the nearest exemplar is
// a name mined from the corpus, it prefers a sentence with that name, and among these one with the pattern that it was
// mined by.
func sentenceOf(evidence []linked.Evidence) *linked.Evidence {
	nearest := &evidence[0]
	var named *linked.Evidence
	for i := range evidence {
		e := &evidence[i]
		hasName := strings.Contains(strings.ToLower(e.Text), strings.ToLower(nearest.Text))
		switch {
		case e.PMID == "":
		case nearest.Source == "" || hasName && strings.Contains(e.Text, nearest.Source):
			return e
		case named == nil && hasName:
			named = e
		}
	}
	return named
}

// inBrackets returns a text with one of its spans in brackets, replaced by shown, and cuts the text around it to a
// width in code points. It never cuts the mention itself.
func inBrackets(whole string, span text.Span, shown string, width int) string {
	reach := utf8.UTFMax * (max(0, width) + 1) // bytes on each side: more are never shown
	from, to := max(0, span.Start-reach), min(len(whole), span.End+reach)
	for !utf8.RuneStart(whole[from]) {
		from++
	}
	for to < len(whole) && !utf8.RuneStart(whole[to]) {
		to--
	}
	before, after := []rune(onOneLine(whole[from:span.Start])), []rune(onOneLine(whole[span.End:to]))
	shown = "[" + onOneLine(shown) + "]"
	if room := max(0, width-utf8.RuneCountInString(shown)); len(before)+len(after) > room {
		left := min(len(before), max(room/2, room-len(after)))
		right := room - left
		if len(before) > left {
			before = append([]rune("…"), before[len(before)-max(0, left-1):]...)
		}
		if len(after) > right {
			after = append(after[:max(0, right-1)], '…')
		}
	}
	return string(before) + shown + string(after)
}

// onOneLine replaces every character in s that ends a line or that a terminal may treat as a command by a space.
func onOneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) {
			return r
		}
		return ' '
	}, s)
}
