package sense

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/mine"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/normalize"
)

// Sense is one meaning of a form.
type Sense struct {
	// LongForm is the most frequent way to write the long form or, if no text defines the
	// form so, a name of the dictionary.
	LongForm string
	// Concepts are those that have the long form as a name, in the order of IDs; empty for
	// a sense outside the dictionary.
	Concepts []kb.ConceptID
	// Records is the number of records of the corpus that define the form so.
	Records int
	// OwnName says that the form itself is a name of the concepts.
	OwnName bool
	// HasInitials says that the form is the initials of a name of the concepts.
	HasInitials bool
}

// Keys returns the keys by which [Profiles] knows the sense: its concepts or, outside the
// dictionary, one key for all spelling variants of its long form.
func (s *Sense) Keys() []string {
	if len(s.Concepts) == 0 {
		return []string{longFormKey(s.LongForm)}
	}
	return conceptKeys(s.Concepts)
}

// IsOf reports whether a mention that was tagged by its definition has the sense.
func (s *Sense) IsOf(m *text.Mention) bool {
	if len(s.Concepts) > 0 || len(m.Concepts) > 0 {
		return slices.Equal(s.Concepts, m.Concepts)
	}
	return longFormKey(s.LongForm) == longFormKey(m.LongForm)
}

func conceptKeys(concepts []kb.ConceptID) []string {
	keys := make([]string, len(concepts))
	for i, id := range concepts {
		keys[i] = string(id)
	}
	return keys
}

// longFormKey returns the key of a long form outside the dictionary. The sign keeps it
// apart from the keys of concepts.
func longFormKey(long string) string { return "=" + nameKey(long) }

// nameKey is equal for names that differ only in spelling and in the order of words.
func nameKey(name string) string {
	words := normalize.CanonicalTokens(name)
	slices.Sort(words)
	return strings.Join(slices.Compact(words), " ")
}

// Inventory holds the senses of forms. It is safe for concurrent use.
type Inventory struct {
	senses   map[string][]Sense        // by short form as written, without a plural s
	initials map[string][]Sense        // by initials in small letters: names of the dictionary
	names    map[string][]kb.ConceptID // by nameKey, in the order of IDs
}

// NewInventory returns the inventory of the forms of a table and of the short forms that
// are names of the dictionary. Long forms that name the same concepts are one sense, and
// so are spelling variants of a long form outside the dictionary. table may be nil.
func NewInventory(table *mine.AbbreviationTable, dict *kb.Dictionary) *Inventory {
	x := &Inventory{senses: make(map[string][]Sense), initials: make(map[string][]Sense), names: make(map[string][]kb.ConceptID)}
	x.indexNames(dict)
	if table == nil {
		return x
	}
	for _, form := range table.Entries() {
		x.senses[form.Short] = x.mergeSenses(form)
	}
	return x
}

// indexNames indexes the names of a dictionary by their key and by their initials.
func (x *Inventory) indexNames(dict *kb.Dictionary) {
	for i := range dict.Len() {
		concept := dict.At(i)
		seen := make(map[string]bool) // initials of this concept
		for _, name := range concept.Names() {
			key := nameKey(name)
			if ids := x.names[key]; len(ids) == 0 || ids[len(ids)-1] != concept.ID {
				x.names[key] = append(ids, concept.ID)
			}
			if letters := initials(name); letters != "" && !seen[letters] {
				seen[letters] = true
				x.initials[letters] = append(x.initials[letters], Sense{LongForm: name, Concepts: []kb.ConceptID{concept.ID}, HasInitials: true})
			}
		}
	}
}

// maxInitials is the most words of a name that a short form is made of.
const maxInitials = 6

// initials returns the initials of the content words of a name in small letters, and ""
// for a name of one word or of more than maxInitials. "stenosis, mitral" has those of
// "mitral stenosis".
func initials(name string) string {
	if head, modifiers, ok := strings.Cut(name, ", "); ok && !strings.Contains(modifiers, ",") {
		name = modifiers + " " + head
	}
	words := normalize.CanonicalTokens(name)
	if len(words) < 2 || len(words) > maxInitials {
		return ""
	}
	var letters strings.Builder
	for _, word := range words {
		for _, first := range word {
			letters.WriteRune(first)
			break
		}
	}
	return letters.String()
}

// minExpansion is the number of bytes by which a long form must be longer than its short
// form. Texts also define such as "QTc" for QT.
const minExpansion = 4

// mergeSenses returns the senses of a form of the table, the most frequent first.
func (x *Inventory) mergeSenses(form mine.ShortForm) []Sense {
	var senses []Sense
	at := make(map[string]int) // key -> position
	for _, long := range form.Long {
		if len(long.Text) < len(form.Short)+minExpansion {
			continue
		}
		s := Sense{LongForm: long.Text, Concepts: x.names[nameKey(long.Text)], Records: long.Count}
		key := strings.Join(s.Keys(), " ")
		if i, known := at[key]; known {
			senses[i].Records += s.Records
			continue
		}
		at[key] = len(senses)
		senses = append(senses, s)
	}
	slices.SortStableFunc(senses, func(a, b Sense) int { return cmp.Compare(b.Records, a.Records) })
	return senses
}

// Senses returns the senses of a form as written, the most frequent first: those that the
// corpus defines, then those that it does not define but the dictionary makes possible,
// the concepts that have the form itself as a name and those with a name whose initials it
// is. It returns none for a form that does not look like a short form, and none if all
// senses are of the last kind: nothing but its letters speaks for them.
func (x *Inventory) Senses(form string) []Sense {
	if !normalize.LooksLikeShortForm(form) {
		return nil
	}
	defined, known := x.senses[form]
	if !known {
		form = normalize.SingularShortForm(form)
		defined = x.senses[form]
	}
	senses := slices.Clone(defined)
	add := func(s Sense) {
		i := slices.IndexFunc(senses, func(other Sense) bool { return slices.Equal(other.Concepts, s.Concepts) })
		if i < 0 {
			senses = append(senses, s)
			return
		}
		senses[i].OwnName = senses[i].OwnName || s.OwnName
		senses[i].HasInitials = senses[i].HasInitials || s.HasInitials
	}
	if concepts := x.names[nameKey(form)]; len(concepts) > 0 {
		add(Sense{LongForm: form, Concepts: concepts, OwnName: true})
	}
	if len(senses) == 0 {
		return nil
	}
	for _, s := range x.initials[strings.ToLower(form)] {
		add(s)
	}
	return senses
}

// ConceptsOf returns the concepts that have a long form as a name, whatever its spelling and
// the order of its words.
func (x *Inventory) ConceptsOf(long string) []kb.ConceptID { return x.names[nameKey(long)] }

// IsShortFormOf reports whether a form as written is a short form of the concept: the corpus
// defines it by a name of the concept, or it is the initials of one.
func (x *Inventory) IsShortFormOf(form string, id kb.ConceptID) bool {
	return slices.ContainsFunc(x.Senses(form), func(s Sense) bool {
		return slices.Contains(s.Concepts, id) && (s.Records > 0 || s.HasInitials)
	})
}

// IsRival reports whether long is a long form outside the dictionary of a form that has a
// sense in the dictionary too, so that contexts of the one tell where the form does not
// mean the other. The corpus must define both, unless the form itself is a name.
func (x *Inventory) IsRival(form, long string) bool {
	key := longFormKey(long)
	inDictionary, known := false, false
	for _, s := range x.Senses(form) {
		switch {
		case len(s.Concepts) > 0:
			inDictionary = inDictionary || isKnownConcept(s)
		case longFormKey(s.LongForm) == key:
			known = true
		}
	}
	return inDictionary && known
}

// HasConcept reports whether a form has a sense in the dictionary that the corpus defines,
// or is itself a name.
func (x *Inventory) HasConcept(form string) bool {
	return slices.ContainsFunc(x.Senses(form), isKnownConcept)
}

// isKnownConcept reports whether a sense is in the dictionary, and more than its initials
// speak for it.
func isKnownConcept(s Sense) bool { return len(s.Concepts) > 0 && (s.Records > 0 || s.OwnName) }

// Definitions returns the number of records that define forms with a sense in the
// dictionary, by a sense in the dictionary and by one outside.
func (x *Inventory) Definitions() (inDictionary, outside int) {
	for form := range x.senses {
		senses := x.Senses(form)
		if !slices.ContainsFunc(senses, isKnownConcept) {
			continue
		}
		for _, s := range senses {
			if len(s.Concepts) > 0 {
				inDictionary += s.Records
			} else {
				outside += s.Records
			}
		}
	}
	return inDictionary, outside
}
