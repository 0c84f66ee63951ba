package assertion

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
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

// Classify returns the assertion of the text about each mention of a document, in the order of the mentions.
func Classify(doc *text.Document) []linked.Assertion {
	assertions := make([]linked.Assertion, len(doc.Mentions))
	if len(assertions) == 0 {
		return assertions
	}
	order := make([]int, len(doc.Mentions)) // indexes of the mentions, by start
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(doc.Mentions[i].Start, doc.Mentions[j].Start) })
	mentions, sorted := make([]text.Mention, len(order)), make([]linked.Assertion, len(order))
	for at, i := range order {
		mentions[at] = doc.Mentions[i]
	}
	var c classifier
	next, covered, last := 0, 0, 0 // mentions before next begin in earlier segments and end at covered at the latest
	for _, s := range segments(doc.Text) {
		first := next
		for next < len(mentions) && mentions[next].Start < s.End {
			next++
		}
		c.leaveSection(doc.Text[last:s.Start], s.Of(doc.Text))
		last = s.End
		if first < next || c.section != (section{}) || mayHead(doc.Text, s) {
			c.segment(doc.Text, s, covered, mentions[first:next], sorted[first:next])
		}
		for _, m := range mentions[first:next] {
			covered = max(covered, m.End)
		}
	}
	for at, i := range order {
		assertions[i] = sorted[at]
	}
	return assertions
}

// event is a mention, a term or a sign in a segment.
type event struct {
	text.Span
	mention int      // its index, or -1 for a term or sign
	effects *effects // only of a term or sign
	backTo  int      // where the scope before a term begins
}

// scope is the scope of a trigger that reaches the current position of a sweep.
type scope struct {
	value value
	from  int // where it begins, in bytes; only if value is set
	to    int // its first byte, if it reaches back
}

// classifier holds working memory and the current section.
type classifier struct {
	terms   []text.Mention
	signs   []sign
	events  []event
	scopes  [][dimensions]scope // for each mention, scopes of the triggers before it
	section section
}

// segment sets the assertions of the mentions that begin in a segment. Mentions of earlier segments end at covered at
// the latest.
func (c *classifier) segment(body string, s text.Span, covered int, mentions []text.Mention, assertions []linked.Assertion) {
	c.findEvents(body, s, covered, mentions)
	c.scopes = append(c.scopes[:0], make([][dimensions]scope, len(mentions))...)

	var reach [dimensions]scope
	for d, v := range c.section.values {
		reach[d] = scope{v, s.Start, 0}
	}
	var last *event // previous event
	for i := range c.events {
		e := &c.events[i]
		if e.mention < 0 {
			e.open(&reach, e.effects.after, e.End)
		} else if c.scopes[e.mention] = reach; last.touches(e) {
			touch(&c.scopes[e.mention], last.effects.touchedAfter, last.End)
		}
		last = e
	}
	c.enterSection(body, s, reach)
	reach, last = [dimensions]scope{}, nil
	for i := range slices.Backward(c.events) {
		e := &c.events[i]
		switch {
		case e.mention >= 0:
			backward := reach
			if last.touches(e) {
				touch(&backward, last.effects.touchedBefore, last.Start)
			}
			var values [dimensions]value
			for d, forward := range c.scopes[e.mention] {
				if e.Start < backward[d].to {
					backward[d] = scope{}
				}
				values[d] = nearer(e.Span, forward, backward[d], last)
			}
			assertions[e.mention] = newAssertion(values)
		case last != nil && last.mention >= 0 && e.touches(last) && e.effects.touchedAfter != [dimensions]value{}:
			// "cellulitis, resolved sepsis": the term is about the mention that it touches
		default:
			e.open(&reach, e.effects.before, e.Start)
		}
		last = e
	}
}

// open begins the scopes of a term at from and ends the scopes of earlier terms.
func (e *event) open(reach *[dimensions]scope, values [dimensions]value, from int) {
	for d, acts := range e.effects.acts {
		if acts && !(e.effects.past && reach[d].value == hypothetical) {
			reach[d] = scope{values[d], from, e.backTo}
		}
	}
}

// touch sets the values of a term that touches the mention.
func touch(reach *[dimensions]scope, values [dimensions]value, from int) {
	for d, v := range values {
		if v != usual {
			reach[d] = scope{v, from, 0}
		}
	}
}

// touches reports whether e is a term next to the mention m, with only a space or a hyphen between them, or the full
// stop of "vs.".
func (e *event) touches(m *event) bool {
	if e == nil || e.mention >= 0 {
		return false
	}
	return m.Start == e.End+1 || e.Start == m.End+1 || e.effects.between && m.Start == e.End+2
}

// nearer returns the value of the scope that begins closer to the mention: forward begins before the mention and
// backward after it. A denial that is next after the mention outweighs a suspicion: "suspected gout, ruled out".
func nearer(mention text.Span, forward, backward scope, next *event) value {
	switch {
	case forward.value == usual:
		return backward.value
	case backward.value == usual:
		return forward.value
	case forward.value == uncertain && backward.value == negated && next.mention < 0 && next.Start == backward.from:
		return negated
	}
	switch cmp.Compare(mention.Start-forward.from, backward.from-mention.End) {
	case -1:
		return forward.value
	case 1:
		return backward.value
	}
	return max(forward.value, backward.value)
}

// termination holds the effects of a semicolon and of the start of a label.
var termination = &effects{acts: [dimensions]bool{true, true, true}}

// numbered matches the text after a "no." that stands for "number", as in "type no. 2".
var numbered = regexp.MustCompile(`^\.? *[\d#]`)

// findEvents collects the mentions, and the terms and signs that overlap no mention, in order. covered is the end of
// the mentions of earlier segments.
func (c *classifier) findEvents(body string, s text.Span, covered int, mentions []text.Mention) {
	c.events = c.events[:0]
	for i, m := range mentions {
		c.events = append(c.events, event{Span: m.Span, mention: i})
	}
	add := func(start, end int, e *effects) {
		c.events = append(c.events, event{Span: text.Span{Start: s.Start + start, End: s.Start + end}, mention: -1, effects: e})
	}
	lexicon, segment := triggers(), s.Of(body)
	c.signs = signs(c.signs[:0], segment)
	for _, sign := range c.signs {
		add(sign.Start, sign.End, sign.effects)
	}
	c.terms = lexicon.tagger.Tag(c.terms[:0], segment)
	for i := range c.terms {
		term := &c.terms[i]
		e := lexicon.of(term, segment)
		switch {
		case e.slash && !strings.Contains(term.Of(segment), "/"),
			term.Name == lang.Number && numbered.MatchString(segment[term.End:]),
			term.Name == lang.Reason && strings.HasPrefix(segment[term.End:], ":"), // the reason for an examination
			e.between && !isEither(body, text.Span{Start: s.Start + term.Start, End: s.Start + term.End}, s, mentions),
			slices.ContainsFunc(c.signs, func(s sign) bool { return s.Start < term.End && term.Start < s.End }):
		default:
			add(term.Start, term.End, e)
		}
	}
	slices.SortStableFunc(c.events, func(a, b event) int { return cmp.Compare(a.Start, b.Start) })

	kept, seen := c.events[:0], 0 // seen is the number of mentions so far
	for _, e := range c.events {
		if e.mention >= 0 {
			covered = max(covered, e.End)
			seen++
		} else if e.Start < covered || seen < len(mentions) && mentions[seen].Start < e.End {
			continue
		} else if seen > 0 && e.effects.before != [dimensions]value{} {
			e.backTo = backTo(body, s.Start, mentions[seen-1].Span, e.Span)
		}
		kept = append(kept, e)
	}
	c.events = kept
}

// backTo returns where the scope before a term that follows a mention begins: at the start of the segment, or of the
// mention's part of the segment if the parts are not a list to which the term applies: "she had fever, cough absent".
func backTo(body string, start int, mention, term text.Span) int {
	before, between := body[start:max(start, mention.Start)], body[min(mention.End, term.Start):term.Start]
	comma, last := strings.LastIndexByte(before, ','), 0
	for _, conjunction := range lang.Conjunctions {
		last = max(last, strings.LastIndex(before, " "+conjunction+" "))
	}
	list := body[start+strings.LastIndexAny(body[start:mention.End], ".;:?!=()[]\t\n")+1 : mention.End]
	verb := normalize.FirstWord(between + term.Of(body))
	_, subject, hasComma := strings.Cut(between, ",")
	isTest := normalize.IsAbout(normalize.LastWord(strings.TrimRight(subject, " ")))
	if hasComma && fillers(subject, fillerWords) < len(subject) && // "fever for three days, cultures negative"
		(last > max(comma, 0) || !isList(list+between) || isTest) { // "cough and fever, flu test negative"
		return term.Start
	}
	if lang.PluralVerbs[verb] || hasComma || isList(list) && (last > comma || !lang.SingularVerbs[verb]) {
		return start
	}
	return start + max(last, comma)
}

// isEither reports whether a term is between two mentions, and the first begins a statement or follows a comma, a colon
// or a bracket: "opacity, atelectasis versus pneumonia", but not "in Crohn's disease versus colitis".
func isEither(body string, term, segment text.Span, mentions []text.Mention) bool {
	i := slices.IndexFunc(mentions, func(m text.Mention) bool { return m.Start > term.End })
	if i < 1 || mentions[i-1].End != term.Start-1 || strings.Trim(body[term.End:mentions[i].Start], ". ") != "" {
		return false
	}
	before := strings.TrimRight(body[segment.Start:max(segment.Start, mentions[i-1].Start)], " ")
	return before == "" || strings.ContainsAny(before[len(before)-1:], ",:;(?-*")
}
