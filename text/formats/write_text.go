package formats

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// lineToSpaces returns s with a space for each character that may end a line or a cell, so that offsets stay.
func lineToSpaces(s string) string { return eachToSpace.Replace(printable(s)) }

var eachToSpace = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ", "\u0085", " ", "\u2028", " ", "\u2029", " ")

// pubtatorText returns the lines of a document of PubTator: those that were read with other concepts in the last column,
// or those of any other document, whose text becomes the title.
func pubtatorText(l *linkedRecord, o *WriterOptions) (string, error) {
	if err := checkIDs(l, PubTator, func(m *linked.Mention) string { return lineToSpaces(linkedID(m)) }); err != nil {
		return "", err
	}
	o.lostFragments(l)
	var b strings.Builder
	id := pubtatorID(l.ID)
	if source, ok := l.source.(pubtatorSource); ok {
		fillPubTator(&b, l, id, source)
	} else {
		if id != l.ID && l.ID != "" {
			o.lost(l.ID, "its identifier is written as %q", id)
		}
		o.lostControls(l.ID, l.Text)
		fmt.Fprintf(&b, "%s|t|%s\n%s|a|\n", id, lineToSpaces(l.Text), id)
		writePubTatorMentions(&b, l, id)
	}
	return b.String() + "\n", nil
}

// pubtatorID returns an identifier as PubTator can have it.
func pubtatorID(id string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || r == '|' || r == '{' {
			return '_'
		}
		return r
	}, cmp.Or(id, "0"))
}

// writePubTatorMentions writes a line for each mention.
func writePubTatorMentions(b *strings.Builder, l *linkedRecord, id string) {
	for i := range l.Mentions {
		m := &l.Mentions[i]
		fmt.Fprintf(b, "%s\t%d\t%d\t%s\t%s\t%s\n", id, m.Start, m.End, lineToSpaces(l.between(m.Span)),
			lineToSpaces(typeOf(m)), lineToSpaces(linkedID(m)))
	}
}

// fillPubTator writes the lines of a document that was read, with other concepts in the lines of its mentions. Mentions
// that are not those of the file stand in place of these, behind title and abstract.
func fillPubTator(b *strings.Builder, l *linkedRecord, id string, source pubtatorSource) {
	placed, own := byPlace(l)
	written := own
	for i, line := range source {
		_, _, _, isSection := cutSection(line)
		if !isSection && !written {
			writePubTatorMentions(b, l, id)
			written = true
		}
		cells := strings.Split(line, "\t")
		if isMention := !isSection && len(cells) > 4 && !isWord(cells[1]); isMention && !own {
			continue
		}
		if m := placed[i]; m != nil {
			if len(cells) == 5 {
				cells = append(cells, "")
			}
			cells[5] = linkedID(m)
			line = strings.Join(cells, "\t")
		}
		b.WriteString(line + "\n")
	}
	if !written {
		writePubTatorMentions(b, l, id)
	}
}

// conllText returns the lines of a document of CoNLL: those that were read with a column of concepts after the tags, or
// those of any other document, split into words.
func conllText(l *linkedRecord, o *WriterOptions) (string, error) {
	var b strings.Builder
	source, _ := l.source.(*conllSource)
	placed, own := byPlace(l)
	if err := checkIDs(l, CoNLL, conllID); err != nil {
		return "", err
	}
	if source == nil || !own {
		o.lostFragments(l)
		spans, mentions := separate(l)
		if len(spans) < len(l.Mentions) {
			o.lost(l.ID, "%d of %d mentions overlap another, and are not written", len(l.Mentions)-len(spans),
				len(l.Mentions))
		}
		writeTokens(&b, l, spans, mentions)
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

// writeTokens writes a document as words with tags in BIO notation. Of mentions that overlap the first is written.
func writeTokens(b *strings.Builder, l *linkedRecord, spans []text.Span, mentions []*linked.Mention) {
	fmt.Fprintf(b, "%s (%s)\tO\t%s\n\n", docStart, oneLine(l.ID), none)
	s, next := l.Text, 0
	for _, sentence := range wholeMentions(sentence.Split(s), spans) {
		for _, token := range tokens(s, sentence, spans) {
			for next < len(spans) && spans[next].End <= token.Start {
				next++
			}
			tag, id := "O", none
			if next < len(spans) && spans[next].Contains(token) {
				prefix := "I-"
				if token.Start == spans[next].Start {
					prefix = "B-"
				}
				m := mentions[next]
				tag, id = prefix+cmp.Or(strings.Join(strings.Fields(printable(typeOf(m))), "_"), untyped), conllID(m)
			}
			fmt.Fprintf(b, "%s\t%s\t%s\n", printable(token.Of(s)), tag, id)
		}
		b.WriteString("\n")
	}
}

// separate returns the mentions that do not overlap an earlier one, with their spans in bytes.
func separate(l *linkedRecord) (spans []text.Span, mentions []*linked.Mention) {
	end := 0
	for i := range l.Mentions {
		if span := l.doc.Mentions[i].Span; span.Start >= end {
			spans, mentions = append(spans, span), append(mentions, &l.Mentions[i])
			end = span.End
		}
	}
	return spans, mentions
}

// wholeMentions joins the sentences between which a mention lies, so that each mention is in one.
func wholeMentions(sentences, mentions []text.Span) []text.Span {
	var joined []text.Span
	next := 0
	for _, s := range sentences {
		for next < len(mentions) && mentions[next].End <= s.Start {
			next++
		}
		if n := len(joined); n > 0 && next < len(mentions) && mentions[next].Start < s.Start {
			joined[n-1].End = s.End
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// tokens returns the words and punctuation marks of a sentence. Text is split at white space, at the edges of
// mentions, and, outside of them, between a word and the marks around it, but not within "A-T" and "it's". So the
// words of a mention are read as they were.
func tokens(s string, within text.Span, mentions []text.Span) (all []text.Span) {
	at := within.Start
	next, _ := slices.BinarySearchFunc(mentions, at, func(m text.Span, at int) int { return cmp.Compare(m.End, at+1) })
	for ; next < len(mentions) && mentions[next].Start < within.End; next++ {
		all = appendWords(all, s, text.Span{Start: at, End: mentions[next].Start}, unspacedMarks)
		all = appendWords(all, s, mentions[next], spacedWord)
		at = mentions[next].End
	}
	if at < within.End {
		all = appendWords(all, s, text.Span{Start: at, End: within.End}, unspacedMarks)
	}
	return all
}

// spacedWord and unspacedMarks match what is between spaces and control characters: as it is, or the marks before and
// after a word one by one.
var (
	spacedWord    = regexp.MustCompile(`[^\pZ\x00-\x20\x{85}]+`)
	unspacedMarks = regexp.MustCompile(`[\pL\p{Nd}\pM](?:[^\pZ\x00-\x20\x{85}]*[\pL\p{Nd}\pM])?|[^\pZ\x00-\x20\x{85}]`)
)

// appendWords appends the words of a part of a text.
func appendWords(all []text.Span, s string, within text.Span, words *regexp.Regexp) []text.Span {
	for _, at := range words.FindAllStringIndex(within.Of(s), -1) {
		word := text.Span{Start: within.Start + at[0], End: within.Start + at[1]}
		if strings.HasPrefix(word.Of(s), docStart) { // which would begin a document
			all = append(all, text.Span{Start: word.Start, End: word.Start + 1})
			word.Start++
		}
		all = append(all, word)
	}
	return all
}
