package eval

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/ctxnorm/ctxnorm/kb"
)

// shownCandidates is the number of candidates listed for a mistake.
const shownCandidates = 5

// WriteMistakes writes the predictions that are wrong at rank 1 as text, grouped by kind of failure. Predictions with
// the same surface form, gold concepts and first candidates are shown once, in the sentence of the first, with all
// their documents. The most frequent come first:
//
//	candidate missing: 12 of 787 mentions
//
//	3 times: 8808605 (2), 9050866  unseen surface form, abbreviation, sibling
//	  … that severe [G6PD deficiency] affects …
//	  gold   D005955  glucosephosphate dehydrogenase deficiency
//	      1. D000747  anemia, hemolytic, congenital nonspherocytic  .412
//
// The documents are followed by the mention's slices and, if the dictionary has a
// hierarchy, by the [Relation] of the first candidate.
//
// Correct candidates have a star. The first of them is shown at any rank. A candidate's name is followed by its
// probability, or by its score if the linker returns no probabilities.
func WriteMistakes(w io.Writer, predictions []Prediction, policy Policy, v *DictionaryView,
	mentionSlices []Slice) error {
	b := bufio.NewWriter(w)
	m := mistakeWriter{b, v, mentionSlices}
	for _, group := range evaluate(predictions, policy, AllMentions()).failures(policy) {
		if group.Mentions == 0 {
			continue
		}
		fmt.Fprintf(b, "%s: %d of %s\n\n", group.Kind, group.Mentions, english.Plural(group.Total, "mention", ""))
		for _, same := range groupMistakes(group.Predictions) {
			m.write(same)
		}
	}
	return b.Flush()
}

// groupMistakes groups predictions that are the same mistake. The largest groups come first; groups of equal size are
// in order of appearance.
func groupMistakes(predictions []*Prediction) [][]*Prediction {
	var groups [][]*Prediction
	byKey := make(map[string]int) // position in groups
	for _, p := range predictions {
		var shown []kb.ConceptID
		for _, c := range p.Ranked[:min(shownCandidates, len(p.Ranked))] {
			shown = append(shown, c.Concept)
		}
		key := fmt.Sprintf("%q %q %q %q", p.Mention.Query.Surface(), p.Mention.Gold, p.Mention.Outside, shown)
		i, ok := byKey[key]
		if !ok {
			i = len(groups)
			byKey[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], p)
	}
	slices.SortStableFunc(groups, func(a, b []*Prediction) int { return cmp.Compare(len(b), len(a)) })
	return groups
}

// mistakeWriter writes mistakes. Its writer is buffered and remembers the first write error.
type mistakeWriter struct {
	w      *bufio.Writer
	view   *DictionaryView
	slices []Slice
}

func (w *mistakeWriter) write(same []*Prediction) {
	m := same[0].Mention
	var labels []string
	for _, s := range w.slices {
		if s.Contains(m) {
			labels = append(labels, s.Name)
		}
	}
	if relation, ok := w.view.Relation(same[0]); ok {
		labels = append(labels, string(relation))
	}
	q := &m.Query
	marked := q.Text[q.Sentence.Start:q.Mention.Start] + "[" + q.Surface() + "]" + q.Text[q.Mention.End:q.Sentence.End]
	fmt.Fprintf(w.w, "%s  %s\n  %s\n", formatDocuments(same), strings.Join(labels, ", "), strings.Join(strings.Fields(marked), " "))
	for _, id := range m.Gold {
		fmt.Fprintf(w.w, "  gold   %s  %s\n", id, w.name(id))
	}
	for _, id := range m.Outside {
		fmt.Fprintf(w.w, "  gold   %s  (outside the concepts)\n", id)
	}
	if len(m.Gold)+len(m.Outside) == 0 {
		fmt.Fprintln(w.w, "  gold   none")
	}
	w.writeCandidates(same[0])
	fmt.Fprintln(w.w)
}

func (w *mistakeWriter) writeCandidates(p *Prediction) {
	if len(p.Candidates) == 0 {
		fmt.Fprintln(w.w, "         NIL")
	}
	shownCorrect := false
	for i, c := range p.Candidates {
		correct := slices.Contains(p.Mention.Gold, w.view.Canonical(c.Concept))
		if i >= shownCandidates && (shownCorrect || !correct) {
			continue
		}
		shownCorrect = shownCorrect || correct
		star := " "
		if correct {
			star = "*"
		}
		score := c.Probability
		if p.Candidates[0].Probability == 0 {
			score = c.Score
		}
		fmt.Fprintf(w.w, "  %s %3d. %s  %s  %s\n", star, i+1, c.Concept, w.name(c.Concept), Decimals(score))
	}
}

// name returns a name of the concept, or the reason why there is none.
func (w *mistakeWriter) name(id kb.ConceptID) string {
	switch name := w.view.Name(id); {
	case name != "":
		return name
	case w.view.Contains(id):
		return "(without a name)"
	}
	return "(not in the dictionary)"
}

// formatDocuments lists the documents of a mistake: "3 times: 8808605 (2), 9050866".
func formatDocuments(same []*Prediction) string {
	var documents []string
	times := make(map[string]int)
	for _, p := range same {
		id := p.Mention.Query.ID
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
