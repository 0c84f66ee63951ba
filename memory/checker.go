package memory

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
)

// checker decides which entries may be added to a log, in a time that does not depend on the number of those before.
type checker struct {
	known
	state *State         // those that were pushed
	same  map[string]int // numbers of entries, by content
	// numbers of the corrections at each place, by what they say, including some that are no longer in force
	corrections map[place]map[answer][]int
}

// newChecker returns the checker of an empty log. dict is the dictionary of the model without the memory.
func newChecker(dict *kb.Dictionary) *checker {
	return &checker{known{dict, make(map[kb.ConceptID]bool)}, new(State), make(map[string]int), make(map[place]map[answer][]int)}
}

// content returns the content of an entry, without its author and time.
func (e Entry) content() string {
	e.Number, e.At, e.By, e.Replaces = 0, time.Time{}, "", nil
	content, _ := json.Marshal(e) // strings and numbers cannot fail
	return string(content)
}

// add adds an entry in force.
func (c *checker) add(e *Entry) {
	if key := e.content(); c.same[key] == 0 {
		c.same[key] = e.Number
	}
	if e.Kind == KindConcept {
		c.added[e.ID] = true
	}
	found, _ := e.places()
	for _, p := range found {
		if c.corrections[p] == nil {
			c.corrections[p] = make(map[answer][]int)
		}
		c.corrections[p][e.answer()] = append(c.corrections[p][e.answer()], e.Number)
	}
}

// check returns the entry to add, with the identifiers of the dictionary, and with the entries that it replaces if
// replace is set. If an entry with the same content exists, it returns its number, otherwise 0. An entry to add must be
// pushed before the next is checked.
func (c *checker) check(e Entry, replace bool) (_ Entry, same int, err error) {
	if e.Kind == KindUndo {
		return e, 0, invalid("kind", "is undo, want name, context, nil, no_mention or concept")
	}
	e.Undoes, e.Replaces = 0, nil
	if year := e.At.UTC().Year(); year < 0 || year > 9999 { // not possible in RFC 3339
		return e, 0, invalid("at", "is in the year %d of UTC, want 0 to 9999", year)
	}
	if err := e.check(); err != nil {
		return e, 0, err
	}
	if e.Concept != "" {
		if e.Concept, err = c.concept("concept", e.Concept); err != nil {
			return e, 0, err
		}
		if err := c.checkLabel(&e); err != nil {
			return e, 0, err
		}
	}
	e.Label, e.Line = "", 0
	e.Parents = slices.Clone(e.Parents)
	for i := range e.Parents {
		if e.Parents[i], err = c.concept("parents", e.Parents[i]); err != nil {
			return e, 0, err
		}
	}
	if same := c.same[e.content()]; same > 0 {
		return e, same, nil
	}
	switch e.Kind {
	case KindConcept:
		if _, err := c.concept("id", e.ID); err == nil {
			return e, 0, invalid("id", "the model has a concept %s already", input.Quote(string(e.ID)))
		}
	case KindName:
		if concept := c.dict.Lookup(e.Concept); concept != nil && slices.Contains(concept.Names(), e.Name) {
			return e, 0, invalid("name", "the concept %s has the name %s already", e.Concept, input.Quote(e.Name))
		}
	}
	e.Replaces = c.disagreeing(&e)
	if len(e.Replaces) > 0 && !replace {
		conflict := new(ConflictError)
		for _, n := range e.Replaces {
			conflict.Entries = append(conflict.Entries, c.state.entries[n-1])
		}
		return e, 0, conflict
	}
	return e, 0, nil
}

// checkLabel refuses an entry if the concept's label in its file is not one of the concept's names.
func (c *checker) checkLabel(e *Entry) error {
	concept := c.dict.Lookup(e.Concept)
	if e.Label == "" || concept == nil {
		return nil
	}
	label, shown := normalize.Normal(e.Label), concept.PreferredName()
	isSame := func(name string) bool { return normalize.Normal(name) == label }
	if isSame(shown) || slices.ContainsFunc(concept.Names(), isSame) {
		return nil
	}
	return invalid("concept", "%s is called %s, but it is %s: correct the identifier or the label, or leave the label out",
		e.Concept, input.Quote(e.Label), input.Quote(shown))
}

// push adds an entry that check returned, or the next one of a log, and returns it with its number.
func (c *checker) push(e Entry) Entry {
	e.Number = len(c.state.entries) + 1
	for _, n := range e.ends() {
		ended := &c.state.entries[n-1]
		delete(c.same, ended.content())
		delete(c.added, ended.ID) // "" unless it added a concept
	}
	c.state.push(e)
	if e.Kind != KindUndo {
		c.add(&e)
	}
	return e
}

// disagreeing returns the numbers, in order, of the corrections in force that say something else of the same surface
// form, in the same document or, if at least one of the two has no document, in the same text or sentence. A correction
// of a single mention disagrees only with others of that mention in the same text.
func (c *checker) disagreeing(e *Entry) []int {
	var numbers []int
	_, sought := e.places()
	for _, p := range sought {
		for said, others := range c.corrections[p] {
			if said != e.answer() {
				others = slices.DeleteFunc(others, func(number int) bool { return !c.state.InForce(number) })
				c.corrections[p][said] = others
				numbers = append(numbers, others...)
			}
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// place is a surface form in a text, a sentence or a document, or a single mention in a text.
type place struct {
	wording, where string
	start          int // of a single mention, or one of the values below
}

const (
	inAny      = -1 - iota // in a text or a sentence
	inUnknown              // in a text or sentence without a document
	inDocument             // in a document
	everywhere             // in all texts
)

// answer is what an entry says of its places. Two answers to the same place disagree; a phrase may be a name of several
// concepts.
type answer struct {
	kind    Kind
	concept kb.ConceptID // of a context
}

func (e *Entry) answer() answer {
	if e.Kind == KindContext {
		return answer{e.Kind, e.Concept}
	}
	return answer{kind: e.Kind}
}

// places returns the places of a correction, and the places where corrections with another answer disagree with it.
func (e *Entry) places() (found, sought []place) {
	if e.Kind == KindName || e.Kind == KindNoMention {
		all := []place{{normalize.Phrase(e.Name), "", everywhere}}
		return all, all
	}
	if !e.hasMention() {
		return nil, nil
	}
	wording := e.wording()
	if e.Only {
		alone := []place{{wording, e.Text, e.Start}}
		return alone, alone
	}
	in := func(kind int) []place { return []place{{wording, e.Text, kind}, {wording, e.sentence(), kind}} }
	if e.Document == "" {
		return append(in(inAny), in(inUnknown)...), in(inAny)
	}
	document := place{wording, e.Document, inDocument}
	return append(in(inAny), document), append(in(inUnknown), document)
}
