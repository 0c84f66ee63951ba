package assertion

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

func newAssertion(values [dimensions]value) linked.Assertion {
	return linked.Assertion{
		Negated:      values[polarity] == negated,
		Uncertain:    values[polarity] == uncertain,
		Historical:   values[temporality] == historical,
		Hypothetical: values[temporality] == hypothetical,
		OtherPerson:  values[experiencer] == otherPerson,
	}
}

// Classify returns what the text says of each mention of a document, in their order.
func Classify(doc *text.Document) []linked.Assertion {
	byStart := func(a, b text.Mention) int { return cmp.Compare(a.Start, b.Start) }
	if slices.IsSortedFunc(doc.Mentions, byStart) {
		return classifySorted(doc)
	}
	order := make([]int, len(doc.Mentions))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return byStart(doc.Mentions[i], doc.Mentions[j]) })
	sorted := &text.Document{Text: doc.Text}
	for _, i := range order {
		sorted.Mentions = append(sorted.Mentions, doc.Mentions[i])
	}
	assertions := make([]linked.Assertion, len(order))
	for at, assertion := range classifySorted(sorted) {
		assertions[order[at]] = assertion
	}
	return assertions
}

// classifySorted is [Classify] for mentions in the order of their starts.
func classifySorted(doc *text.Document) []linked.Assertion {
	assertions := make([]linked.Assertion, len(doc.Mentions))
	if len(doc.Mentions) == 0 {
		return assertions
	}
	var c classifier
	next, covered := 0, 0 // the mentions before next begin in earlier sentences and end at covered or before
	for _, s := range sentence.Split(doc.Text) {
		first := next
		for next < len(doc.Mentions) && doc.Mentions[next].Start < s.End {
			next++
		}
		if first < next {
			c.sentence(doc.Text, s, covered, doc.Mentions[first:next], assertions[first:next])
		}
		for _, m := range doc.Mentions[first:next] {
			covered = max(covered, m.End)
		}
	}
	return assertions
}

// event is a mention or a term of a sentence.
type event struct {
	text.Span
	mention int      // its index, or -1
	effects *effects // of a term
}

// scope is that of a trigger that reaches the place a sweep has come to.
type scope struct {
	value value
	from  int // the byte at which it begins; only if value is set
}

// classifier holds working memory.
type classifier struct {
	terms  []text.Mention
	events []event
	scopes [][dimensions]scope // of each mention, of the triggers before it
}

// sentence sets the assertions of the mentions that begin in a sentence. Mentions of earlier
// sentences end at covered or before.
func (c *classifier) sentence(body string, s text.Span, covered int, mentions []text.Mention, assertions []linked.Assertion) {
	c.findEvents(body, s, covered, mentions)
	if len(c.events) == len(mentions) {
		return // there is no term
	}
	c.scopes = append(c.scopes[:0], make([][dimensions]scope, len(mentions))...)

	var reach [dimensions]scope
	for _, e := range c.events {
		if e.mention >= 0 {
			c.scopes[e.mention] = reach
			continue
		}
		for d, acts := range e.effects.acts {
			if acts {
				reach[d] = scope{e.effects.after[d], e.End}
			}
		}
	}
	reach = [dimensions]scope{}
	for _, e := range slices.Backward(c.events) {
		if e.mention >= 0 {
			var values [dimensions]value
			for d, forward := range c.scopes[e.mention] {
				values[d] = nearer(e.Span, forward, reach[d])
			}
			assertions[e.mention] = newAssertion(values)
			continue
		}
		for d, acts := range e.effects.acts {
			if acts {
				reach[d] = scope{e.effects.before[d], e.Start}
			}
		}
	}
}

// nearer returns the value of the scope that begins nearer to the mention: forward begins
// before it and backward after it.
func nearer(mention text.Span, forward, backward scope) value {
	switch {
	case forward.value == usual:
		return backward.value
	case backward.value == usual:
		return forward.value
	}
	switch cmp.Compare(mention.Start-forward.from, backward.from-mention.End) {
	case -1:
		return forward.value
	case 1:
		return backward.value
	}
	return max(forward.value, backward.value)
}

// termination is the effect of a semicolon.
var termination = &effects{acts: [dimensions]bool{true, true, true}}

// findEvents collects the mentions, and the terms that overlap none of them, in order.
// covered is the end of the mentions of earlier sentences.
func (c *classifier) findEvents(body string, s text.Span, covered int, mentions []text.Mention) {
	c.events = c.events[:0]
	for i, m := range mentions {
		c.events = append(c.events, event{m.Span, i, nil})
	}
	add := func(start, end int, e *effects) {
		c.events = append(c.events, event{text.Span{Start: s.Start + start, End: s.Start + end}, -1, e})
	}
	lexicon, sentence := english(), s.Of(body)
	c.terms = lexicon.tagger.Tag(c.terms[:0], sentence)
	for _, term := range c.terms {
		e := lexicon.effects[term.Name]
		if !e.slash || strings.Contains(term.Of(sentence), "/") {
			add(term.Start, term.End, e)
		}
	}
	for i := range len(sentence) {
		if sentence[i] == ';' {
			add(i, i+1, termination)
		}
	}
	slices.SortStableFunc(c.events, func(a, b event) int { return cmp.Compare(a.Start, b.Start) })

	kept, seen := c.events[:0], 0 // seen counts the mentions so far
	for _, e := range c.events {
		if e.mention >= 0 {
			covered = max(covered, e.End)
			seen++
		} else if e.Start < covered || seen < len(mentions) && mentions[seen].Start < e.End {
			continue
		}
		kept = append(kept, e)
	}
	c.events = kept
}
