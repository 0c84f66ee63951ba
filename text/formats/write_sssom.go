package formats

import (
	"io"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/internal/sssom"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// sssomWriter writes the concept of each mention, and of each sub-mention of a composite one. It writes the file as a
// whole, since its header has the prefixes of all identifiers.
type sssomWriter struct {
	w        io.Writer
	options  WriterOptions
	mappings []sssom.Mapping
}

func newSSSOM(w io.Writer, o WriterOptions) Writer { return &sssomWriter{w: w, options: o} }

// Write implements [Writer].
func (w *sssomWriter) Write(r *Record, d *linked.Document) error {
	w.options.lostControls(r.ID, d.Text)
	sentences := sentence.Split(d.Text)
	for l := range linksOf(d) {
		m, c := l.mention, l.candidate
		mapping := sssom.Mapping{Label: printable(l.wording), Document: printable(r.ID), Justification: sssom.Composite,
			Tool: "ctxnorm", NoTerm: c == nil}
		if len(m.SubMentions) == 0 && len(m.Fragments) == 0 { // the wording is there in one piece
			within := sentence.AroundIn(sentences, m.Span)
			mapping.Text = printable(within.Of(d.Text))
			mapping.Start = utf8.RuneCountInString(d.Text[within.Start:m.Start])
			mapping.End = mapping.Start + utf8.RuneCountInString(m.Of(d.Text))
		}
		if c != nil {
			mapping.Object, mapping.ObjectLabel, mapping.Confidence = c.Concept, printable(c.Name),
				linked.Rounded(c.Probability)
			if c.Probability == 0 { // the methods without probabilities have one technique
				mapping.Justification = sssom.Unspecified
			}
		}
		if said := m.Corrected; said != nil {
			mapping.Justification, mapping.Tool = sssom.ManualCuration, ""
			mapping.Author, mapping.Date = printable(said.By), said.At
		}
		w.mappings = append(w.mappings, mapping)
	}
	return nil
}

// Close implements [Writer].
func (w *sssomWriter) Close() error { return sssom.Write(w.w, w.mappings) }
