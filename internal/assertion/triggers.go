package assertion

import (
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

var lang = &language.Rules.Assertion

// value is the status of a mention in one dimension.
type value = language.Status

const (
	polarity, temporality, experiencer = language.Polarity, language.Temporality, language.Experiencer
	dimensions                         = language.Dimensions

	usual, uncertain, negated             = language.Usual, language.Uncertain, language.Negated
	historical, hypothetical, otherPerson = language.Historical, language.Hypothetical, language.OtherPerson
)

// effects holds the effects of a term, for each dimension. A term without effects is a pseudo-trigger.
type effects struct {
	acts    [dimensions]bool  // the term ends the scopes that reach it
	after   [dimensions]value // set for the mentions after the term, in its own scope
	before  [dimensions]value // set for the mentions before it
	slash   bool              // the term counts only with its slash: "s/p", but not "Crohn's, p"
	past    bool              // the term ends no hypothetical scope
	between bool              // the term counts only between two mentions: "atelectasis versus pneumonia"

	// for a mention that the term touches, after it and before it: "prior stroke", "symptom free"
	touchedAfter, touchedBefore [dimensions]value
}

// expand returns the terms that a pattern stands for: every combination of the alternatives of its words.
func expand(term string) []string {
	all := []string{""}
	for word := range strings.FieldsSeq(term) {
		var longer []string
		for _, start := range all {
			for alternative := range strings.SplitSeq(word, "|") {
				longer = append(longer, strings.TrimSpace(start+" "+alternative))
			}
		}
		all = longer
	}
	return all
}

// add adds the effects of a trigger.
func (e *effects) add(t *language.Trigger) {
	if t.Where == language.Adjacent || t.Where == language.Between {
		e.touchedAfter[t.After.Dimension()] = t.After
		e.touchedBefore[t.Before.Dimension()] = t.Before
		return
	}
	for d, ends := range t.Ends {
		e.acts[d] = e.acts[d] || ends
	}
	if t.After != usual {
		e.acts[t.After.Dimension()], e.after[t.After.Dimension()] = true, t.After
	}
	if t.Before != usual {
		e.acts[t.Before.Dimension()], e.before[t.Before.Dimension()] = true, t.Before
	}
}

// lexicon finds terms. If several begin at the same word, its tagger takes the longest.
type lexicon struct {
	tagger  *matcher.Tagger
	effects map[string]*effects // by normal form of the term
	final   map[string]*effects // of terms at the end of a statement; they replace those in effects
	initial map[string]*effects // of terms at the start of a statement
}

// of returns the effects of a term in a segment.
func (l *lexicon) of(term *text.Mention, segment string) *effects {
	if e := l.initial[term.Name]; e != nil && !strings.ContainsFunc(segment[:term.Start], normalize.IsWordRune) {
		return e
	}
	if e := l.final[term.Name]; e != nil && strings.ContainsFunc(segment[:term.Start], normalize.IsWordRune) {
		after := strings.TrimLeft(segment[term.End:], " ")
		isLineEnd := after != "" && strings.ContainsAny(after[:1], "\r\n")
		if after == "" || strings.ContainsAny(after[:1], ".,;:()") || isLineEnd && !goesOn(segment[:term.Start], term.Name) {
			return e
		}
	}
	return l.effects[term.Name]
}

// goesOn reports whether a statement with a term at the end of a line, after before, goes on in the next line: "lungs
// clear, no", "the biopsy showed no", "a history of", but not "fever no".
func goesOn(before, term string) bool {
	before = strings.TrimRight(before, " ")
	return isUnfinished(term) && (strings.Contains(term, " ") || strings.HasSuffix(before, ",") ||
		strings.HasSuffix(before, ";") || lang.ClauseWords[strings.ToLower(normalize.LastWord(before))])
}

// triggers returns the lexicon of terms. It is built on first use.
var triggers = sync.OnceValue(func() *lexicon {
	l := &lexicon{
		effects: make(map[string]*effects), final: make(map[string]*effects), initial: make(map[string]*effects),
	}
	for _, row := range lang.Triggers {
		for listed := range strings.SplitSeq(row.Terms, ",") {
			for _, term := range expand(listed) {
				name := normalize.Normal(term)
				of := l.effects
				switch row.Where {
				case language.Final:
					of = l.final
				case language.Initial:
					of = l.initial
				}
				e := of[name]
				if e == nil {
					e = &effects{slash: strings.Contains(term, "/"), past: row.Past, between: row.Where == language.Between}
					of[name] = e
				}
				e.add(&row)
			}
		}
	}
	concept := kb.Concept{ID: "term"}
	for _, of := range []map[string]*effects{l.final, l.initial} {
		for name := range of {
			if l.effects[name] == nil {
				l.effects[name] = &effects{}
			}
		}
	}
	for name := range l.effects {
		concept.Synonyms = append(concept.Synonyms, name)
	}
	var err error
	l.tagger, _, err = matcher.NewTagger(kb.NewDictionary([]kb.Concept{concept}), matcher.NameFilter{})
	if err != nil {
		panic("assertion: triggers: " + err.Error()) // a fault in the table, which tests would find
	}
	l.tagger.Parts = true // "status post possible stroke"
	return l
})
