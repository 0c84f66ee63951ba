package eval

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"ctxnorm"
)

// shownCandidates is how many candidates of a mistake are listed.
const shownCandidates = 5

// WriteErrors writes the mistakes at 1 for a person to read, grouped by kind, in
// the order of the gold:
//
//	candidate missing: 12 of 787 mentions
//
//	8808605  abbreviation, unseen wording
//	  … that severe [G6PD deficiency] affects …
//	  gold   D005955  glucosephosphate dehydrogenase deficiency
//	     1.  D000747  anemia, hemolytic, congenital nonspherocytic  .412
//
// The right ones among the candidates have a star; the first of them is shown
// wherever it stands. Behind a name comes the probability, or the score where
// the linker gives no probabilities.
func WriteErrors(w io.Writer, answers []Answer, policy Policy, k *Known, kinds []Slice) error {
	b := bufio.NewWriter(w)
	c := newCount(answers, policy, AllMentions())
	e := errorWriter{b, k, kinds}
	for _, row := range failures(c, policy) {
		if row.Mentions == 0 {
			continue
		}
		fmt.Fprintf(b, "%s: %d of %d mentions\n\n", row.Kind, row.Mentions, row.Of)
		for i, a := range c.answers {
			if kind, failed := failureOf(a, policy, c.ranks[i]); failed && kind == row.Kind {
				e.write(a)
			}
		}
	}
	return b.Flush()
}

type errorWriter struct {
	w      io.Writer
	known  *Known
	slices []Slice
}

func (e *errorWriter) write(a *Answer) {
	q := &a.Item.Query
	var kinds []string
	for _, s := range e.slices {
		if s.Has(a.Item) {
			kinds = append(kinds, s.Name)
		}
	}
	fmt.Fprintf(e.w, "%s  %s\n  %s\n", q.ID, strings.Join(kinds, ", "), marked(q))
	for _, id := range a.Item.Gold {
		fmt.Fprintf(e.w, "  gold   %s  %s\n", id, e.name(id))
	}
	for _, id := range a.Item.Outside {
		fmt.Fprintf(e.w, "  gold   %s  (outside the concepts)\n", id)
	}
	if len(a.Item.Gold)+len(a.Item.Outside) == 0 {
		fmt.Fprintln(e.w, "  gold   none")
	}
	e.candidates(a)
	fmt.Fprintln(e.w)
}

func (e *errorWriter) candidates(a *Answer) {
	if len(a.Candidates) == 0 {
		fmt.Fprintln(e.w, "         NIL")
	}
	found := false
	for i, c := range a.Candidates {
		right := slices.Contains(a.Item.Gold, e.known.ids.Canonical(c.Concept))
		if i >= shownCandidates && (found || !right) {
			continue
		}
		found = found || right
		star := " "
		if right {
			star = "*"
		}
		score := c.Probability
		if a.Candidates[0].Probability == 0 {
			score = c.Score
		}
		fmt.Fprintf(e.w, "  %s %3d.  %s  %s  %s\n", star, i+1, c.Concept, e.name(c.Concept), decimals(score))
	}
}

func (e *errorWriter) name(id ctxnorm.ConceptID) string {
	switch name := e.known.Name(id); {
	case name != "":
		return name
	case e.known.Has(id):
		return "(without a name)"
	}
	return "(not in the dictionary)"
}

// marked is the sentence on one line with the mention in square brackets.
func marked(q *ctxnorm.Query) string {
	before := q.Text[q.Sentence.Start:q.Mention.Start]
	after := q.Text[q.Mention.End:q.Sentence.End]
	return strings.Join(strings.Fields(before+"["+q.Surface()+"]"+after), " ")
}
