package formats

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// htmlWriter writes a page for reading: the texts with their mentions colored by certainty. A click on a mention shows
// its candidates and their evidence. The page is self-contained and has no script.
type htmlWriter struct {
	report                 *template.Template
	documents, total, nils int
}

func newHTML(w io.Writer, o WriterOptions) Writer {
	h := &htmlWriter{report: template.Must(template.New("report").Funcs(template.FuncMap{ // these escape
		"percent":         func(p float64) string { return fmt.Sprintf("%.0f %%", 100*linked.Rounded(p)) },
		"width":           func(p float64) int { return int(math.Round(100 * min(max(linked.Rounded(p), 0), 1))) },
		"number":          func(x float64) string { return fmt.Sprintf("%.3f", linked.Rounded(x)) },
		"style":           func() template.CSS { return template.CSS(linked.CSS) },
		"conceptAddress":  func(id kb.ConceptID) string { return linkAddress(o.Links.Concept, string(id)) },
		"documentAddress": func(id string) string { return linkAddress(o.Links.Document, id) },
	}).Parse(reportSource))}
	out := newOutput(w)
	// The writer repeats an error later. The head waits in its buffer.
	_ = h.report.ExecuteTemplate(out, "head", map[string]float64{"Certain": linked.Certain, "Likely": linked.Likely})
	return &documentWriter{out, o, h.document, h.foot}
}

//go:embed report.html
var reportSource string // the templates "head", "document" and "foot"

// htmlPiece is a piece of a text: plain text or a mention.
type htmlPiece struct {
	Text    string
	Mention *htmlMention // nil for plain text
}

// htmlMention is a mention as shown on the page.
type htmlMention struct {
	*linked.Mention
	Class string // certainty: high, middle, low, linked for a link without a probability, or nil
	ID    string
	Name  string
	Says  string // attributes such as "negated, historical"
}

func newHTMLMention(m *linked.Mention) *htmlMention {
	says := strings.ReplaceAll(strings.Join(attributesOf(m), ", "), "_", " ")
	h := &htmlMention{Mention: m, Class: "nil", ID: linkedID(m),
		Name: joinBest(m, " | ", "NIL", nameOf), Says: says}
	lowest, isLinked, unknown := 1., false, false
	for _, c := range m.Best() {
		switch {
		case c == nil:
		case c.Probability == 0: // the method returns no probabilities
			isLinked, unknown = true, true
		default:
			isLinked, lowest = true, min(lowest, linked.Rounded(c.Probability))
		}
	}
	switch {
	case !isLinked:
	case unknown:
		h.Class = "linked"
	case lowest >= linked.Certain:
		h.Class = "high"
	case lowest >= linked.Likely:
		h.Class = "middle"
	default:
		h.Class = "low"
	}
	return h
}

// document returns the HTML of a document.
func (w *htmlWriter) document(l *linkedRecord, _ *WriterOptions) (string, error) {
	w.documents++
	var pieces []htmlPiece
	var within []*htmlMention // mentions that overlap another, shown below the text
	at := 0
	for i := range l.Mentions {
		m, span := newHTMLMention(&l.Mentions[i]), l.doc.Mentions[i].Span
		w.total++
		if m.Class == "nil" {
			w.nils++
		}
		if span.Start < at {
			within = append(within, m)
			continue
		}
		pieces = append(pieces, htmlPiece{Text: l.Text[at:span.Start]}, htmlPiece{span.Of(l.Text), m})
		at = span.End
	}
	pieces = append(pieces, htmlPiece{Text: l.Text[at:]})
	return w.execute("document", map[string]any{"ID": l.ID, "Named": !l.Unnamed, "Pieces": pieces, "Within": within})
}

func (w *htmlWriter) foot() (string, error) {
	return w.execute("foot", map[string]int{"Documents": w.documents, "Mentions": w.total, "NIL": w.nils})
}

// execute returns the output of a template for data.
func (w *htmlWriter) execute(name string, data any) (string, error) {
	var b strings.Builder
	err := w.report.ExecuteTemplate(&b, name, data)
	return b.String(), err
}
