package formats

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// linkedRecord is a record with its linked mentions, in the form that writers use.
type linkedRecord struct {
	*Record
	Mentions []linked.Mention // offsets count code points
	doc      *linked.Document // the same mentions, with byte offsets
	offsets  *text.Offsets    // of the text; nil until needed
}

func newLinkedRecord(r *Record, d *linked.Document) *linkedRecord {
	return &linkedRecord{Record: r, Mentions: d.CodePoints(), doc: d}
}

// between returns the text of a span in code points.
func (l *linkedRecord) between(span text.Span) string {
	if l.offsets == nil {
		l.offsets = text.NewOffsets(l.Text)
	}
	bytes, _ := l.offsets.Bytes(span)
	return bytes.Of(l.Text)
}

// fragmentsOf returns the fragments of a mention: its span unless it is discontinuous.
func fragmentsOf(m *linked.Mention) []text.Span {
	if len(m.Fragments) == 0 {
		return []text.Span{m.Span}
	}
	return m.Fragments
}

// none is written for NIL in formats with one field for all ids of a mention.
const none = "-"

// linkedID returns the concepts to which a mention was linked, in PubTator's notation: "D001943|D010051" for a
// composite mention, "-" for NIL.
func linkedID(m *linked.Mention) string {
	return joinBest(m, "|", none, idOf)
}

func idOf(c *linked.Candidate) string   { return string(c.Concept) }
func nameOf(c *linked.Candidate) string { return c.Name }

// joinBest joins the results of the function of for the best candidates of a mention. nilText stands for NIL; it is
// written once if all of them are NIL.
func joinBest(m *linked.Mention, separator, nilText string, of func(*linked.Candidate) string) string {
	best := m.Best()
	texts := make([]string, len(best))
	isLinked := false
	for i, c := range best {
		texts[i] = nilText
		if c != nil {
			texts[i], isLinked = of(c), true
		}
	}
	if !isLinked {
		return nilText
	}
	return strings.Join(texts, separator)
}

// untyped is the type of mentions without one in formats that require a type.
const untyped = "Concept"

// typeOf returns the type of a mention for formats that require one.
func typeOf(m *linked.Mention) string { return cmp.Or(m.Type, untyped) }

// alsoFits lists the candidates of a mention that tie with the first, or returns "" if a curator decided.
func alsoFits(m *linked.Mention, l *linked.Link) string {
	var all []string
	for _, c := range l.Tied() {
		all = append(all, fmt.Sprintf("%s (%s)", c.Name, c.Concept))
	}
	if all == nil || m.Corrected != nil {
		return ""
	}
	return oneLine("fits as well: " + strings.Join(all, ", "))
}

// isControl reports whether XML and other text formats cannot hold a character, or read it as a line ending.
func isControl(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff
}

// printable replaces each control character by one of the same length in bytes, so that offsets stay valid: by a space,
// or by U+FFFD for U+FFFE and U+FFFF. Bytes that are not UTF-8 become U+FFFD, too.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case !isControl(r):
			return r
		case r < ' ':
			return ' '
		}
		return utf8.RuneError
	}, s)
}

// checkIDs returns an error if the format holds the concepts of a mention in one string that would be read as other
// concepts, such as an identifier with a bar, which would be read as two.
func checkIDs(l *linkedRecord, format Format, written func(*linked.Mention) string) error {
	for i := range l.Mentions {
		m := &l.Mentions[i]
		var want []kb.ConceptID
		for _, c := range m.Best() {
			if c != nil {
				want = append(want, c.Concept)
			}
		}
		if read, _ := parseIDs(written(m)); !slices.Equal(read, want) {
			return fmt.Errorf("document %q: the concepts %q would be read as %q: identifiers with separators or spaces "+
				"cannot be written as %s, want %s", l.ID, want, read, format, JSONL)
		}
	}
	return nil
}
