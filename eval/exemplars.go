package eval

import (
	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// Exemplars returns the mentions whose concepts are all in the evaluated set, to train on. Short forms
// that their documents define are replaced by their long forms, as they are when mentions are linked.
func (g *Gold) Exemplars() []text.Exemplar {
	var exemplars []text.Exemplar
	for i, query := range g.expanded() {
		m := &g.Mentions[i]
		if m.InSet() && len(m.Outside) == 0 {
			query.Mention.Concepts = m.Gold
			exemplars = append(exemplars, text.Exemplar{Query: query})
		}
	}
	return exemplars
}

// expanded returns the queries of the mentions with the long forms of the short forms that their documents define.
func (g *Gold) expanded() []text.Query {
	queries := make([]text.Query, len(g.Mentions))
	var expander *abbrev.Expander
	var document *text.Document // of expander
	for i := range g.Mentions {
		queries[i] = g.Mentions[i].Query
		if queries[i].Document != document {
			document, expander = queries[i].Document, abbrev.NewExpander(queries[i].Text)
		}
		if long, ok := expander.Expand(queries[i].Surface(), queries[i].Mention.Start); ok {
			queries[i] = queries[i].WithSurface(long)
		}
	}
	return queries
}

// Refine drops the mentions that also stand in other gold, such as training and development sets, and
// then those that stand in g before, and returns their numbers: the refined test sets of Tutubalina,
// Kadurin & Miftahutdinov, "Fair Evaluation in Concept Normalization", COLING 2020. Mentions are the
// same if their normal forms are, with the long forms of short forms that their documents define.
func (g *Gold) Refine(other *Gold) (overlaps, duplicates int) {
	elsewhere, before := make(map[string]bool), make(map[string]bool)
	for _, q := range other.expanded() {
		elsewhere[normalize.Normal(q.Surface())] = true
	}
	var kept []GoldMention
	for i, q := range g.expanded() {
		normal := normalize.Normal(q.Surface())
		switch {
		case elsewhere[normal]:
			overlaps++
		case before[normal]:
			duplicates++
		default:
			before[normal] = true
			kept = append(kept, g.Mentions[i])
		}
	}
	g.Mentions = kept
	return overlaps, duplicates
}
