package formats

import (
	"iter"

	"github.com/ctxnorm/ctxnorm/text/linked"
)

// link is the best candidate of a mention, or of a sub-mention of a composite one.
type link struct {
	mention   *linked.Mention
	wording   string            // of the mention or sub-mention
	candidate *linked.Candidate // nil for NIL
}

// linksOf returns the links of a document.
func linksOf(d *linked.Document) iter.Seq[link] {
	return func(yield func(link) bool) {
		for i := range d.Mentions {
			m := &d.Mentions[i]
			for k, c := range m.Best() {
				l := link{m, m.Text, c}
				if len(m.SubMentions) > 0 {
					l.wording = m.SubMentions[k].Text
				}
				if !yield(l) {
					return
				}
			}
		}
	}
}
