package matcher

import (
	"encoding/binary"
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/kb"
)

// index is what a tagger knows of names, as the arrays that its file holds. Names are numbered in the order of their
// normal forms, and keys, by which they are found, in their own.
type index struct {
	words  []uint64            // hashes of the words of all keys, see [pieces], ascending: a word has the number of its place
	keys   transducer          // from each, see [index.encode], to its number
	named  safetensors.Lists   // the names of each key
	forms  safetensors.Strings // of the names, normal
	values []uint32            // by name: onlyAsIs, the case rule and the number of the concepts

	casedNames    []uint32            // a name for each of its forms with case, ascending, see name.cased
	cased         safetensors.Strings // these forms: normal forms with case
	casedConcepts []uint32            // and the numbers of their concepts

	concepts safetensors.Strings // ids, ascending
	several  safetensors.Lists   // of concepts; the list n has the number n + concepts.Len()

	initials    []uint64 // hashes of the initials of names, ascending
	notVariants []uint64 // hashes of normal forms that are no other way to write a name, ascending
	language    []byte   // its name, if the dictionary is in one, see [normalize.LanguageOf]
	of          *language.Language

	content []byte // the SHA-256 of the names, the filter, the concepts and the case rules
}

// place is where the walk of the transducer is after a part of a key.
type place struct {
	state int
	rank  int // the number of keys before those that go on from there
}

// after returns the place after more of a key, whose state is noState if no keys go on with it.
func (x *index) after(p place, more string) place {
	for i := 0; i < len(more) && p.state != noState; i++ {
		next, output := x.keys.next(p.state, more[i])
		p = place{next, p.rank + output}
	}
	return p
}

// start returns the place where all keys begin.
func (x *index) start() place { return place{state: x.keys.root()} }

// encode returns a key, or a part of one, as the numbers of its words in four bytes each, the lowest first, and whether keys
// have them all.
func (x *index) encode(words iter.Seq[string]) (key string, known bool) {
	var numbers []byte
	for word := range words {
		at, found := slices.BinarySearch(x.words, hashOf(word))
		if !found {
			return "", false
		}
		numbers = binary.LittleEndian.AppendUint32(numbers, uint32(at))
	}
	return string(numbers), true
}

// Parts of index.values.
const (
	onlyAsIs   = 1 << 31 // the name is found in its normal form alone
	ruleShift  = 29
	maxConcept = 1<<ruleShift - 1
)

// fields lists the tensors of a file.
func (x *index) fields() []safetensors.Field {
	return []safetensors.Field{
		{Name: "words", Data: &x.words}, {Name: "keys", Data: (*[]byte)(&x.keys)}, {Name: "named", Data: &x.named}, {Name: "forms", Data: &x.forms},
		{Name: "values", Data: &x.values}, {Name: "cased_names", Data: &x.casedNames}, {Name: "cased", Data: &x.cased},
		{Name: "cased_concepts", Data: &x.casedConcepts},
		{Name: "concepts", Data: &x.concepts}, {Name: "several", Data: &x.several},
		{Name: "initials", Data: &x.initials},
		{Name: "not_variants", Data: &x.notVariants}, {Name: "language", Data: &x.language}, {Name: "content", Data: &x.content},
	}
}

// view maps the index. What the arrays hold is not checked, only their lengths where the search relies on them.
func (x *index) view(f *safetensors.File) error {
	if err := safetensors.ViewFields(f, "", x.fields()); err != nil {
		return err
	}
	named := func(l *language.Language) bool { return l.Name == string(x.language) }
	if i := slices.IndexFunc(language.Languages, named); i >= 0 {
		x.of = language.Languages[i]
	}
	if !x.keys.fits(x.named.Len()) || len(x.values) != x.forms.Len() {
		return artifact.Damaged(f.Path(), "has names of %d keys, and others, or %d names and %d values of them", x.named.Len(),
			x.forms.Len(), len(x.values))
	}
	if len(x.casedNames) != x.cased.Len() || len(x.casedConcepts) != x.cased.Len() {
		return artifact.Damaged(f.Path(), "has %d forms of %d names", x.cased.Len(), len(x.casedNames))
	}
	return nil
}

// has reports whether a hash is among those of a list.
func has(ascending []uint64, hash uint64) bool {
	_, found := slices.BinarySearch(ascending, hash)
	return found
}

// rule returns the case rule of a name.
func (x *index) rule(name int32) caseRule { return caseRule(x.values[name] >> ruleShift & 3) }

// conceptsOf returns a copy of the concepts of a number, sorted.
func (x *index) conceptsOf(number uint32) []kb.ConceptID {
	list := x.listOf(number)
	ids := make([]kb.ConceptID, len(list))
	for i, concept := range list {
		ids[i] = kb.ConceptID(x.concepts.At(int(concept)))
	}
	return ids
}

// listOf returns the concepts of a number, ascending.
func (x *index) listOf(number uint32) []int32 {
	if n := uint32(x.concepts.Len()); number >= n {
		return x.several.At(int32(number - n))
	}
	return []int32{int32(number)}
}

// choose returns the name that a span of raw is, whose normal form is form, of the names of some keys, and the number of
// its concepts as it is written there. A name in this form comes before others, which are only written alike: they must
// have the same concepts, since nobody knows which of them the text means.
func (x *index) choose(keys []match, raw string, form []byte) (name int32, concepts uint32, ok bool) {
	for _, key := range keys {
		for _, n := range x.named.At(int32(key.key)) {
			if string(x.forms.Bytes(int(n))) == string(form) {
				concepts, ok = x.allows(n, raw, normalize.Cased)
				return n, concepts, ok
			}
		}
	}
	for _, key := range keys {
		if key.isOrder && ok {
			break // by its own order, whose keys come first
		}
		for _, n := range x.named.At(int32(key.key)) {
			if x.values[n]&onlyAsIs != 0 || len(form) < minWord && x.rule(n) != exactCase {
				continue
			}
			switch other, allowed := x.allows(n, raw, capitalsOf); {
			case !allowed:
			case !ok:
				name, concepts, ok = n, other, true
			case !x.sameConcepts(concepts, other):
				return 0, 0, false
			}
		}
	}
	return name, concepts, ok && !has(x.notVariants, hashOf(form))
}

// allows reports whether the case of raw is that of a name, as far as what caseOf returns of both tells, and returns the
// number of its concepts in that case.
func (x *index) allows(name int32, raw string, caseOf func(string) string) (concepts uint32, ok bool) {
	concepts = x.values[name] & maxConcept
	switch rule := x.rule(name); rule {
	case anyCase:
		return concepts, true
	case capitals:
		return concepts, normalize.AllCapitals(raw)
	default:
		form := caseOf(raw)
		for i, _ := slices.BinarySearch(x.casedNames, uint32(name)); i < len(x.casedNames) && x.casedNames[i] == uint32(name); i++ {
			if caseOf(x.cased.At(i)) == form {
				return x.casedConcepts[i], true
			}
		}
		isNumbered := strings.ContainsAny(raw, "0123456789") && strings.ContainsFunc(raw, unicode.IsUpper)
		return concepts, rule == ownCase || isNumbered
	}
}

// capitalsOf returns the capitals of a form.
func capitalsOf(form string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return r
		}
		return -1
	}, form)
}

// sameConcepts reports whether two numbers are of the same concepts.
func (x *index) sameConcepts(n, m uint32) bool {
	return n == m || min(n, m) >= uint32(x.concepts.Len()) && slices.Equal(x.listOf(n), x.listOf(m))
}
