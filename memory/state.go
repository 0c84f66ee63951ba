package memory

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// State is the content of a log at one moment. It does not change.
type State struct {
	entries []Entry // entries[i] has the number i + 1
	undone  []bool  // for each entry
}

// ErrNoEntry reports that no entry with this number exists, or that it is not in force.
var ErrNoEntry = errors.New("no such entry is in force")

// ConflictError reports that an entry disagrees with others in force.
type ConflictError struct {
	Entries []Entry
}

func (e *ConflictError) Error() string {
	o := &e.Entries[0]
	wording, says := o.Name, "is no mention"
	switch o.Kind {
	case KindContext:
		wording, says = o.wording(), fmt.Sprintf("names %s here", o.Concept)
	case KindNIL:
		wording, says = o.wording(), "names no concept of the dictionary here"
	case KindName:
		says = fmt.Sprintf("is a name of %s", o.Concept)
	}
	return fmt.Sprintf("entry %d says that %s %s; undo it, or replace it", o.Number, input.Quote(wording), says)
}

// All returns all entries, including those not in force. The slice must not be modified.
func (s *State) All() []Entry { return s.entries }

// InForce reports whether the entry with this number is in force: neither undone nor an undo.
func (s *State) InForce(number int) bool {
	return number >= 1 && number <= len(s.entries) && !s.undone[number-1] && s.entries[number-1].Kind != KindUndo
}

// Active returns the entries in force, in order.
func (s *State) Active() []Entry {
	var active []Entry
	for i := range s.entries {
		if s.InForce(i + 1) {
			active = append(active, s.entries[i])
		}
	}
	return active
}

// Additions are the additions of a state to a model.
type Additions struct {
	Concepts    []kb.Concept    // new concepts, and names of other concepts as synonyms, to be merged with the dictionary
	Corrections []text.Exemplar // contexts and NIL examples in their texts, in order; they apply to the surface form
	Single      []text.Exemplar // the same for entries that apply to a single mention only
	Contexts    []text.Exemplar // both, reduced to their sentences
	NoMentions  []string        // phrases that are no mentions in any text
	Unused      []int           // numbers of entries whose concepts are not in the dictionary
}

// Keeps reports whether all entries in force in an earlier state of the same log are still in force.
func (s *State) Keeps(earlier *State) bool {
	return slices.Equal(earlier.undone, s.undone[:len(earlier.undone)])
}

// Additions returns the additions of the entries in force to a model with this dictionary, without the contexts and NIL
// examples of the first entries, as many as from says. A rebuilt model may lack concepts of earlier entries; such
// entries are not used.
func (s *State) Additions(dict *kb.Dictionary, from int) Additions {
	var a Additions
	k := s.known(dict)
	for i := range s.entries {
		if !s.InForce(i+1) || i < from && s.entries[i].hasMention() {
			continue
		}
		e := s.entries[i]
		if e.Concept != "" {
			concept, err := k.concept("concept", e.Concept)
			if err != nil {
				a.Unused = append(a.Unused, e.Number)
				continue
			}
			e.Concept = concept
		}
		switch e.Kind {
		case KindConcept:
			a.Concepts = append(a.Concepts, kb.Concept{ID: e.ID, Name: e.Name, Synonyms: e.Synonyms,
				Parents: e.Parents})
		case KindName:
			a.Concepts = append(a.Concepts, kb.Concept{ID: e.Concept, Synonyms: []string{e.Name}})
		case KindNoMention:
			a.NoMentions = append(a.NoMentions, e.Name)
		default:
			if e.Only {
				a.Single = append(a.Single, e.exemplar(false))
			} else {
				a.Corrections = append(a.Corrections, e.exemplar(false))
			}
			a.Contexts = append(a.Contexts, e.exemplar(true))
		}
	}
	return a
}

// clone returns a copy of the state to which entries can be added.
func (s *State) clone() *State { return &State{slices.Clip(s.entries), slices.Clone(s.undone)} }

// push adds a numbered, valid entry to a state that nobody else uses.
func (s *State) push(e Entry) {
	s.entries, s.undone = append(s.entries, e), append(s.undone, false)
	for _, n := range e.ends() {
		s.undone[n-1] = true
	}
}

// ends returns the numbers of the entries that are no longer in force after e.
func (e *Entry) ends() []int {
	if e.Kind == KindUndo {
		return []int{e.Undoes}
	}
	return e.Replaces
}

// checkNext returns an error for an entry that cannot follow in a log, because no writer would have written it.
func (s *State) checkNext(e *Entry) error {
	if want := len(s.entries) + 1; e.Number != want {
		return fmt.Errorf("the number of the entry is %d, want %d", e.Number, want)
	}
	if e.At.IsZero() {
		return errors.New("the entry has no time")
	}
	if err := e.check(); err != nil {
		return err
	}
	for _, n := range e.ends() {
		if !s.InForce(n) {
			return fmt.Errorf("it undoes the entry %d, which is not in force", n)
		}
	}
	return nil
}

// known is a dictionary with the concepts added by a state.
type known struct {
	dict  *kb.Dictionary
	added map[kb.ConceptID]bool
}

func (s *State) known(dict *kb.Dictionary) known {
	k := known{dict, make(map[kb.ConceptID]bool)}
	for i := range s.entries {
		if s.entries[i].Kind == KindConcept && s.InForce(i+1) {
			k.added[s.entries[i].ID] = true
		}
	}
	return k
}

// concept returns the ID of a concept, given its ID or an alternative one.
func (k known) concept(field string, id kb.ConceptID) (kb.ConceptID, error) {
	if c := k.dict.Lookup(id); c != nil {
		return c.ID, nil
	}
	if k.added[id] {
		return id, nil
	}
	return "", invalid(field, "the model has no concept %s", input.Quote(string(id)))
}

// checkUndo returns an error if the entry with this number cannot be undone, because it is not in force or others need
// the concept that it adds.
func (s *State) checkUndo(number int) error {
	if !s.InForce(number) {
		return fmt.Errorf("entry %d: %w", number, ErrNoEntry)
	}
	if undone := &s.entries[number-1]; undone.Kind == KindConcept {
		for _, o := range s.Active() {
			if o.Concept == undone.ID || slices.Contains(o.Parents, undone.ID) {
				return fmt.Errorf("entry %d adds the concept %s, which entry %d needs: undo that first: %w", number,
					undone.ID, o.Number, ErrNeeded)
			}
		}
	}
	return nil
}

// ErrNeeded reports that an entry cannot be undone because another needs it.
var ErrNeeded = errors.New("the entry is needed by another")
