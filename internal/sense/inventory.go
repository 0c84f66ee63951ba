package sense

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Sense is one meaning of a form.
type Sense struct {
	// LongForm is the most frequent variant of the long form or, if no text defines it, a name of the dictionary.
	LongForm string
	// Concepts are the concepts with the long form as a name, in the order of IDs, or the one whose names it resembles.
	// It is empty for a sense outside the dictionary.
	Concepts []kb.ConceptID
	// Unnamed holds the keys of the sense's long forms that are not names of its concept.
	Unnamed []string
	// Records is the number of records of the corpus that define the form in this sense.
	Records int
	// OwnName is set if the form itself is a name of the concepts.
	OwnName bool
	// HasInitials is set if the form consists of the initials of a name of the concepts.
	HasInitials bool
}

// Keys returns the keys of the sense in [Profiles]: its concepts or, outside the dictionary, one key for all spelling
// variants of its long form.
func (s *Sense) Keys() []string {
	if len(s.Concepts) == 0 {
		return []string{longFormKey(s.LongForm)}
	}
	return append(conceptKeys(s.Concepts), s.Unnamed...)
}

// IsOf reports whether a mention that was tagged by its definition has the sense.
func (s *Sense) IsOf(m *text.Mention) bool {
	if len(m.Concepts) > 0 {
		return slices.Equal(s.Concepts, m.Concepts)
	}
	key := longFormKey(m.LongForm)
	return len(s.Concepts) == 0 && key == longFormKey(s.LongForm) || slices.Contains(s.Unnamed, key)
}

func conceptKeys(concepts []kb.ConceptID) []string {
	keys := make([]string, len(concepts))
	for i, id := range concepts {
		keys[i] = string(id)
	}
	return keys
}

// longFormKey returns the key of a long form outside the dictionary. Its "=" distinguishes it from keys of concepts.
func longFormKey(long string) string { return "=" + nameKey(long) }

// nameKey returns the same key for names that differ only in spelling and word order.
func nameKey(name string) string { return normalize.TokenSetKey(normalize.CanonicalTokens(name)) }

// Inventory holds the senses of forms. It is safe for concurrent use.
type Inventory struct {
	table mine.AbbreviationTable
	*Names
	synonyms     map[string][]kb.ConceptID // by nameKey; names that the dictionary lacks
	merged       sync.Map                  // short form as written -> []Sense: cache for the table
	withInitials sync.Map                  // initials -> []Sense: cache for the names
}

// Names finds the names of a dictionary regardless of spelling and word order, and by their initials.
type Names struct {
	dict              *kb.Dictionary
	byKey, byInitials *lexical.KeyIndex
}

// NewNames returns the names of a dictionary. They are incomplete if ctx ends early.
func NewNames(ctx context.Context, dict *kb.Dictionary) *Names {
	return &Names{dict, lexical.NewKeyIndex(ctx, dict, nameKey), lexical.NewKeyIndex(ctx, dict, initialsOf)}
}

// UnreadNames returns the names of a dictionary whose fields still have to be read from a file.
func UnreadNames(dict *kb.Dictionary) *Names {
	return &Names{dict, lexical.UnreadKeyIndex(dict, nameKey), lexical.UnreadKeyIndex(dict, initialsOf)}
}

// Fields returns the arrays of the names as fields of a file.
func (n *Names) Fields() []safetensors.Field {
	return []safetensors.Field{{Name: "keys.", Data: n.byKey}, {Name: "initials.", Data: n.byInitials}}
}

// Inventory returns an inventory of the forms of a table and of the short forms that are names of the dictionary.
// Long forms that name the same concepts are one sense, and so are spelling variants of a long form outside the
// dictionary. synonyms are further names of the dictionary's concepts. Short forms among them are ignored, because the
// table has their senses, and so are names of other concepts.
func (n *Names) Inventory(table mine.AbbreviationTable, synonyms []mine.Synonym) *Inventory {
	x := &Inventory{Names: n, table: table, synonyms: make(map[string][]kb.ConceptID)}
	for i := range synonyms {
		if s := &synonyms[i]; n.dict.Lookup(s.Concept) != nil && !normalize.LooksLikeShortForm(s.Text) {
			key := nameKey(s.Text)
			x.synonyms[key] = append(x.synonyms[key], s.Concept)
		}
	}
	return x
}

// maxInitials is the maximum number of words in a name whose initials are a short form.
const maxInitials = 6

// initialsOf returns the initials of the content words of a name in small letters, or "" for a name of one word or of
// more than maxInitials. "stenosis, mitral" has the initials of "mitral stenosis".
func initialsOf(name string) string {
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

// minExpansion is the minimum number of bytes by which a long form is longer than its short form. Texts also contain
// definitions such as "QTc" for QT.
const minExpansion = 4

// defined returns the senses of a form of the table, most frequent first. The slice is shared and must not be changed.
func (x *Inventory) defined(form mine.ShortForm) []Sense {
	merged, known := x.merged.Load(form.Short)
	if !known {
		merged = x.mergeSenses(&form)
		x.merged.Store(form.Short, merged)
	}
	return merged.([]Sense)
}

// mergeSenses computes the senses of a form of the table, most frequent first.
func (x *Inventory) mergeSenses(form *mine.ShortForm) []Sense {
	var senses []Sense
	at := make(map[string]int)                      // key -> index in senses
	words := make(map[kb.ConceptID]map[string]bool) // of the names of each concept
	for _, long := range form.Long {
		if len(long.Text) < len(form.Short)+minExpansion {
			continue
		}
		outside := longFormKey(long.Text)
		s := Sense{LongForm: long.Text, Concepts: x.ConceptsOf(long.Text), Records: long.Count}
		if len(s.Concepts) == 0 {
			if id, ok := x.resembled(form.Short, long.Text, words); ok {
				s.Concepts, s.Unnamed = []kb.ConceptID{id}, []string{outside}
			}
		}
		key := cmp.Or(strings.Join(conceptKeys(s.Concepts), " "), outside)
		if i, known := at[key]; known {
			senses[i].Records += s.Records
			senses[i].Unnamed = append(senses[i].Unnamed, s.Unnamed...)
			continue
		}
		at[key] = len(senses)
		senses = append(senses, s)
	}
	slices.SortStableFunc(senses, func(a, b Sense) int { return cmp.Compare(b.Records, a.Records) })
	return senses
}

// resembled returns the concept of a long form that is not a name itself. It must be the only concept that has the
// short form, or a name with its initials, among its names, and whose names contain all content words of the long form.
// "Parkinson's disease" means the concept of "paralysis agitans", "PD" and "Parkinson disease, idiopathic", since PD
// stands for it. known caches the words of concepts.
func (x *Inventory) resembled(short, long string, known map[kb.ConceptID]map[string]bool) (kb.ConceptID, bool) {
	ids := slices.Clone(x.ConceptsOf(short))
	for _, s := range x.initials(short) {
		ids = append(ids, s.Concepts...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) == 0 {
		return "", false
	}
	words := normalize.ContentWords(long)
	if len(words) == 0 {
		return "", false
	}
	ids = slices.DeleteFunc(ids, func(id kb.ConceptID) bool {
		if known[id] == nil {
			known[id] = x.wordsOf(id)
		}
		return slices.ContainsFunc(words, func(word string) bool { return !known[id][word] })
	})
	if len(ids) != 1 {
		return "", false
	}
	return ids[0], true
}

// wordsOf returns the content words in the names of a concept.
func (x *Inventory) wordsOf(id kb.ConceptID) map[string]bool {
	known := make(map[string]bool)
	for _, name := range x.dict.Lookup(id).Names() {
		for _, word := range normalize.ContentWords(name) {
			known[word] = true
		}
	}
	return known
}

// Senses returns the senses of a form as written, except for white space, most frequent first. They are the senses that
// the corpus defines, followed by those that only the dictionary makes possible: the concepts with the form itself as a
// name, and the concepts with a name whose initials it is. It returns nil for a form that does not look like a short
// form, and if all senses are of the last kind, for which only its letters are evidence.
func (x *Inventory) Senses(form string) []Sense {
	if !normalize.LooksLikeShortForm(form) {
		return nil
	}
	form = strings.Join(strings.Fields(form), " ")
	entry := x.table.Lookup(form)
	if entry.Short != form {
		form = normalize.SingularShortForm(form)
	}
	senses := slices.Clone(x.defined(entry))
	of := func(concepts []kb.ConceptID) int {
		return slices.IndexFunc(senses, func(s Sense) bool { return slices.Equal(s.Concepts, concepts) })
	}
	if concepts := x.ConceptsOf(form); len(concepts) > 0 {
		if i := of(concepts); i >= 0 {
			senses[i].OwnName = true
		} else {
			senses = append(senses, Sense{LongForm: form, Concepts: concepts, OwnName: true})
		}
	}
	if len(senses) == 0 {
		return nil
	}
	var others []Sense // a large dictionary has a thousand names with the same two initials
	for _, s := range x.initials(form) {
		if i := of(s.Concepts); i >= 0 {
			senses[i].HasInitials = true
		} else {
			others = append(others, s)
		}
	}
	return append(senses, others...)
}

// ConceptsOf returns the concepts that have a long form as a name, regardless of spelling and word order, in the order
// of IDs.
func (x *Inventory) ConceptsOf(long string) []kb.ConceptID {
	ids := append(x.byKey.Lookup(long), x.synonyms[nameKey(long)]...)
	slices.Sort(ids)
	return slices.Compact(ids)
}

// initials returns a sense for each concept that has a name with these initials. The long form is the first such name.
func (x *Inventory) initials(form string) []Sense {
	letters := strings.ToLower(form)
	if known, ok := x.withInitials.Load(letters); ok {
		return known.([]Sense)
	}
	var senses []Sense
	last := -1
	for name, concept := range x.byInitials.Find(letters) {
		if concept != last {
			senses = append(senses, Sense{LongForm: name, Concepts: []kb.ConceptID{x.dict.ID(concept)}, HasInitials: true})
			last = concept
		}
	}
	if senses != nil {
		x.withInitials.Store(letters, senses)
	}
	return senses
}

// IsShortFormOf reports whether a form as written is a short form of the concept, or of any concept if id is "". It is
// one if the corpus defines it by a name of the concept, or if it is the initials of such a name.
func (x *Inventory) IsShortFormOf(form string, id kb.ConceptID) bool {
	return slices.ContainsFunc(x.Senses(form), func(s Sense) bool {
		return (s.Records > 0 || s.HasInitials) && (slices.Contains(s.Concepts, id) || id == "" && len(s.Concepts) > 0)
	})
}

// Means returns the concepts that a form means if a text defines it by the long form, or nil if it is outside the
// dictionary.
func (x *Inventory) Means(form, long string) []kb.ConceptID {
	if ids := x.ConceptsOf(long); len(ids) > 0 {
		return ids
	}
	key := longFormKey(long)
	for _, s := range x.Senses(form) {
		if slices.Contains(s.Unnamed, key) {
			return s.Concepts
		}
	}
	return nil
}

const (
	// minDefiningRecords is the minimum number of records that must define a short form before its senses are judged.
	minDefiningRecords = 3
	// nearCertain is the minimum share of a short form's defining records that must mean one of the concepts, for a
	// mention that its own record does not define.
	nearCertain = .95
)

// MayMean reports whether a mention with the text form, which its record does not define, may be taken for one of the
// concepts. It may if fewer than three records of the corpus define the form, or if 95 % of those that do define it by a
// sense with one of the concepts.
func (x *Inventory) MayMean(form string, concepts []kb.ConceptID) bool {
	records, agreeing := 0, 0
	for _, s := range x.Senses(form) {
		records += s.Records
		if slices.ContainsFunc(s.Concepts, func(id kb.ConceptID) bool { return slices.Contains(concepts, id) }) {
			agreeing += s.Records
		}
	}
	return records < minDefiningRecords || float64(agreeing) >= nearCertain*float64(records)
}

// IsRival reports whether long is a long form outside the dictionary, for a form that also has a sense in the
// dictionary. Contexts of such a long form show where the form does not mean the concept. The corpus must define both
// senses, unless the form itself is a name.
func (x *Inventory) IsRival(form, long string) bool {
	key := longFormKey(long)
	inDictionary, known := false, false
	for _, s := range x.Senses(form) {
		switch {
		case len(s.Concepts) > 0:
			inDictionary = inDictionary || isKnownConcept(s)
			known = known || slices.Contains(s.Unnamed, key)
		case longFormKey(s.LongForm) == key:
			known = true
		}
	}
	return inDictionary && known
}

// HasConcept reports whether a form has a sense in the dictionary that the corpus defines, or is itself a name.
func (x *Inventory) HasConcept(form string) bool {
	return slices.ContainsFunc(x.Senses(form), isKnownConcept)
}

// isKnownConcept reports whether a sense is in the dictionary and has more evidence than initials.
func isKnownConcept(s Sense) bool { return len(s.Concepts) > 0 && (s.Records > 0 || s.OwnName) }

// Definitions counts the records that define forms with a sense in the dictionary: those that define them by a sense in
// the dictionary, and those by a sense outside.
func (x *Inventory) Definitions() (inDictionary, outside int) {
	for _, form := range x.table {
		senses := x.Senses(form.Short)
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
