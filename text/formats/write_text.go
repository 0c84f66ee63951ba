package formats

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// lineToSpaces replaces each character of s that may end a line or cell by a space, so that offsets stay valid.
func lineToSpaces(s string) string { return eachToSpace.Replace(printable(s)) }

var eachToSpace = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ", "\u0085", " ", "\u2028", " ", "\u2029", " ")

// pubtatorText returns the lines of a PubTator document. Lines that were read get the new concepts in the last column;
// any other document is written with its text as the title. Mentions that are not from the file replace its own, after
// title and abstract.
func pubtatorText(l *linkedRecord, o *WriterOptions) (string, error) {
	if err := checkIDs(l, PubTator, func(m *linked.Mention) string { return lineToSpaces(linkedID(m)) }); err != nil {
		return "", err
	}
	o.lostFragments(l)
	id := pubtatorID(l.ID)
	source, isSource := l.source.(pubtatorSource)
	if !isSource {
		if id != l.ID && l.ID != "" {
			o.lost(l.ID, "its identifier is written as %q", id)
		}
		o.lostControls(l.ID, l.Text)
		source = pubtatorSource{id + "|t|" + lineToSpaces(l.Text), id + "|a|"}
	}
	placed, own := byPlace(l)
	own = own && isSource
	var b strings.Builder
	writeMentions := func() {
		for i := range l.Mentions {
			m := &l.Mentions[i]
			fmt.Fprintf(&b, "%s\t%d\t%d\t%s\t%s\t%s\n", id, m.Start, m.End, lineToSpaces(l.between(m.Span)),
				lineToSpaces(typeOf(m)), lineToSpaces(linkedID(m)))
		}
	}
	written := own
	for i, line := range source {
		_, _, _, isSection := cutSection(line)
		if !isSection && !written {
			writeMentions()
			written = true
		}
		cells := strings.Split(line, "\t")
		if isMention := !isSection && len(cells) > 4 && !isWord(cells[1]); isMention && !own {
			continue
		}
		if m := placed[i]; m != nil && own {
			if len(cells) == 5 {
				cells = append(cells, "")
			}
			cells[5] = linkedID(m)
			line = strings.Join(cells, "\t")
		}
		b.WriteString(line + "\n")
	}
	if !written {
		writeMentions()
	}
	return b.String() + "\n", nil
}

// pubtatorID replaces characters that PubTator does not allow in identifiers.
func pubtatorID(id string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || r == '|' || r == '{' {
			return '_'
		}
		return r
	}, cmp.Or(id, "0"))
}

// conllText returns the lines of a CoNLL document. Lines that were read get a column of concepts after the tags; any
// other document is split into words.
func conllText(l *linkedRecord, o *WriterOptions) (string, error) {
	var b strings.Builder
	source, _ := l.source.(*conllSource)
	placed, own := byPlace(l)
	if err := checkIDs(l, CoNLL, conllID); err != nil {
		return "", err
	}
	if source == nil || !own {
		o.lostFragments(l)
		writeTokens(&b, l, o)
		return b.String(), nil
	}
	for _, row := range source.rows {
		line := row.line
		if row.cells != nil {
			cells, separator := splitCoNLL(line)
			id := none
			if m := placed[row.mention]; m != nil {
				id = conllID(m)
			}
			if source.tags+1 < len(cells) {
				cells[source.tags+1] = id
			} else {
				cells = append(cells, id)
			}
			line = strings.Join(cells, separator)
		}
		b.WriteString(line + "\n")
	}
	return b.String() + "\n", nil
}

// conllID returns the concepts of a mention without spaces.
func conllID(m *linked.Mention) string { return strings.Join(strings.Fields(linkedID(m)), "_") }

// writeTokens writes a document as words and punctuation marks with tags in BIO notation, and a blank line after each
// sentence unless a mention crosses its end. It splits the text at white space, at the edges of mentions, and, outside
// mentions, between a word and the marks around it, but not within "A-T" and "it's". So the words of a mention are read
// as they were. Of overlapping mentions, only the first is written.
func writeTokens(b *strings.Builder, l *linkedRecord, o *WriterOptions) {
	fmt.Fprintf(b, "%s (%s)\tO\t%s\n\n", docStart, oneLine(l.ID), none)
	sentences := sentence.Split(l.Text)
	at, next, overlapping := 0, 0, 0 // at: end of the text written so far
	for i, s := range sentences {
		following := len(l.Text)
		if i+1 < len(sentences) {
			following = sentences[i+1].Start
		}
		for ; next < len(l.Mentions) && l.doc.Mentions[next].Start < following; next++ {
			span := l.doc.Mentions[next].Span
			if span.Start < at {
				overlapping++
				continue
			}
			writeWords(b, l.Text, text.Span{Start: at, End: span.Start}, unspacedMarks, nil)
			writeWords(b, l.Text, span, spacedWord, &l.Mentions[next])
			at = span.End
		}
		if at < s.End {
			writeWords(b, l.Text, text.Span{Start: at, End: s.End}, unspacedMarks, nil)
			at = s.End
		}
		if at <= following {
			b.WriteString("\n")
		}
	}
	if overlapping > 0 {
		o.lost(l.ID, "%d of %d mentions overlap another, and are not written", overlapping, len(l.Mentions))
	}
}

// spacedWord and unspacedMarks match text between spaces and control characters. The first matches all of it, the
// second a word without the marks around it, or one mark.
var (
	spacedWord    = regexp.MustCompile(`[^\pZ\x00-\x20\x{85}]+`)
	unspacedMarks = regexp.MustCompile(`[\pL\p{Nd}\pM](?:[^\pZ\x00-\x20\x{85}]*[\pL\p{Nd}\pM])?|[^\pZ\x00-\x20\x{85}]`)
)

// writeWords writes the words of a span, which is the mention m or, if m is nil, outside mentions.
func writeWords(b *strings.Builder, s string, within text.Span, words *regexp.Regexp, m *linked.Mention) {
	kind, id := "", none
	if m != nil {
		kind, id = cmp.Or(strings.Join(strings.Fields(printable(typeOf(m))), "_"), untyped), conllID(m)
	}
	for _, at := range words.FindAllStringIndex(within.Of(s), -1) {
		word := within.Of(s)[at[0]:at[1]]
		pieces := []string{word}
		if strings.HasPrefix(word, docStart) { // would begin a document
			pieces = []string{word[:1], word[1:]}
		}
		for i, piece := range pieces {
			tag := outside
			switch {
			case m != nil && at[0]+i == 0:
				tag = "B-" + kind
			case m != nil:
				tag = "I-" + kind
			}
			fmt.Fprintf(b, "%s\t%s\t%s\n", printable(piece), tag, id)
		}
	}
}
