package formats

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// pubtatorOutput is PubTator.
var pubtatorOutput = OutputFormat{
	Name: PubTator, Extensions: []string{".pubtator"}, MIME: "text/plain; charset=utf-8",
	New: func(w io.Writer, _ TableOptions) Writer { return &pubtatorWriter{newOutput(w)} },
}

// pubtatorWriter writes PubTator: the lines that were read with other concepts in their last
// column, or those of any other document, whose text becomes the title.
type pubtatorWriter struct{ *output }

// Write implements [Writer].
func (w *pubtatorWriter) Write(r *Record, d *linked.Document) error {
	l := newLinkedRecord(r, d)
	var b strings.Builder
	source, fromPubTator := l.source.(pubtatorSource)
	placed, own := byPlace(l)
	id := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '|' || r == '{' {
			return '_'
		}
		return r
	}, cmp.Or(l.ID, "0"))
	mentions := func() {
		for i := range l.Mentions {
			m := &l.Mentions[i]
			fmt.Fprintf(&b, "%s\t%d\t%d\t%s\t%s\t%s\n", id, m.Start, m.End, oneLine(l.between(m.Span)), typeOf(m), linkedID(m))
		}
	}
	if !fromPubTator {
		// Spaces for line breaks keep the offsets.
		fmt.Fprintf(&b, "%s|t|%s\n%s|a|\n", id, strings.NewReplacer("\n", " ", "\r", " ").Replace(l.Text), id)
		mentions()
		return w.write(b.String() + "\n")
	}
	written := false
	for i, line := range source {
		_, _, _, isSection := cutSection(line)
		cells := strings.Split(line, "\t")
		isMention := !isSection && len(cells) > 4 && !isWord(cells[1])
		if !own && !isSection && !written {
			mentions()
			written = true
		}
		if !own && isMention {
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
	if !own && !written {
		mentions()
	}
	return w.write(b.String() + "\n")
}

// conllOutput is CoNLL.
var conllOutput = OutputFormat{
	Name: CoNLL, Extensions: []string{".conll"}, MIME: "text/plain; charset=utf-8",
	New: func(w io.Writer, _ TableOptions) Writer { return &conllWriter{newOutput(w)} },
}

// conllWriter writes CoNLL: the lines that were read with a column of concepts after the
// tags, or those of any other document, split into words.
type conllWriter struct{ *output }

// Write implements [Writer].
func (w *conllWriter) Write(r *Record, d *linked.Document) error {
	l := newLinkedRecord(r, d)
	var b strings.Builder
	source, _ := l.source.(*conllSource)
	placed, own := byPlace(l)
	if source == nil || !own {
		writeTokens(&b, l)
		return w.write(b.String())
	}
	ids := make(map[int]string)
	for place, m := range placed {
		for _, line := range source.of[place] {
			ids[line] = linkedID(m)
		}
	}
	for i, line := range source.lines {
		cells, separator := splitCoNLL(line)
		if source.token[i] {
			id := cmp.Or(ids[i], none)
			if source.tags+1 < len(cells) {
				cells[source.tags+1] = id
			} else {
				cells = append(cells, id)
			}
			line = strings.Join(cells, separator)
		}
		b.WriteString(line + "\n")
	}
	b.WriteString("\n")
	return w.write(b.String())
}

// writeTokens writes a document as words with tags in BIO notation. Of mentions that overlap
// the first is written.
func writeTokens(b *strings.Builder, l *linkedRecord) {
	fmt.Fprintf(b, "%s (%s)\tO\t%s\n\n", docStart, strings.NewReplacer("(", "", ")", "", "\n", " ", "\t", " ").Replace(l.ID), none)
	s := l.Text
	spans, mentions := separate(l)
	next := 0
	for _, sentence := range sentence.Split(s) {
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
				tag, id = prefix+strings.Join(strings.Fields(typeOf(m)), "_"), linkedID(m)
			}
			fmt.Fprintf(b, "%s\t%s\t%s\n", token.Of(s), tag, strings.Join(strings.Fields(id), "_"))
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

// tokens returns the words and punctuation marks of a sentence. The edges of mentions are
// edges of tokens.
func tokens(s string, within text.Span, mentions []text.Span) []text.Span {
	edges := make(map[int]bool)
	first, _ := slices.BinarySearchFunc(mentions, within.Start, func(m text.Span, at int) int { return cmp.Compare(m.End, at) })
	for _, m := range mentions[first:] {
		if m.Start >= within.End {
			break
		}
		edges[m.Start], edges[m.End] = true, true
	}
	var all []text.Span
	start := -1
	flush := func(end int) {
		if start >= 0 {
			all = append(all, text.Span{Start: start, End: end})
			start = -1
		}
	}
	for i, r := range s[within.Start:within.End] {
		at := within.Start + i
		if edges[at] {
			flush(at)
		}
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			flush(at)
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r):
			if start < 0 {
				start = at
			}
		default:
			flush(at)
			all = append(all, text.Span{Start: at, End: at + utf8.RuneLen(r)})
		}
	}
	flush(within.End)
	return all
}
