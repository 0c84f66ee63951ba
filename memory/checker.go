package memory

import (
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// checker decides which entries may follow in a log. It makes one pass over the entries that are in force;
// after that the time for an entry does not depend on how many there are.
type checker struct {
	known
	state       *State // a copy, to which push adds
	same        map[content]int
	corrections *correctionIndex // nil before the first correction is checked
}

// newChecker returns the checker of a state of a model of a dictionary, which is that without the memory.
func newChecker(s *State, dict *kb.Dictionary) *checker {
	c := &checker{known: s.known(dict), state: s.clone(), same: make(map[content]int)}
	for _, e := range s.Active() {
		c.addContent(&e)
	}
	return c
}

// content is what an entry says, without who said it and when.
type content struct {
	kind              Kind
	concept, id       kb.ConceptID
	text              string
	start, end        int
	document, name    string
	only              bool
	synonyms, parents string // one a line: they have no control characters
}

func (e *Entry) content() content {
	c := content{
		kind: e.Kind, concept: e.Concept, id: e.ID, text: e.Text, start: e.Start, end: e.End, document: e.Document,
		name: e.Name, only: e.Only, synonyms: strings.Join(e.Synonyms, "\n"),
	}
	for _, parent := range e.Parents {
		c.parents += string(parent) + "\n"
	}
	return c
}

func (c *checker) addContent(e *Entry) {
	if key := e.content(); c.same[key] == 0 {
		c.same[key] = e.Number
	}
}

// check returns the entry as it is to be added: with the identifiers of the dictionary, and with the
// entries that it replaces, if it may. It returns the number of an entry that says the same, or 0. An entry that
// is to be added must be pushed before the next is checked.
func (c *checker) check(e Entry, replace bool) (_ Entry, same int, err error) {
	if e.Kind == kindUndo {
		return e, 0, invalid("kind", "is undo, want name, context, nil or concept")
	}
	e.Undoes, e.Replaces = 0, nil
	if year := e.At.UTC().Year(); year < 0 || year > 9999 { // which RFC 3339 cannot say
		return e, 0, invalid("at", "is in the year %d of UTC, want 0 to 9999", year)
	}
	if err := e.checkFields(); err != nil {
		return e, 0, err
	}
	if e.Concept != "" {
		if e.Concept, err = c.concept("concept", e.Concept); err != nil {
			return e, 0, err
		}
	}
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
	default:
		e.Replaces = c.disagreeing(&e)
	}
	if len(e.Replaces) > 0 && !replace {
		conflict := new(ConflictError)
		for _, n := range e.Replaces {
			conflict.Entries = append(conflict.Entries, c.state.entries[n-1])
		}
		return e, 0, conflict
	}
	return e, 0, nil
}

// push adds an entry that check returned.
func (c *checker) push(e Entry) {
	e.Number = len(c.state.entries) + 1
	for _, n := range e.Replaces {
		delete(c.same, c.state.entries[n-1].content())
	}
	c.state.push(e)
	c.addContent(&e)
	if e.Kind == KindConcept {
		c.added[e.ID] = true
	}
	if c.corrections != nil && e.hasMention() {
		c.corrections.add(&e)
	}
}

// disagreeing returns the numbers, in order, of the corrections in force that name another concept for the same
// wording in the same document or, if the two are not known to be of two documents, in the same text or sentence.
// One of a mention alone disagrees with those of the same mention of the same text alone.
func (c *checker) disagreeing(e *Entry) []int {
	if c.corrections == nil {
		c.corrections = &correctionIndex{make(map[string][]*Entry), make(map[place]map[kb.ConceptID][]int)}
		for _, o := range c.state.Active() {
			if o.hasMention() {
				c.corrections.add(&o)
			}
		}
	}
	var numbers []int
	for _, n := range c.corrections.takeDisagreeing(e) {
		if c.state.InForce(n) {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// correctionIndex finds corrections by where their mention is.
type correctionIndex struct {
	unplaced map[string][]*Entry              // by wording; sentences are found for those that are asked for
	placed   map[place]map[kb.ConceptID][]int // numbers
}

// placeUnit is what has the wording of a place.
type placeUnit int

const (
	wholeDocument placeUnit = iota
	wholeText
	oneSentence
	oneMention
)

// place is where a wording is.
type place struct {
	wording  string
	unit     placeUnit
	where    string // the identifier of the document, or else the text or the sentence
	start    int    // of one mention alone
	nameless bool   // of corrections without the identifier of a document alone
}

func (x *correctionIndex) add(e *Entry) {
	wording := e.wording()
	x.unplaced[wording] = append(x.unplaced[wording], e)
}

// takeDisagreeing returns the numbers of the corrections in the places of e that name another concept, also of some
// that are no longer in force, in no order and perhaps twice. It forgets them there, since e replaces them.
func (x *correctionIndex) takeDisagreeing(e *Entry) []int {
	wording := e.wording()
	for _, o := range x.unplaced[wording] {
		for _, p := range o.places(wording) {
			if x.placed[p] == nil {
				x.placed[p] = make(map[kb.ConceptID][]int)
			}
			x.placed[p][o.Concept] = append(x.placed[p][o.Concept], o.Number)
		}
	}
	delete(x.unplaced, wording)

	named := e.Document != ""
	places := []place{{wording, wholeText, e.Text, 0, named}, {wording, oneSentence, e.sentence(), 0, named}}
	if e.Only {
		places = []place{{wording, oneMention, e.Text, e.Start, false}}
	} else if named {
		places = append(places, place{wording, wholeDocument, e.Document, 0, false})
	}
	var numbers []int
	for _, p := range places {
		for concept, own := range x.placed[p] {
			if concept != e.Concept {
				numbers = append(numbers, own...)
				delete(x.placed[p], concept)
			}
		}
	}
	return numbers
}

// places returns where a correction is found.
func (e *Entry) places(wording string) []place {
	if e.Only {
		return []place{{wording, oneMention, e.Text, e.Start, false}}
	}
	places := []place{{wording, wholeText, e.Text, 0, false}, {wording, oneSentence, e.sentence(), 0, false}}
	if e.Document != "" {
		return append(places, place{wording, wholeDocument, e.Document, 0, false})
	}
	return append(places, place{wording, wholeText, e.Text, 0, true}, place{wording, oneSentence, e.sentence(), 0, true})
}
