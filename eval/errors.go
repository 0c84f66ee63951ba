package eval

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"ctxnorm"
)

// shownCandidates is how many candidates of a mistake are listed.
const shownCandidates = 5

// WriteErrors writes the mistakes at 1 for a person to read, grouped by kind. A
// mistake that is made again and again (same wording, gold and first candidates)
// is shown once, in its first sentence, with all its documents; the most
// frequent come first:
//
//	candidate missing: 12 of 787 mentions
//
//	3 times: 8808605 (2), 9050866  unseen wording, abbreviation, sibling
//	  … that severe [G6PD deficiency] affects …
//	  gold   D005955  glucosephosphate dehydrogenase deficiency
//	      1. D000747  anemia, hemolytic, congenital nonspherocytic  .412
//
// Behind the documents come the slices and, where the dictionary has a tree, how
// the first candidate stands to the gold ([Relation]).
//
// Right candidates have a star; the first of them is shown wherever it stands.
// Behind a name comes the probability, or the score where the linker gives no
// probabilities.
func WriteErrors(w io.Writer, answers []Answer, policy Policy, k *Known, kinds []Slice) error {
	b := bufio.NewWriter(w)
	c := newCount(answers, policy, AllMentions())
	e := errorWriter{b, k, kinds}
	for _, row := range failures(c, policy) {
		if row.Mentions == 0 {
			continue
		}
		fmt.Fprintf(b, "%s: %d of %d mentions\n\n", row.Kind, row.Mentions, row.Of)
		var failed []*Answer
		for i, a := range c.answers {
			if kind, ok := failureOf(a, policy, c.ranks[i]); ok && kind == row.Kind {
				failed = append(failed, a)
			}
		}
		for _, same := range mistakes(failed) {
			e.write(same)
		}
	}
	return b.Flush()
}

// mistakes puts answers together that are the same mistake, the most frequent
// first, then in the order they come.
func mistakes(answers []*Answer) [][]*Answer {
	var groups [][]*Answer
	at := make(map[string]int)
	for _, a := range answers {
		shown := a.Concepts[:min(shownCandidates, len(a.Concepts))]
		key := fmt.Sprintf("%q %q %q %q", a.Item.Query.Surface(), a.Item.Gold, a.Item.Outside, shown)
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], a)
	}
	slices.SortStableFunc(groups, func(a, b []*Answer) int { return cmp.Compare(len(b), len(a)) })
	return groups
}

type errorWriter struct {
	w      io.Writer
	known  *Known
	slices []Slice
}

func (e *errorWriter) write(same []*Answer) {
	item := same[0].Item
	var kinds []string
	for _, s := range e.slices {
		if s.Has(item) {
			kinds = append(kinds, s.Name)
		}
	}
	if a := same[0]; e.known.relates(a) {
		kinds = append(kinds, string(e.known.relation(a)))
	}
	fmt.Fprintf(e.w, "%s  %s\n  %s\n", where(same), strings.Join(kinds, ", "), marked(&item.Query))
	for _, id := range item.Gold {
		fmt.Fprintf(e.w, "  gold   %s  %s\n", id, e.name(id))
	}
	for _, id := range item.Outside {
		fmt.Fprintf(e.w, "  gold   %s  (outside the concepts)\n", id)
	}
	if len(item.Gold)+len(item.Outside) == 0 {
		fmt.Fprintln(e.w, "  gold   none")
	}
	e.candidates(same[0])
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
		fmt.Fprintf(e.w, "  %s %3d. %s  %s  %s\n", star, i+1, c.Concept, e.name(c.Concept), Decimals(score))
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

// where lists the documents of a mistake: "3 times: 8808605 (2), 9050866".
func where(same []*Answer) string {
	var documents []string
	times := make(map[string]int)
	for _, a := range same {
		id := a.Item.Query.ID
		if times[id]++; times[id] == 1 {
			documents = append(documents, id)
		}
	}
	for i, id := range documents {
		if times[id] > 1 {
			documents[i] = fmt.Sprintf("%s (%d)", id, times[id])
		}
	}
	list := strings.Join(documents, ", ")
	if len(same) == 1 {
		return list
	}
	return fmt.Sprintf("%d times: %s", len(same), list)
}

// marked is the sentence on one line with the mention in square brackets.
func marked(q *ctxnorm.Query) string {
	before := q.Text[q.Sentence.Start:q.Mention.Start]
	after := q.Text[q.Mention.End:q.Sentence.End]
	return strings.Join(strings.Fields(before+"["+q.Surface()+"]"+after), " ")
}
